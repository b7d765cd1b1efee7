; No blank after the dash of a type.
(define (domain d) (:requirements :typing) (:types zone) (:predicates (at ?z - zone))
  (:action go :parameters (?z -zone) :precondition (not (at ?z)) :effect (at ?z)))
(define (problem p) (:domain d) (:objects z1 - zone) (:init) (:goal (at z1)))
