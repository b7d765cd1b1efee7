; A car crosses a town. At each junction it sees the colour of the light only when it looks; the longer the road, the
; longer the drive. In heavy traffic a road may take twice its time. A driver prefers some colours.
(define (domain drive)
  (:requirements :adl :probabilistic-effects :fluents)
  (:types junction preference)
  (:constants green amber red - preference)
  (:predicates (at ?j - junction) (road ?from ?to - junction) (busy ?from ?to - junction)
               (looking) (light ?p - preference) (safe ?p - preference))
  (:functions (delay) (length ?from ?to - junction))

  (:action look
   :parameters (?j - junction)
   :precondition (and (at ?j) (not (looking)))
   :effect (and (looking)
                (probabilistic 0.5 (light green) 0.1 (light amber) 0.4 (light red))))

  (:action wait
   :precondition (and (looking) (not (exists (?p - preference) (and (light ?p) (safe ?p)))))
   :effect (and (forall (?p - preference) (not (light ?p)))
                (increase (delay) 1)
                (probabilistic 0.7 (light green) 0.05 (light amber) 0.25 (light red))))

  (:action proceed
   :parameters (?from ?to - junction)
   :precondition (and (at ?from) (looking) (road ?from ?to)
                      (exists (?p - preference) (and (light ?p) (safe ?p))))
   :effect (and (not (at ?from)) (at ?to) (not (looking))
                (forall (?p - preference) (not (light ?p)))
                (increase (delay) (length ?from ?to))
                (when (busy ?from ?to)
                      (probabilistic 1/4 (increase (delay) (length ?from ?to))))))

  (:action jump-the-light
   :parameters (?from ?to - junction)
   :precondition (and (at ?from) (looking) (road ?from ?to) (light amber))
   :effect (and (not (at ?from)) (at ?to) (not (looking)) (not (light amber))
                (increase (delay) (* 1.5 (length ?from ?to))))))
