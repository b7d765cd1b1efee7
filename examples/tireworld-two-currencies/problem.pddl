; A triangle with sides of two double roads; l-ROW-COLUMN counts rows from the bottom, where the goal
; is the right-hand corner.
(define (problem two-currencies)
  (:domain tireworld-two-currencies)
  (:objects euro franc - currency
            l-1-1 l-1-2 l-1-3 l-1-4 l-1-5
            l-2-1 l-2-2 l-2-3 l-2-4
            l-3-1 l-3-2 l-3-3
            l-4-1 l-4-2
            l-5-1 - location)
  (:init (at l-3-1) (wheels-fine) (no-spare-on-board)
         (road l-1-1 l-1-2) (road l-1-1 l-2-1)
         (road l-1-2 l-1-3) (road l-1-2 l-2-2)
         (road l-1-3 l-1-4) (road l-1-3 l-2-3)
         (road l-1-4 l-1-5) (road l-1-4 l-2-4)
         (road l-2-1 l-1-2) (road l-2-1 l-3-1)
         (road l-2-2 l-1-3)
         (road l-2-3 l-1-4) (road l-2-3 l-3-3)
         (road l-2-4 l-1-5)
         (road l-3-1 l-3-2) (road l-3-1 l-4-1) (road l-3-1 l-2-2)
         (road l-3-2 l-3-3) (road l-3-2 l-4-2)
         (road l-3-3 l-2-4)
         (road l-4-1 l-3-2) (road l-4-1 l-5-1)
         (road l-4-2 l-3-3)
         (road l-5-1 l-4-2)
         (spare-for-sale l-2-1) (spare-for-sale l-2-2) (spare-for-sale l-2-3)
         (spare-for-sale l-2-4) (spare-for-sale l-3-1) (spare-for-sale l-3-3)
         (spare-for-sale l-4-1) (spare-for-sale l-4-2) (spare-for-sale l-5-1))
  (:goal (at l-1-5))
  (:metric minimize (steps))
  (:constraints (and (<= (expected (spent euro)) 1)
                     (<= (expected (spent franc)) 1)))
  (:give-up (increase (steps) 500) (increase (spent euro) 5) (increase (spent franc) 5)))
