;; CONSTR fuel <= 2.5 10
;; CONSTR risk <= 1 3
(define (problem p) (:domain d) (:init (= (total-cost) 0)) (:goal (g)) (:goal-reward 100))
(define (domain d) (:requirements :mdp) (:predicates (g)) (:functions (reward) (fuel) (risk)
  (total-cost))
  (:action a :effect (and (decrease (reward) 1) (increase (fuel) 1)
    (probabilistic 0.25 (and (g) (increase (risk) 1))))))
