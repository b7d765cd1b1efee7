; Constrained triangle tireworld. Every move may end with a flat tyre; one spare fits on board.
; Spares are bought on the way, each in a currency of one's choice, and every currency has its own
; budget. Without a spare on board or on sale where the tyre goes flat, the journey is over.
(define (domain triangle-tireworld)
  (:requirements :typing :probabilistic-effects :numeric-fluents :constraints)
  (:types location currency)

  (:predicates
    (road ?from ?to - location)         ; one-way
    (at ?l - location)
    (flat)
    (not-flat)
    (spare-in ?l - location)
    (spare-on-board)
    (no-spare-on-board))

  (:functions
    (total-cost)                        ; minimised
    (spent ?k - currency)               ; bounded
    (payment-cost ?k - currency))       ; static: what paying in ?k adds to the total cost

  (:action move
    :parameters (?from ?to - location)
    :precondition (and (at ?from) (road ?from ?to) (not-flat))
    :effect (and (not (at ?from)) (at ?to)
                 (probabilistic 0.5 (and (not (not-flat)) (flat)))
                 (increase (total-cost) 1)))

  (:action buy-spare
    :parameters (?l - location ?k - currency)
    :precondition (and (at ?l) (spare-in ?l) (no-spare-on-board))
    :effect (and (not (spare-in ?l)) (not (no-spare-on-board)) (spare-on-board)
                 (increase (total-cost) (payment-cost ?k)) (increase (spent ?k) 1)))

  (:action change-tyre
    :parameters ()
    :precondition (and (flat) (spare-on-board))
    :effect (and (not (flat)) (not-flat) (not (spare-on-board)) (no-spare-on-board)
                 (increase (total-cost) 1))))
