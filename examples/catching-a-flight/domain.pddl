; From home to the airport: cheap buses that get stuck, a train that seldom does, taxis.
(define (domain catching-a-flight)
  (:requirements :strips :probabilistic-effects :fluents :constraints)
  (:predicates (at-home) (at-centre) (at-airport))
  (:functions (euros) (minutes))

  (:action bus-to-centre
   :parameters ()
   :precondition (at-home)
   :effect (and (not (at-home)) (at-centre) (increase (euros) 3)
                (probabilistic 0.7 (increase (minutes) 30)
                               0.3 (increase (minutes) 50))))

  (:action taxi-to-centre
   :parameters ()
   :precondition (at-home)
   :effect (and (not (at-home)) (at-centre) (increase (euros) 20)
                (probabilistic 0.9 (increase (minutes) 15)
                               0.1 (increase (minutes) 30))))

  (:action bus-to-airport
   :parameters ()
   :precondition (at-centre)
   :effect (and (not (at-centre)) (at-airport) (increase (euros) 4)
                (probabilistic 0.8 (increase (minutes) 25)
                               0.2 (increase (minutes) 60))))

  (:action train-to-airport
   :parameters ()
   :precondition (at-centre)
   :effect (and (not (at-centre)) (at-airport) (increase (euros) 12)
                (probabilistic 0.9 (increase (minutes) 20)
                               0.1 (increase (minutes) 45)))))
