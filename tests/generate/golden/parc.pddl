; parc f=0.4 u=1 sheets=BC
(define (problem parc-f-0-4-u-1-sheets-BC)
  (:domain parc-printer)
  (:objects
    sheet1 sheet2 - sheet)
  (:init
    (uninitialized) (stacked stack-bottom)
    (at sheet1 feeder-tray) (blank sheet1) (black-image sheet1) (follows sheet1 stack-bottom)
    (at sheet2 feeder-tray) (blank sheet2) (color-image sheet2) (follows sheet2 sheet1))
  (:goal (and
    (stacked sheet1) (printed sheet1)
    (stacked sheet2) (printed sheet2)))
  (:metric minimize (total-cost))
  (:constraints (and
    (<= (expected (failures)) 0.4)
    (<= (expected (finisher1-uses)) 1)))
  (:give-up
    (increase (total-cost) 10000000)
    (increase (failures) 3)
    (increase (finisher1-uses) 4)))
