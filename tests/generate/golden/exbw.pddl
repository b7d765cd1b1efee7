; exbw id=7 c=0.5
(define (problem exbw-id-7-c-0-5)
  (:domain exploding-blocksworld)
  (:objects
    b1 b2 b3 b4 b5 b6 b7 b8 - block)
  (:init
    (hand-empty) (table-intact)
    (on-table b5) (on b4 b5) (on b1 b4) (clear b1)
    (on-table b2) (clear b2)
    (on-table b8) (on b3 b8) (on b7 b3) (clear b7)
    (on-table b6) (clear b6)
    (intact b1) (armed b1)
    (intact b2) (armed b2)
    (intact b3) (armed b3)
    (intact b4) (armed b4)
    (intact b5) (armed b5)
    (intact b6) (armed b6)
    (intact b7) (armed b7)
    (intact b8) (armed b8))
  (:goal (and
    (on-table b8)
    (on-table b2)
    (on-table b7)
    (on b1 b8)
    (on b3 b2)
    (on b6 b3)
    (on b4 b7)
    (on b5 b4)))
  (:metric minimize (total-cost))
  (:constraints (and
    (<= (expected (destroyed-blocks)) 0.5)))
  (:give-up
    (increase (total-cost) 500)
    (increase (destroyed-blocks) 8)))
