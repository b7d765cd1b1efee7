; Search and rescue. A drone flies over a grid, picks up one survivor, any one, and brings it home.
; Flying fast saves time and burns fuel, the more so into the wind and with somebody on board.
; One survivor is known to be there; other cells may hold one and have to be searched.
(define (domain search-and-rescue)
  (:requirements :typing :probabilistic-effects :numeric-fluents :constraints)
  (:types cell)

  (:predicates
    ; the map
    (adjacent ?from ?to - cell)
    (known-survivor ?c - cell)
    (chance-10 ?c - cell)               ; a survivor is here with probability 0.1
    (chance-30 ?c - cell)
    (chance-50 ?c - cell)
    ; the state
    (at ?c - cell)
    (empty)
    (loaded)
    (unsearched ?c - cell))

  (:functions
    (time)                              ; minimised
    (fuel)                              ; bounded
    (wind ?c - cell))                   ; static

  (:action fly-slow-empty
    :parameters (?from ?to - cell)
    :precondition (and (at ?from) (adjacent ?from ?to) (empty))
    :effect (and (not (at ?from)) (at ?to)
                 (increase (time) 2) (increase (fuel) 1)))

  (:action fly-fast-empty
    :parameters (?from ?to - cell)
    :precondition (and (at ?from) (adjacent ?from ?to) (empty))
    :effect (and (not (at ?from)) (at ?to)
                 (increase (time) 1) (increase (fuel) (+ 1 (wind ?to)))))

  (:action fly-slow-loaded
    :parameters (?from ?to - cell)
    :precondition (and (at ?from) (adjacent ?from ?to) (loaded))
    :effect (and (not (at ?from)) (at ?to)
                 (increase (time) 2) (increase (fuel) 2)))

  (:action fly-fast-loaded
    :parameters (?from ?to - cell)
    :precondition (and (at ?from) (adjacent ?from ?to) (loaded))
    :effect (and (not (at ?from)) (at ?to)
                 (increase (time) 1) (increase (fuel) (+ 2 (* 2 (wind ?to))))))

  ; The chance of a cell is a constant of the text, hence one action per chance.
  (:action search-10
    :parameters (?c - cell)
    :precondition (and (at ?c) (chance-10 ?c) (unsearched ?c) (empty))
    :effect (and (not (unsearched ?c))
                 (probabilistic 0.1 (and (not (empty)) (loaded)))
                 (increase (time) 1) (increase (fuel) 1)))

  (:action search-30
    :parameters (?c - cell)
    :precondition (and (at ?c) (chance-30 ?c) (unsearched ?c) (empty))
    :effect (and (not (unsearched ?c))
                 (probabilistic 0.3 (and (not (empty)) (loaded)))
                 (increase (time) 1) (increase (fuel) 1)))

  (:action search-50
    :parameters (?c - cell)
    :precondition (and (at ?c) (chance-50 ?c) (unsearched ?c) (empty))
    :effect (and (not (unsearched ?c))
                 (probabilistic 0.5 (and (not (empty)) (loaded)))
                 (increase (time) 1) (increase (fuel) 1)))

  (:action board
    :parameters (?c - cell)
    :precondition (and (at ?c) (known-survivor ?c) (empty))
    :effect (and (not (empty)) (loaded)
                 (increase (time) 1) (increase (fuel) 1))))
