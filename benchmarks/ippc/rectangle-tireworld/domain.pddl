; A car crosses a rectangle. Safe cells are reached by single steps that may take it two cells at once; on cells that are
; not safe it may break down, and then it is dead.
(define (domain rectangle-tireworld)
  (:requirements :adl :probabilistic-effects :rewards)
  (:types position)
  (:predicates (xpos ?p - position) (ypos ?p - position) (next ?a ?b - position)
               (unsafe ?x ?y - position) (dead))

  (:action right
   :parameters (?x ?x1 ?y - position)
   :precondition (and (xpos ?x) (ypos ?y) (next ?x ?x1) (not (dead)))
   :effect (and (not (xpos ?x)) (xpos ?x1) (decrease reward 1)
                (when (unsafe ?x ?y) (probabilistic 0.2 dead))))

  (:action up
   :parameters (?x ?y ?y1 - position)
   :precondition (and (xpos ?x) (ypos ?y) (next ?y ?y1) (not (dead)))
   :effect (and (not (ypos ?y)) (ypos ?y1) (decrease reward 1)
                (when (unsafe ?x ?y) (probabilistic 0.2 dead))))

  (:action left
   :parameters (?x ?x1 ?y - position)
   :precondition (and (xpos ?x1) (ypos ?y) (next ?x ?x1) (not (dead)))
   :effect (and (not (xpos ?x1)) (xpos ?x) (decrease reward 1)
                (when (unsafe ?x1 ?y) (probabilistic 0.2 dead))))

  (:action race
   :parameters (?x ?x1 ?y ?y1 - position)
   :precondition (and (xpos ?x) (ypos ?y) (next ?x ?x1) (next ?y ?y1) (not (dead)))
   :effect (and (decrease reward 1)
                (probabilistic 0.9 (and (not (xpos ?x)) (not (ypos ?y)) (xpos ?x1) (ypos ?y1))
                               0.1 dead))))
