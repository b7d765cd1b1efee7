; A reward without parentheses, and one for the goal.
(define (domain d) (:requirements :probabilistic-effects :rewards) (:predicates (a))
  (:action go :parameters () :precondition (not (a))
   :effect (and (probabilistic 0.5 (a)) (decrease reward 10))))
(define (problem p) (:domain d) (:init) (:goal (a)) (:goal-reward 100) (:metric maximize (reward)))
