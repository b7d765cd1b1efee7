; A drone takes parcels round and comes back. Wind drains the battery, people below are a risk, and a
; charging pad on the way trades time for battery.
(define (domain drone-delivery)
  (:requirements :adl :probabilistic-effects :fluents)
  (:types waypoint parcel)
  (:predicates (at ?w - waypoint)
               (route ?from ?to - waypoint)
               (charging-pad ?w - waypoint)
               (addressed-to ?p - parcel ?w - waypoint)
               (on-board ?p - parcel)
               (delivered ?p - parcel)
               (charged)   ; enough for one leg, which then takes nothing from the battery
               (gusty))
  (:functions (time) (battery) (risk)
              (minutes ?from ?to - waypoint)
              (crowd ?from ?to - waypoint))

  ; Gusts drain half as much battery again. The wind may turn during any leg.
  (:action fly
   :parameters (?from ?to - waypoint)
   :precondition (and (at ?from) (route ?from ?to))
   :effect (and (not (at ?from)) (at ?to)
                (increase (time) (minutes ?from ?to))
                (increase (risk) (crowd ?from ?to))
                (when (charged) (not (charged)))
                (when (not (charged))
                      (increase (battery) (minutes ?from ?to)))
                (when (and (gusty) (not (charged)))
                      (increase (battery) (/ (minutes ?from ?to) 2)))
                (probabilistic 0.3 (gusty)
                               0.7 (not (gusty)))))

  (:action wait-for-calm
   :parameters ()
   :precondition (gusty)
   :effect (and (increase (time) 1)
                (probabilistic 0.5 (not (gusty)))))

  (:action charge
   :parameters (?pad - waypoint)
   :precondition (and (at ?pad) (charging-pad ?pad) (not (charged)))
   :effect (and (charged)
                (increase (time) 5)))

  ; In gusts the parcel swings on its winch and may have to be pulled up again.
  (:action lower
   :parameters (?p - parcel ?door - waypoint)
   :precondition (and (at ?door) (addressed-to ?p ?door) (on-board ?p))
   :effect (and (increase (time) 1)
                (when (not (gusty))
                      (and (not (on-board ?p)) (delivered ?p)))
                (when (gusty)
                      (probabilistic 0.6 (and (not (on-board ?p)) (delivered ?p)))))))
