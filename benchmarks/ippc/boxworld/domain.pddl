; Trucks and one plane move boxes. Drivers lose their way and end up in a neighbouring city. Bridges bear only so much.
(define (domain boxworld)
  (:requirements :adl :probabilistic-effects :fluents :rewards)
  (:types truck plane - vehicle city vehicle box)
  (:predicates (box-at ?b - box ?c - city) (on ?b - box ?v - vehicle) (at ?v - vehicle ?c - city)
               (road ?a ?b - city) (wrong ?a ?b ?c - city) (airport ?c - city))
  (:functions (weight ?v - vehicle) (bears ?a ?b - city))

  (:action load
   :parameters (?b - box ?v - vehicle ?c - city)
   :precondition (and (box-at ?b ?c) (at ?v ?c))
   :effect (and (not (box-at ?b ?c)) (on ?b ?v) (decrease (reward) 1)))

  (:action unload
   :parameters (?b - box ?v - vehicle ?c - city)
   :precondition (and (on ?b ?v) (at ?v ?c))
   :effect (and (not (on ?b ?v)) (box-at ?b ?c) (decrease (reward) 1)))

  (:action drive
   :parameters (?t - truck ?from ?to ?astray - city)
   :precondition (and (at ?t ?from) (road ?from ?to) (wrong ?from ?to ?astray)
                      (<= (weight ?t) (bears ?from ?to)))
   :effect (and (not (at ?t ?from)) (decrease (reward) 3)
                (probabilistic 0.8 (at ?t ?to) 0.2 (at ?t ?astray))))

  (:action fly
   :parameters (?p - plane ?from ?to - city)
   :precondition (and (at ?p ?from) (airport ?from) (airport ?to) (not (= ?from ?to)))
   :effect (and (not (at ?p ?from)) (at ?p ?to) (decrease (reward) 25))))
