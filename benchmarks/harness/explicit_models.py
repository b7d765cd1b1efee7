"""Explicit models of any size, as JSON: what they are like is said here, and `benchmarks/model`
writes them. They show what the factored domains do not: values that settle slowly, many states
without a structure that a heuristic could use.

The same parameters give the same text, on every machine.
"""
from __future__ import annotations

import argparse
import hashlib
import json
import pathlib
import random
import sys
from dataclasses import dataclass
from functools import partial
from typing import Callable, Iterator, Mapping, Sequence, Union

State = Union[int, str]


@dataclass(frozen=True)
class Action:
    state: State
    name: str
    cost: Sequence[float]
    outcomes: Mapping[State, float]


@dataclass(frozen=True)
class ExplicitModel:
    costs: Sequence[str]
    """The first one is minimised."""
    bounds: Mapping[str, float]
    initial: State
    goals: Sequence[State]
    actions: Callable[[], Iterator[Action]]
    """Made when they are asked for."""

    def lines(self) -> Iterator[str]:
        """As text, an action per line: a model of a million states need not fit into memory."""
        yield (f'{{"format": "cssp", "version": 1, "costs": {json.dumps(self.costs)}, '
               f'"bounds": {json.dumps(self.bounds)},\n'
               f' "initial": {json.dumps(self.initial)}, "goals": {json.dumps(list(self.goals))},\n'
               ' "actions": [')
        separator = "\n"
        for action in self.actions():
            yield (f'{separator}  {{"state": {json.dumps(action.state)}, "name": "{action.name}", '
                   f'"cost": {json.dumps(action.cost)}, '
                   f'"outcomes": {json.dumps(action.outcomes)}}}')
            separator = ",\n"
        yield "\n]}\n"


def _added(*outcomes: tuple[State, float]) -> dict[State, float]:
    """Equal states once, with what they have together; what cannot happen is left out."""
    sums: dict[State, float] = {}
    for state, probability in outcomes:
        if probability > 0:
            sums[state] = sums.get(state, 0.0) + probability
    return sums


_POWER = {"off": 0.0, "idle": 0.5, "on": 2.5}
_ARRIVES, _SERVED = 0.05, 0.9
_WAKES, _SWITCHES = 0.002, 0.5


def _queue_actions(length: int, steps: int) -> Iterator[Action]:
    end = 1 / steps
    for mode in _POWER:
        for waiting in range(length + 1):
            for goal in _POWER:
                switch = f"switch,{mode},{goal},{waiting}"
                done = 1.0 if goal == mode else _WAKES if mode == "off" else _SWITCHES
                yield Action(f"decide,{mode},{waiting}", f"to-{goal}", (0, 0), {switch: 1})
                yield Action(switch, "wait", (0, 0), _added(
                    (f"arrive,{goal},{waiting}", done), (f"arrive,{mode},{waiting}", 1 - done)))
            more = f"serve,{mode},{waiting + 1}" if waiting < length else f"lose,{mode}"
            yield Action(f"arrive,{mode},{waiting}", "tick", (0, 0), _added(
                (more, _ARRIVES), (f"serve,{mode},{waiting}", 1 - _ARRIVES)))
            served = _SERVED if mode == "on" and waiting > 0 else 0.0
            yield Action(f"serve,{mode},{waiting}", "run", (_POWER[mode], 0), _added(
                ("end", end), (f"decide,{mode},{waiting - 1}", served * (1 - end)),
                (f"decide,{mode},{waiting}", (1 - served) * (1 - end))))
        yield Action(f"lose,{mode}", "drop", (0, 1), {f"serve,{mode},{length}": 1})


def queue(length: int, steps: int, losses: int) -> ExplicitModel:
    """A server that is off, idle or on, with a queue of this length in front of it: least energy
    over a shift of so many expected steps, losing at most so many requests. Most actions cost
    nothing, and the shift ends rarely: values settle over very many steps."""
    return ExplicitModel(("energy", "lost"), {"lost": losses}, "decide,on,0", ("end",),
                         partial(_queue_actions, length, steps))


def _walk_actions(length: int) -> Iterator[Action]:
    for place in range(length - 1):
        for name, effort, forward in (("stroll", 0, 0.5), ("push", 1, 0.6)):
            yield Action(place, name, (1, effort), _added(
                (place + 1, forward), (max(place - 1, 0), 1 - forward)))


def walk(length: int, effort: int) -> ExplicitModel:
    """From one end of a line to the other, a step forward or back as chance has it, or more often
    forward with an effort, of which there is not enough for the whole way."""
    return ExplicitModel(("steps", "effort"), {"effort": effort}, 0, (length - 1,),
                         partial(_walk_actions, length))


_GRID_MODES = (("eco", 2, 1, 0.05), ("fast", 1, 3, 0.10))
_DIRECTIONS = (("n", 0, 1), ("s", 0, -1), ("e", 1, 0), ("w", -1, 0))


def _grid_actions(size: int, goal: int) -> Iterator[Action]:
    def cell(x: int, y: int) -> int:
        return min(max(x, 0), size - 1) * size + min(max(y, 0), size - 1)

    block = range(size // 4, size - size // 4)
    for x, y in ((x, y) for x in range(size) for y in range(size) if cell(x, y) != goal):
        risk = int(x in block and y in block)
        for mode, time, fuel, slip in _GRID_MODES:
            for name, dx, dy in _DIRECTIONS:
                yield Action(cell(x, y), f"{mode}-{name}", (time, fuel, risk), _added(
                    (cell(x + dx, y + dy), 1 - 2 * slip), (cell(x + dy, y + dx), slip),
                    (cell(x - dy, y - dx), slip)))


def grid(size: int) -> ExplicitModel:
    """A slippery square with walls. Moves N, S, E, W are eco (time 2, fuel 1, slips 0.05 to each
    side) or fast (time 1, fuel 3, slips 0.10 to each side); one that starts inside the central
    block costs risk 1. From the middle of the left edge to the middle of the right one: least time
    with fuel ≤ 2K and risk ≤ K/4."""
    middle = size // 2
    goal = (size - 1) * size + middle
    return ExplicitModel(("time", "fuel", "risk"), {"fuel": 2 * size, "risk": size / 4}, middle,
                         (goal,), partial(_grid_actions, size, goal))


def _sparse_actions(states: int, seed: int) -> Iterator[Action]:
    chance = random.Random(seed)

    def below(number: int) -> int:  # whose results, unlike randrange's, are promised to stay
        return int(chance.random() * number)

    for state in range(states):
        if state % 100 == 99:
            continue
        for number in range(4):
            cost = (1 + below(10), below(5))
            first, second = below(70) / 100, below(30) / 100
            yield Action(state, f"a{number}", cost, _added(
                (below(states), first), (below(states), second),
                (below(states), round(1 - first - second, 2))))


def sparse(states: int, risk: int, seed: int) -> ExplicitModel:
    """Four actions in every state, each with up to three outcomes anywhere; every hundredth state
    is a goal."""
    return ExplicitModel(("cost", "risk"), {"risk": risk}, 0, range(99, states, 100),
                         partial(_sparse_actions, states, seed))


MODELS: dict[str, Callable[..., ExplicitModel]] = {
    function.__name__: function for function in (queue, walk, grid, sparse)}


def edition() -> str:
    """Another one when this file changes, so that results with other models are not mistaken for
    results with these."""
    return "models-" + hashlib.sha256(pathlib.Path(__file__).read_bytes()).hexdigest()[:12]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="benchmarks/model", description="Writes an explicit model as JSON.")
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="KIND")
    for name, function in MODELS.items():
        explanation = " ".join((function.__doc__ or "").split())
        kind = kinds.add_parser(name, help=explanation, description=explanation)
        for parameter, least in _parameters(function).items():
            kind.add_argument(parameter, type=_at_least(least))
    arguments = vars(parser.parse_args(argv))
    try:
        sys.stdout.writelines(MODELS[arguments.pop("kind")](**arguments).lines())
    except BrokenPipeError:
        sys.stderr.close()  # who reads has seen enough
    return 0


def _parameters(function: Callable[..., ExplicitModel]) -> dict[str, int]:
    """What it takes, and the least that makes sense."""
    code = function.__code__
    names = code.co_varnames[:code.co_argcount]
    return {name: 2 if name in ("size", "steps") else 1 for name in names}


def _at_least(least: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if value < least:
            raise argparse.ArgumentTypeError(f"'{text}' is not a whole number of {least} or more")
        return value
    return number
