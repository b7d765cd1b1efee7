; Blocks slip: what is picked up may fall on the table, a tower may be moved at once, if with luck.
(define (domain blocksworld)
  (:requirements :probabilistic-effects :conditional-effects :equality :typing :rewards)
  (:types block)
  (:predicates (on ?a ?b - block) (on-table ?b - block) (clear ?b - block) (holding ?b - block)
               (assign ?b - block) (emptyhand))

  (:action pick-up
   :parameters (?a ?b - block)
   :precondition (and (emptyhand) (clear ?a) (on ?a ?b))
   :effect (and (decrease reward 1)
                (probabilistic 3/4 (and (holding ?a) (clear ?b) (not (emptyhand)) (not (on ?a ?b)) (not (clear ?a)))
                               1/4 (and (clear ?b) (on-table ?a) (not (on ?a ?b))))))

  (:action pick-up-from-table
   :parameters (?a - block)
   :precondition (and emptyhand (clear ?a) (on-table ?a))
   :effect (and (decrease reward 1)
                (probabilistic 3/4 (and (holding ?a) (not emptyhand) (not (on-table ?a)) (not (clear ?a))))))

  (:action put-on
   :parameters (?a ?b - block)
   :precondition (and (holding ?a) (clear ?b) (not (= ?a ?b)))
   :effect (and (decrease reward 1) (emptyhand) (not (holding ?a)) (clear ?a)
                (probabilistic 3/4 (and (on ?a ?b) (not (clear ?b))) 1/4 (on-table ?a))))

  (:action put-down
   :parameters (?a - block)
   :precondition (holding ?a)
   :effect (and (decrease reward 1) emptyhand (on-table ?a) (clear ?a) (not (holding ?a))))

  (:action paint
   :parameters (?a - block)
   :precondition (and (holding ?a) (not (assign ?a)))
   :effect (and (decrease reward 2) (probabilistic 0.6 (assign ?a)))))
