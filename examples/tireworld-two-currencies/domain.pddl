; Triangle tireworld: the short road may leave you stranded, the long one passes spare tyres. Here
; a spare has to be bought, in any of the currencies, and each currency has its own budget.
(define (domain tireworld-two-currencies)
  (:requirements :strips :typing :probabilistic-effects :fluents)
  (:types location currency)
  (:predicates (at ?l - location)
               (road ?from ?to - location)
               (spare-for-sale ?l - location)
               (spare-on-board) (no-spare-on-board)
               (wheels-fine) (flat-tyre))
  (:functions (steps) (spent ?c - currency))

  (:action drive
   :parameters (?from ?to - location)
   :precondition (and (at ?from) (road ?from ?to) (wheels-fine))
   :effect (and (not (at ?from)) (at ?to)
                (probabilistic 0.5 (and (not (wheels-fine)) (flat-tyre)))
                (increase (steps) 1)))

  (:action buy-spare
   :parameters (?l - location ?c - currency)
   :precondition (and (at ?l) (spare-for-sale ?l) (no-spare-on-board))
   :effect (and (not (spare-for-sale ?l))
                (not (no-spare-on-board)) (spare-on-board)
                (increase (steps) 1) (increase (spent ?c) 1)))

  (:action change-tyre
   :parameters ()
   :precondition (and (flat-tyre) (spare-on-board))
   :effect (and (not (flat-tyre)) (wheels-fine)
                (not (spare-on-board)) (no-spare-on-board)
                (increase (steps) 1))))
