; Over the old town and the market it is quick but crowded; along the river it is long and lonely.
;
;                  old-town ---2--- market
;                 /   |   \             \
;                4    |    4             3
;               /     |     \             \
;          depot      3      clinic      harbour
;            |        |     /             /
;            6        |    6             4
;            |        |   /             /
;       river-bend -5- bridge ---------+        charging pad: bridge
(define (problem two-parcels)
  (:domain drone-delivery)
  (:objects depot old-town market clinic river-bend bridge harbour - waypoint
            vaccine letter - parcel)
  (:init
    (at depot) (on-board vaccine) (on-board letter)
    (addressed-to vaccine clinic) (addressed-to letter harbour)
    (charging-pad bridge)
    (route depot old-town)    (= (minutes depot old-town) 4)    (= (crowd depot old-town) 2)
    (route old-town depot)    (= (minutes old-town depot) 4)    (= (crowd old-town depot) 2)
    (route old-town market)   (= (minutes old-town market) 2)   (= (crowd old-town market) 3)
    (route market old-town)   (= (minutes market old-town) 2)   (= (crowd market old-town) 3)
    (route old-town clinic)   (= (minutes old-town clinic) 4)   (= (crowd old-town clinic) 2)
    (route clinic old-town)   (= (minutes clinic old-town) 4)   (= (crowd clinic old-town) 2)
    (route old-town bridge)   (= (minutes old-town bridge) 3)   (= (crowd old-town bridge) 1)
    (route bridge old-town)   (= (minutes bridge old-town) 3)   (= (crowd bridge old-town) 1)
    (route market harbour)    (= (minutes market harbour) 3)    (= (crowd market harbour) 1)
    (route harbour market)    (= (minutes harbour market) 3)    (= (crowd harbour market) 1)
    (route depot river-bend)  (= (minutes depot river-bend) 6)  (= (crowd depot river-bend) 0)
    (route river-bend depot)  (= (minutes river-bend depot) 6)  (= (crowd river-bend depot) 0)
    (route river-bend bridge) (= (minutes river-bend bridge) 5) (= (crowd river-bend bridge) 0)
    (route bridge river-bend) (= (minutes bridge river-bend) 5) (= (crowd bridge river-bend) 0)
    (route bridge clinic)     (= (minutes bridge clinic) 6)     (= (crowd bridge clinic) 0)
    (route clinic bridge)     (= (minutes clinic bridge) 6)     (= (crowd clinic bridge) 0)
    (route bridge harbour)    (= (minutes bridge harbour) 4)    (= (crowd bridge harbour) 0)
    (route harbour bridge)    (= (minutes harbour bridge) 4)    (= (crowd harbour bridge) 0))
  (:goal (and (delivered vaccine) (delivered letter) (at depot)))
  (:metric minimize (time))
  (:constraints (and (<= (expected (battery)) 30)
                     (<= (expected (risk)) 4))))
