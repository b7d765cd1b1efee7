; As fast as possible, for at most 15 on the ticket and 10 of sweat: on average.
(define (problem today)
  (:domain getting-to-work)
  (:init (at-home))
  (:goal (at-work))
  (:metric minimize (time))
  (:constraints (and (<= (expected (price)) 15)
                     (<= (expected (effort)) 10))))
