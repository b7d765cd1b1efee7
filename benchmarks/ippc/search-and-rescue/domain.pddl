; A helicopter looks for somebody who is in one of the zones, most likely in the first. Where nobody was found the zone
; is known to be empty. What is flown over is no longer where the helicopter is. Landing may fail, and hurts.
(define (domain search-and-rescue)
  (:requirements :adl :probabilistic-effects)
  (:types zone)
  (:constants base - zone)
  (:predicates (over ?z - zone) (human ?z - zone) (explored ?z -zone) (aboard) (alive)
               (home) (on-ground))
  (:functions (time) (far ?from ?to -zone))

  (:action fly
   :parameters (?from ?to -zone)
   :precondition (and (over ?from) (not (on-ground)) (not (= ?from ?to)))
   :effect (and (over ?to) (not (over ?from)) (increase (time) (far ?from ?to))
                (when (not (aboard)) (probabilistic 0.05 (not (alive))))))

  (:action explore
   :parameters (?z -zone)
   :precondition (and (over ?z) (not (explored ?z)) (not (on-ground)))
   :effect (and (explored ?z) (increase (time) 1)))

  (:action land
   :parameters (?z -zone)
   :precondition (and (over ?z) (not (on-ground)) (or (= ?z base) (and (explored ?z) (human ?z))))
   :effect (and (increase (time) 1)
                (probabilistic 0.9 (on-ground)
                               0.1 (and (on-ground) (increase (time) 5)))))

  (:action take-aboard
   :parameters (?z -zone)
   :precondition (and (over ?z) (on-ground) (human ?z) (alive))
   :effect (and (not (human ?z)) (aboard) (increase (time) 2)))

  (:action take-off
   :parameters (?z -zone)
   :precondition (and (over ?z) (on-ground))
   :effect (and (not (on-ground)) (increase (time) 1)))

  (:action unload
   :precondition (and (over base) (on-ground) (aboard) (alive))
   :effect (and (home) (not (aboard)) (increase (time) 1))))
