; Nothing in particular: a walk on a random graph that switches flags on and off. Flags open some edges and close others.
(define (domain random)
  (:requirements :adl :probabilistic-effects :fluents)
  (:types node flag)
  (:predicates (at ?s - node) (set ?f - flag) (edge ?s ?t ?else - node) (gate ?s ?t - node ?f - flag)
               (flips ?s - node ?f - flag))
  (:functions (price) (toll ?s ?t - node))

  (:action walk
   :parameters (?s ?t ?else - node)
   :precondition (and (at ?s) (edge ?s ?t ?else)
                      (forall (?f - flag) (imply (gate ?s ?t ?f) (set ?f))))
   :effect (and (not (at ?s)) (increase (price) (toll ?s ?t))
                (probabilistic 2/3 (at ?t) 1/3 (at ?else))
                (forall (?f - flag) (when (flips ?t ?f) (probabilistic 0.5 (set ?f))))))

  (:action flip
   :parameters (?s - node ?f - flag)
   :precondition (and (at ?s) (flips ?s ?f) (< (toll ?s ?s) 3))
   :effect (and (increase (price) (+ 1 (toll ?s ?s)))
                (when (set ?f) (not (set ?f))) (when (not (set ?f)) (set ?f)))))
