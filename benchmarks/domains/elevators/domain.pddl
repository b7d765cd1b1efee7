; Elevators. Lifts carry persons from their origin to their destination; hidden persons are yet to
; press the button. In one time step all lifts move and then all persons react. The text takes this
; apart into turns: each lift, then each person acts once, and the turn comes round to the first
; lift again, so a time step is as many actions as there are lifts and persons.
(define (domain elevators)
  (:requirements :typing :universal-preconditions :probabilistic-effects :numeric-fluents
                 :constraints)
  (:types agent floor - object
          lift person - agent)

  (:predicates
    ; the building
    (next ?a ?b - agent)                ; after the turn of ?a comes that of ?b
    (above ?upper ?lower - floor)       ; by one floor
    (origin ?p - person ?f - floor)
    (destination ?p - person ?f - floor)
    ; the state
    (turn ?a - agent)
    (lift-at ?l - lift ?f - floor)
    (closed ?l - lift)
    (open-at ?l - lift ?f - floor)
    (not-open-at ?l - lift ?f - floor)
    (hidden ?p - person)
    (undecided ?p - person ?f ?g - floor)  ; hidden, and will choose one of two destinations
    (chosen ?p - person ?f - floor)     ; that destination, until it is reached
    (waiting ?p - person)
    (riding ?p - person ?l - lift)
    (served ?p - person))

  (:functions
    (turns)                             ; minimised
    (waiting-time ?p - person)          ; bounded, in time steps
    (riding-time ?p - person))          ; bounded, in time steps

  ; What a lift can do in its turn. An open door must be closed next.
  (:action up
    :parameters (?l - lift ?from ?to - floor ?n - agent)
    :precondition (and (turn ?l) (next ?l ?n) (closed ?l) (lift-at ?l ?from) (above ?to ?from))
    :effect (and (not (turn ?l)) (turn ?n) (not (lift-at ?l ?from)) (lift-at ?l ?to)
                 (increase (turns) 1)))

  (:action down
    :parameters (?l - lift ?from ?to - floor ?n - agent)
    :precondition (and (turn ?l) (next ?l ?n) (closed ?l) (lift-at ?l ?from) (above ?from ?to))
    :effect (and (not (turn ?l)) (turn ?n) (not (lift-at ?l ?from)) (lift-at ?l ?to)
                 (increase (turns) 1)))

  (:action stay
    :parameters (?l - lift ?n - agent)
    :precondition (and (turn ?l) (next ?l ?n) (closed ?l))
    :effect (and (not (turn ?l)) (turn ?n)
                 (increase (turns) 1)))

  (:action open
    :parameters (?l - lift ?f - floor ?n - agent)
    :precondition (and (turn ?l) (next ?l ?n) (closed ?l) (lift-at ?l ?f))
    :effect (and (not (turn ?l)) (turn ?n)
                 (not (closed ?l)) (not (not-open-at ?l ?f)) (open-at ?l ?f)
                 (increase (turns) 1)))

  (:action close
    :parameters (?l - lift ?f - floor ?n - agent)
    :precondition (and (turn ?l) (next ?l ?n) (open-at ?l ?f))
    :effect (and (not (turn ?l)) (turn ?n)
                 (not (open-at ?l ?f)) (not-open-at ?l ?f) (closed ?l)
                 (increase (turns) 1)))

  ; What happens to a person in its turn. Waiting and riding are counted on the state at the start
  ; of the step, so boarding still counts as waiting and alighting as riding.
  (:action skip
    :parameters (?p - person ?n - agent)
    :precondition (and (turn ?p) (next ?p ?n) (served ?p))
    :effect (and (not (turn ?p)) (turn ?n)
                 (increase (turns) 1)))

  (:action appear
    :parameters (?p - person ?n - agent)
    :precondition (and (turn ?p) (next ?p ?n) (hidden ?p))
    :effect (and (not (turn ?p)) (turn ?n)
                 (probabilistic 0.75 (and (not (hidden ?p)) (waiting ?p)))
                 (increase (turns) 1)))

  (:action appear-and-choose
    :parameters (?p - person ?f ?g - floor ?n - agent)
    :precondition (and (turn ?p) (next ?p ?n) (undecided ?p ?f ?g))
    :effect (and (not (turn ?p)) (turn ?n)
                 (probabilistic
                   0.375 (and (not (undecided ?p ?f ?g)) (waiting ?p) (chosen ?p ?f))
                   0.375 (and (not (undecided ?p ?f ?g)) (waiting ?p) (chosen ?p ?g)))
                 (increase (turns) 1)))

  (:action wait
    :parameters (?p - person ?f - floor ?n - agent)
    :precondition (and (turn ?p) (next ?p ?n) (waiting ?p) (origin ?p ?f)
                       (forall (?l - lift) (not-open-at ?l ?f)))
    :effect (and (not (turn ?p)) (turn ?n)
                 (increase (turns) 1) (increase (waiting-time ?p) 1)))

  (:action board
    :parameters (?p - person ?l - lift ?f - floor ?n - agent)
    :precondition (and (turn ?p) (next ?p ?n) (waiting ?p) (origin ?p ?f) (open-at ?l ?f))
    :effect (and (not (turn ?p)) (turn ?n) (not (waiting ?p)) (riding ?p ?l)
                 (increase (turns) 1) (increase (waiting-time ?p) 1)))

  (:action ride
    :parameters (?p - person ?l - lift ?f - floor ?n - agent)
    :precondition (and (turn ?p) (next ?p ?n) (riding ?p ?l) (destination ?p ?f)
                       (not-open-at ?l ?f))
    :effect (and (not (turn ?p)) (turn ?n)
                 (increase (turns) 1) (increase (riding-time ?p) 1)))

  (:action alight
    :parameters (?p - person ?l - lift ?f - floor ?n - agent)
    :precondition (and (turn ?p) (next ?p ?n) (riding ?p ?l) (destination ?p ?f) (open-at ?l ?f))
    :effect (and (not (turn ?p)) (turn ?n) (not (riding ?p ?l)) (served ?p)
                 (increase (turns) 1) (increase (riding-time ?p) 1)))

  (:action ride-to-chosen
    :parameters (?p - person ?l - lift ?f - floor ?n - agent)
    :precondition (and (turn ?p) (next ?p ?n) (riding ?p ?l) (chosen ?p ?f) (not-open-at ?l ?f))
    :effect (and (not (turn ?p)) (turn ?n)
                 (increase (turns) 1) (increase (riding-time ?p) 1)))

  (:action alight-at-chosen
    :parameters (?p - person ?l - lift ?f - floor ?n - agent)
    :precondition (and (turn ?p) (next ?p ?n) (riding ?p ?l) (chosen ?p ?f) (open-at ?l ?f))
    :effect (and (not (turn ?p)) (turn ?n) (not (riding ?p ?l)) (not (chosen ?p ?f)) (served ?p)
                 (increase (turns) 1) (increase (riding-time ?p) 1))))
