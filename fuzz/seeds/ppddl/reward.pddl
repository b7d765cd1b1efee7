(define (domain d) (:requirements :rewards :probabilistic-effects) (:predicates (g ?x))
  (:action a :parameters (?x) :effect (and (decrease (reward) 3)
    (probabilistic 1/3 (g ?x) 1/3 (probabilistic 0.5 (not (g ?x)))))))
(define (problem p) (:domain d) (:objects o) (:init) (:goal (g o)) (:metric maximize (reward)))
