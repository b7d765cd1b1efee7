; A car drives through a triangle of towns. Any move may give it a flat tyre; some towns have a spare, and a tyre can only
; be changed where there is one. The direct way has none.
(define (domain triangle-tireworld)
  (:requirements :typing :strips :equality :probabilistic-effects)
  (:types town)
  (:predicates (car-in ?t - town) (road ?a ?b - town) (spare ?t - town) (flat))

  (:action drive
   :parameters (?a ?b - town)
   :precondition (and (car-in ?a) (road ?a ?b) (not (flat)))
   :effect (and (car-in ?b) (not (car-in ?a)) (probabilistic 0.5 flat)))

  (:action change
   :parameters (?t - town)
   :precondition (and (car-in ?t) (spare ?t) (flat))
   :effect (and (not (spare ?t)) (not (flat)))))
