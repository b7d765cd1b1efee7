; A robot fetches coffee for people in offices. It may rain on the way to the shop; a wet robot has to dry before it may
; enter an office. Whether it rains, and where the umbrella is, is not known before the start.
(define (domain coffee)
  (:requirements :adl :probabilistic-effects :probabilistic-init)
  (:types place)
  (:constants shop lobby - place)
  (:predicates (robot ?p - place) (umbrella ?p - place) (has-umbrella) (raining) (wet) (has-coffee)
               (wants ?p - place) (served ?p - place) (next ?p ?q - place))
  (:functions (minutes))

  (:action go
   :parameters (?p ?q - place)
   :precondition (and (robot ?p) (or (next ?p ?q) (next ?q ?p)) (not (= ?q shop)) (not (= ?p shop))
                      (imply (wet) (= ?q lobby)))
   :effect (and (not (robot ?p)) (robot ?q) (increase (minutes) 1)))

  (:action cross-the-street
   :parameters (?p ?q - place)
   :precondition (and (robot ?p) (or (next ?p ?q) (next ?q ?p)) (or (= ?p shop) (= ?q shop)))
   :effect (and (not (robot ?p)) (robot ?q) (increase (minutes) 3)
                (when (and (raining) (not (has-umbrella))) (probabilistic 0.9 wet))
                (probabilistic 0.1 (not (raining)))))

  (:action take-umbrella
   :parameters (?p - place)
   :precondition (and (robot ?p) (umbrella ?p))
   :effect (and (has-umbrella) (not (umbrella ?p)) (increase (minutes) 1)))

  (:action dry
   :precondition (wet)
   :effect (and (increase (minutes) 4) (probabilistic 0.5 (not wet))))

  (:action wait
   :precondition (raining)
   :effect (and (increase (minutes) 2) (probabilistic 0.2 (not (raining)))))

  (:action buy
   :precondition (and (robot shop) (not (has-coffee)))
   :effect (and (increase (minutes) 2) (probabilistic 0.9 (has-coffee))))

  (:action serve
   :parameters (?p - place)
   :precondition (and (robot ?p) (has-coffee) (wants ?p) (not (wet)))
   :effect (and (increase (minutes) 1)
                (probabilistic 0.8 (and (served ?p) (not (has-coffee)))
                               0.2 (not (has-coffee))))))
