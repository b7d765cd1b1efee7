; No :init section.
(define (domain d) (:predicates (a)) (:action go :parameters () :precondition (not (a)) :effect (a)))
(define (problem p) (:domain d) (:goal (a)))
