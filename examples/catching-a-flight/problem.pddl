; As cheap as possible, and the flight is missed in no more than 3% of all cases.
(define (problem friday)
  (:domain catching-a-flight)
  (:init (at-home))
  (:goal (at-airport))
  (:metric minimize (euros))
  (:constraints (<= (probability (> (minutes) 90)) 0.03)))
