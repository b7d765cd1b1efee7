; A type, a predicate and an object with names that mean something in later versions of PDDL.
(define (domain d) (:requirements :typing) (:types preference) (:predicates (preference ?x - preference))
  (:action go :parameters (?x - preference) :precondition (not (preference ?x)) :effect (preference ?x)))
(define (problem p) (:domain d) (:objects undefined - preference) (:init) (:goal (preference undefined)))
