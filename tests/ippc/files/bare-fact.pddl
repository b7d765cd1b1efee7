; A fact without parentheses in an effect.
(define (domain d) (:requirements :probabilistic-effects) (:predicates (a) (dead))
  (:action go :parameters () :precondition (not (a)) :effect (and (a) (probabilistic 0.2 dead))))
(define (problem p) (:domain d) (:init) (:goal (a)))
