; Exploding blocks world. Every block carries one charge, which may go off when the block is put
; down and then destroys what is below it: the table or a block. A destroyed table can be repaired
; at a price; a destroyed block can neither be moved nor built on.
(define (domain exploding-blocksworld)
  (:requirements :typing :equality :probabilistic-effects :numeric-fluents :constraints)
  (:types block)

  (:predicates
    (hand-empty)
    (holding ?b - block)
    (clear ?b - block)
    (on ?b ?below - block)
    (on-table ?b - block)
    (intact ?b - block)
    (armed ?b - block)
    (detonated ?b - block)
    (table-intact)
    (table-destroyed))

  (:functions
    (total-cost)                        ; minimised
    (destroyed-blocks))                 ; bounded

  (:action pick-off-block
    :parameters (?b ?below - block)
    :precondition (and (hand-empty) (clear ?b) (on ?b ?below) (intact ?b))
    :effect (and (not (hand-empty)) (holding ?b)
                 (not (on ?b ?below)) (not (clear ?b)) (clear ?below)
                 (increase (total-cost) 1)))

  (:action pick-off-table
    :parameters (?b - block)
    :precondition (and (hand-empty) (clear ?b) (on-table ?b) (intact ?b))
    :effect (and (not (hand-empty)) (holding ?b)
                 (not (on-table ?b)) (not (clear ?b))
                 (increase (total-cost) 1)))

  (:action put-armed-on-table
    :parameters (?b - block)
    :precondition (and (holding ?b) (armed ?b) (table-intact))
    :effect (and (not (holding ?b)) (hand-empty) (on-table ?b) (clear ?b)
                 (probabilistic 0.4 (and (not (table-intact)) (table-destroyed)
                                         (not (armed ?b)) (detonated ?b)))
                 (increase (total-cost) 1)))

  (:action put-detonated-on-table
    :parameters (?b - block)
    :precondition (and (holding ?b) (detonated ?b) (table-intact))
    :effect (and (not (holding ?b)) (hand-empty) (on-table ?b) (clear ?b)
                 (increase (total-cost) 1)))

  ; The block below is destroyed with probability 0.1: that is the expected number charged.
  (:action put-armed-on-block
    :parameters (?b ?below - block)
    :precondition (and (holding ?b) (armed ?b) (clear ?below) (intact ?below)
                       (not (= ?b ?below)))
    :effect (and (not (holding ?b)) (hand-empty) (on ?b ?below) (clear ?b) (not (clear ?below))
                 (probabilistic 0.1 (and (not (intact ?below)) (not (armed ?b)) (detonated ?b)))
                 (increase (total-cost) 1) (increase (destroyed-blocks) 0.1)))

  (:action put-detonated-on-block
    :parameters (?b ?below - block)
    :precondition (and (holding ?b) (detonated ?b) (clear ?below) (intact ?below)
                       (not (= ?b ?below)))
    :effect (and (not (holding ?b)) (hand-empty) (on ?b ?below) (clear ?b) (not (clear ?below))
                 (increase (total-cost) 1)))

  (:action repair-table
    :parameters ()
    :precondition (table-destroyed)
    :effect (and (not (table-destroyed)) (table-intact)
                 (increase (total-cost) 100))))
