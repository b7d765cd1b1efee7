; PARC printer. Sheets travel through a printer with two feeders, two printing engines and two
; finishers, and are stacked in order. Three components (black feeder, end cap, htm over black) are
; unreliable: each use may break them for good, and a sheet caught in one returns blank to the tray.
; Each printing action prints a sheet's own image; a sheet is blank or carries just that image.
(define (domain parc-printer)
  (:requirements :typing :probabilistic-effects :numeric-fluents :constraints)
  (:types sheet bottom - layer
          layer location component - object)
  (:constants
    stack-bottom - bottom
    feeder-tray
    black-container-entry black-printer-entry black-printer-exit
    end-cap-entry htm-over-black-entry
    down-top-entry down-bottom-entry
    htm-over-color-entry
    color-container-entry color-printer-entry color-printer-exit
    up-top-entry up-bottom-entry
    finisher1-entry finisher2-entry - location
    black-feeder color-feeder end-cap htm-over-black - component)

  (:predicates
    ; the job
    (black-image ?s - sheet)
    (color-image ?s - sheet)
    (follows ?s - sheet ?previous - layer)
    ; the state
    (uninitialized)
    (available ?c - component)
    (at ?s - sheet ?l - location)
    (blank ?s - sheet)
    (printed ?s - sheet)
    (stacked ?s - layer))

  (:functions
    (total-cost)                        ; minimised
    (failures)                          ; bounded: expected failures of unreliable components
    (finisher1-uses))                   ; bounded: sheets stacked by the first finisher

  ; Sheets leave the tray through a feeder, so nothing else has to wait for this.
  (:action initialize
    :parameters ()
    :precondition (uninitialized)
    :effect (and (not (uninitialized))
                 (available black-feeder) (available color-feeder)
                 (available end-cap) (available htm-over-black)
                 (increase (total-cost) 1)))

  ; The feeders. A sheet that the black feeder fails to take stays in the tray.
  (:action black-feeder-feed
    :parameters (?s - sheet)
    :precondition (and (at ?s feeder-tray) (available black-feeder))
    :effect (and (probabilistic 0.9 (and (not (at ?s feeder-tray)) (at ?s black-container-entry))
                                0.1 (not (available black-feeder)))
                 (increase (total-cost) 7999) (increase (failures) 0.1)))

  (:action color-feeder-feed
    :parameters (?s - sheet)
    :precondition (and (at ?s feeder-tray) (available color-feeder))
    :effect (and (not (at ?s feeder-tray)) (at ?s down-bottom-entry)
                 (increase (total-cost) 7999)))

  ; The black engine and the way from it over the top.
  (:action black-container-to-ime
    :parameters (?s - sheet)
    :precondition (at ?s black-container-entry)
    :effect (and (not (at ?s black-container-entry)) (at ?s black-printer-entry)
                 (increase (total-cost) 1999)))

  (:action black-printer-simplex
    :parameters (?s - sheet)
    :precondition (and (at ?s black-printer-entry) (black-image ?s) (blank ?s))
    :effect (and (not (at ?s black-printer-entry)) (at ?s black-printer-exit)
                 (not (blank ?s)) (printed ?s)
                 (increase (total-cost) 113012)))

  (:action black-container-from-ime
    :parameters (?s - sheet)
    :precondition (at ?s black-printer-exit)
    :effect (and (not (at ?s black-printer-exit)) (at ?s end-cap-entry)
                 (increase (total-cost) 1999)))

  (:action end-cap-move
    :parameters (?s - sheet)
    :precondition (and (at ?s end-cap-entry) (printed ?s) (available end-cap))
    :effect (and (not (at ?s end-cap-entry))
                 (probabilistic 0.9 (at ?s htm-over-black-entry)
                                0.1 (and (not (available end-cap))
                                         (at ?s feeder-tray) (not (printed ?s)) (blank ?s)))
                 (increase (total-cost) 1999) (increase (failures) 0.1)))

  (:action htm-over-black-move
    :parameters (?s - sheet)
    :precondition (and (at ?s htm-over-black-entry) (printed ?s) (available htm-over-black))
    :effect (and (not (at ?s htm-over-black-entry))
                 (probabilistic 0.9 (at ?s down-top-entry)
                                0.1 (and (not (available htm-over-black))
                                         (at ?s feeder-tray) (not (printed ?s)) (blank ?s)))
                 (increase (total-cost) 17998) (increase (failures) 0.1)))

  (:action down-move-top
    :parameters (?s - sheet)
    :precondition (at ?s down-top-entry)
    :effect (and (not (at ?s down-top-entry)) (at ?s htm-over-color-entry)
                 (increase (total-cost) 2998)))

  (:action down-move-down
    :parameters (?s - sheet)
    :precondition (at ?s down-top-entry)
    :effect (and (not (at ?s down-top-entry)) (at ?s color-container-entry)
                 (increase (total-cost) 9998)))

  (:action htm-over-color-move
    :parameters (?s - sheet)
    :precondition (at ?s htm-over-color-entry)
    :effect (and (not (at ?s htm-over-color-entry)) (at ?s up-top-entry)
                 (increase (total-cost) 9998)))

  (:action up-move-top
    :parameters (?s - sheet)
    :precondition (at ?s up-top-entry)
    :effect (and (not (at ?s up-top-entry)) (at ?s finisher1-entry)
                 (increase (total-cost) 2998)))

  ; The colour engine, which prints black as well.
  (:action down-move-bottom
    :parameters (?s - sheet)
    :precondition (at ?s down-bottom-entry)
    :effect (and (not (at ?s down-bottom-entry)) (at ?s color-container-entry)
                 (increase (total-cost) 2998)))

  (:action color-container-to-ime
    :parameters (?s - sheet)
    :precondition (at ?s color-container-entry)
    :effect (and (not (at ?s color-container-entry)) (at ?s color-printer-entry)
                 (increase (total-cost) 7999)))

  (:action color-printer-simplex
    :parameters (?s - sheet)
    :precondition (and (at ?s color-printer-entry) (color-image ?s) (blank ?s))
    :effect (and (not (at ?s color-printer-entry)) (at ?s color-printer-exit)
                 (not (blank ?s)) (printed ?s)
                 (increase (total-cost) 224039)))

  (:action color-printer-simplex-mono
    :parameters (?s - sheet)
    :precondition (and (at ?s color-printer-entry) (black-image ?s) (blank ?s))
    :effect (and (not (at ?s color-printer-entry)) (at ?s color-printer-exit)
                 (not (blank ?s)) (printed ?s)
                 (increase (total-cost) 224039)))

  (:action color-container-from-ime
    :parameters (?s - sheet)
    :precondition (at ?s color-printer-exit)
    :effect (and (not (at ?s color-printer-exit)) (at ?s up-bottom-entry)
                 (increase (total-cost) 7999)))

  (:action up-move-up
    :parameters (?s - sheet)
    :precondition (at ?s up-bottom-entry)
    :effect (and (not (at ?s up-bottom-entry)) (at ?s finisher1-entry)
                 (increase (total-cost) 9998)))

  ; The finishers. Either may stack any sheet whose predecessor is stacked.
  (:action finisher1-stack
    :parameters (?s - sheet ?previous - layer)
    :precondition (and (at ?s finisher1-entry) (follows ?s ?previous) (stacked ?previous))
    :effect (and (not (at ?s finisher1-entry)) (stacked ?s)
                 (increase (total-cost) 7999) (increase (finisher1-uses) 1)))

  (:action finisher1-pass-through
    :parameters (?s - sheet)
    :precondition (at ?s finisher1-entry)
    :effect (and (not (at ?s finisher1-entry)) (at ?s finisher2-entry)
                 (increase (total-cost) 7999)))

  (:action finisher2-stack
    :parameters (?s - sheet ?previous - layer)
    :precondition (and (at ?s finisher2-entry) (follows ?s ?previous) (stacked ?previous))
    :effect (and (not (at ?s finisher2-entry)) (stacked ?s)
                 (increase (total-cost) 7999))))
