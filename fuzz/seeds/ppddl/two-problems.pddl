; Several problems in one file.
(define (domain d) (:predicates (a) (b)) (:functions (time))
  (:action go :parameters () :precondition (not (a)) :effect (and (a) (increase (time) 1)))
  (:action on :parameters () :precondition (and (a) (not (b))) :effect (and (b) (increase (time) 3))))
(define (problem p1) (:domain d) (:init) (:goal (a)) (:metric minimize (time)))
(define (problem p2) (:domain d) (:init) (:goal (b)) (:metric minimize (time)))
