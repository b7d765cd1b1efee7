; From home to work: run, take a taxi, or walk to the station and hope for the train.
(define (domain getting-to-work)
  (:requirements :strips :probabilistic-effects :fluents)
  (:predicates (at-home) (at-station-with-train) (at-station-no-train) (at-work))
  (:functions (time) (price) (effort))

  (:action run
   :parameters ()
   :precondition (at-home)
   :effect (and (not (at-home)) (at-work)
                (increase (time) 1) (increase (effort) 20)))

  (:action taxi
   :parameters ()
   :precondition (at-home)
   :effect (and (not (at-home)) (at-work)
                (increase (time) 1) (increase (price) 30)))

  (:action walk-to-station
   :parameters ()
   :precondition (at-home)
   :effect (and (not (at-home))
                (probabilistic 0.5 (at-station-with-train)
                               0.5 (at-station-no-train))
                (increase (time) 1) (increase (effort) 1)))

  (:action train
   :parameters ()
   :precondition (at-station-with-train)
   :effect (and (not (at-station-with-train)) (at-work)
                (increase (time) 1) (increase (price) 20)))

  (:action walk-to-work
   :parameters ()
   :precondition (at-station-no-train)
   :effect (and (not (at-station-no-train)) (at-work)
                (increase (time) 3) (increase (effort) 6))))
