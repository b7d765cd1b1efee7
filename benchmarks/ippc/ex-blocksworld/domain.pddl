; Blocks may explode when they are put down and destroy what they are put on: the table, or the block below. A block
; explodes once; a destroyed block can be neither taken nor built upon.
(define (domain ex-blocksworld)
  (:requirements :typing :conditional-effects :probabilistic-effects :equality)
  (:types block)
  (:predicates (on ?a ?b - block) (on-table ?b - block) (clear ?b - block) (holding ?b - block)
               (empty-hand) (no-detonated ?b - block) (no-destroyed ?b - block) (no-table-destroyed))

  (:action take-from-table
   :parameters (?b - block)
   :precondition (and (empty-hand) (clear ?b) (on-table ?b) (no-destroyed ?b))
   :effect (and (holding ?b) (not (empty-hand)) (not (on-table ?b)) (not (clear ?b))))

  (:action put-on-table
   :parameters (?b - block)
   :precondition (and (holding ?b) (no-table-destroyed))
   :effect (and (empty-hand) (on-table ?b) (clear ?b) (not (holding ?b))
                (when (no-detonated ?b)
                      (probabilistic 2/5 (and (not (no-table-destroyed)) (not (no-detonated ?b)))))))

  (:action take
   :parameters (?a ?b - block)
   :precondition (and (empty-hand) (clear ?a) (on ?a ?b) (no-destroyed ?a))
   :effect (and (holding ?a) (clear ?b) (not (empty-hand)) (not (on ?a ?b)) (not (clear ?a))))

  (:action stack
   :parameters (?a ?b - block)
   :precondition (and (holding ?a) (clear ?b) (no-destroyed ?b) (not (= ?a ?b)))
   :effect (and (empty-hand) (on ?a ?b) (clear ?a) (not (holding ?a)) (not (clear ?b))
                (when (no-detonated ?a)
                      (probabilistic 1/10 (and (not (no-destroyed ?b)) (not (no-detonated ?a))))))))
