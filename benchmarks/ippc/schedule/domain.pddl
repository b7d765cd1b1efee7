; Packets of several classes arrive at random and wait in queues of one or two places. In every round one class is
; served. A packet that finds its queue full is lost, and so is the run. The goal is to have served each class so often.
(define (domain schedule)
  (:requirements :adl :probabilistic-effects)
  (:types class count)
  (:constants c0 - count)
  (:predicates (waiting ?c - class) (second ?c - class) (left ?c - class ?n - count)
               (before ?m ?n - count) (often ?c - class) (lost) (arrivals) (serving))

  (:action arrive
   :precondition (and (arrivals) (not (lost)))
   :effect (and (not (arrivals)) (serving)
                (forall (?c - class)
                  (and (when (and (not (waiting ?c)) (often ?c)) (probabilistic 0.5 (waiting ?c)))
                       (when (and (not (waiting ?c)) (not (often ?c)))
                             (probabilistic 0.2 (waiting ?c)))
                       (when (and (waiting ?c) (not (second ?c)))
                             (probabilistic 0.2 (second ?c)))
                       (when (and (waiting ?c) (second ?c))
                             (probabilistic 0.1 lost))))))

  (:action serve
   :parameters (?c - class ?m ?n - count)
   :precondition (and (serving) (waiting ?c) (left ?c ?n) (before ?m ?n))
   :effect (and (not (serving)) (arrivals) (not (left ?c ?n)) (left ?c ?m)
                (when (second ?c) (not (second ?c)))
                (when (not (second ?c)) (not (waiting ?c)))))

  (:action drop
   :parameters (?c - class)
   :precondition (and (serving) (waiting ?c))
   :effect (and (not (serving)) (arrivals) (not (waiting ?c)) (not (second ?c))))

  (:action idle
   :precondition (serving)
   :effect (and (not (serving)) (arrivals))))
