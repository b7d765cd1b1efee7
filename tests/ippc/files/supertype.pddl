; A type that is only ever written as a supertype.
(define (domain d) (:requirements :typing) (:types key - locatable person - locatable)
  (:predicates (h ?x - locatable))
  (:action go :parameters (?x - locatable) :precondition (not (h ?x)) :effect (h ?x)))
(define (problem p) (:domain d) (:objects k1 - key) (:init) (:goal (h k1)))
