; Pitchers throw parts to catchers, who put them together. What is dropped may be picked up, or may break; a net saves it.
(define (domain pitchcatch)
  (:requirements :adl :probabilistic-effects)
  (:types pitcher catcher part)
  (:predicates (holds ?p - pitcher ?x - part) (caught ?c - catcher ?x - part) (dropped ?x - part)
               (broken ?x - part) (fragile ?x - part) (net) (near ?p - pitcher ?c - catcher)
               (busy ?c - catcher) (mounted ?x - part) (undefined ?x - part))

  (:action throw
   :parameters (?p - pitcher ?c - catcher ?x - part)
   :precondition (and (holds ?p ?x) (near ?p ?c) (not (busy ?c)))
   :effect (and (not (holds ?p ?x))
                (probabilistic
                  3/4 (and (caught ?c ?x) (busy ?c))
                  1/4 (when (not (net))
                        (and (dropped ?x) (when (fragile ?x) (probabilistic 1/2 (broken ?x))))))
                (when (net) (and (not (net)) (undefined ?x)))))

  (:action search-net
   :parameters (?p - pitcher ?x - part)
   :precondition (and (undefined ?x) (not (exists (?c - catcher) (caught ?c ?x)))
                      (not (exists (?q - pitcher) (holds ?q ?x))) (not (dropped ?x))
                      (not (mounted ?x)))
   :effect (holds ?p ?x))

  (:action set-net
   :precondition (not (net))
   :effect (net))

  (:action pick-up
   :parameters (?p - pitcher ?x - part)
   :precondition (dropped ?x)
   :effect (and (not (dropped ?x)) (holds ?p ?x)))

  (:action repair
   :parameters (?x - part)
   :precondition (and (broken ?x) (dropped ?x))
   :effect (probabilistic 1/3 (not (broken ?x))))

  (:action mount
   :parameters (?c - catcher ?x - part)
   :precondition (and (caught ?c ?x) (not (broken ?x)))
   :effect (and (not (busy ?c)) (probabilistic 0.9 (and (mounted ?x) (not (caught ?c ?x)))
                                               0.1 (and (dropped ?x) (not (caught ?c ?x))))))

  (:action put-down
   :parameters (?c - catcher ?x - part)
   :precondition (and (caught ?c ?x) (broken ?x))
   :effect (and (not (caught ?c ?x)) (not (busy ?c)) (dropped ?x))))
