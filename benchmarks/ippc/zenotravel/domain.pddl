; Aircraft carry people between cities. Boarding, flying and refuelling each take a random number of attempts; flying fast
; takes fewer of them and more fuel.
(define (domain zenotravel)
  (:requirements :typing :conditional-effects :probabilistic-effects :equality :rewards)
  (:types aircraft - locatable person - locatable city flevel)
  (:predicates (at ?x - locatable ?c - city) (in ?p - person ?a - aircraft)
               (fuel ?a - aircraft ?l - flevel) (next ?l ?m - flevel)
               (boarding ?p - person) (going ?a - aircraft ?c - city) (not-going ?a - aircraft))

  (:action start-boarding
   :parameters (?p - person ?a - aircraft ?c - city)
   :precondition (and (at ?p ?c) (at ?a ?c) (not (boarding ?p)) (not-going ?a))
   :effect (and (boarding ?p) (decrease reward 1)))

  (:action finish-boarding
   :parameters (?p - person ?a - aircraft ?c - city)
   :precondition (and (at ?p ?c) (at ?a ?c) (boarding ?p))
   :effect (and (decrease reward 1)
                (probabilistic 0.8 (and (not (boarding ?p)) (not (at ?p ?c)) (in ?p ?a)))))

  (:action debark
   :parameters (?p - person ?a - aircraft ?c - city)
   :precondition (and (in ?p ?a) (at ?a ?c) (not-going ?a))
   :effect (and (not (in ?p ?a)) (at ?p ?c) (decrease reward 2)))

  (:action start-flying
   :parameters (?a - aircraft ?from ?to - city ?l ?m - flevel)
   :precondition (and (at ?a ?from) (not (= ?from ?to)) (fuel ?a ?m) (next ?l ?m) (not-going ?a))
   :effect (and (not (at ?a ?from)) (going ?a ?to) (not (not-going ?a))
                (not (fuel ?a ?m)) (fuel ?a ?l) (decrease reward 5)))

  (:action fly
   :parameters (?a - aircraft ?to - city)
   :precondition (going ?a ?to)
   :effect (and (decrease reward 5)
                (probabilistic 1/25 (and (not (going ?a ?to)) (not-going ?a) (at ?a ?to)))))

  (:action fly-fast
   :parameters (?a - aircraft ?to - city ?l ?m - flevel)
   :precondition (and (going ?a ?to) (fuel ?a ?m) (next ?l ?m))
   :effect (and (decrease reward 20) (not (fuel ?a ?m)) (fuel ?a ?l)
                (probabilistic 1/3 (and (not (going ?a ?to)) (not-going ?a) (at ?a ?to)))))

  (:action refuel
   :parameters (?a - aircraft ?c - city ?l ?m - flevel)
   :precondition (and (at ?a ?c) (fuel ?a ?l) (next ?l ?m))
   :effect (and (decrease (reward) 10)
                (probabilistic 1/7 (and (not (fuel ?a ?l)) (fuel ?a ?m))))))
