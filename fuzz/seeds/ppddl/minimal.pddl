(define (domain d) (:predicates (p)) (:action a :effect (p)))
(define (problem q) (:domain d) (:init) (:goal (p)))
