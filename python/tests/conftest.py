"""Random problems in three shapes: arrays, a class and JSON, all saying the same."""
from __future__ import annotations

import json
import pathlib
import random

import numpy as np
import pytest

import carl

ROOT = pathlib.Path(__file__).resolve().parents[2]


class RandomProblem:
    """Every state has a way to the goal, the last state; some actions may lead back."""

    def __init__(self, seed: int, states: int = 12, actions: int = 3) -> None:
        draw = random.Random(seed)
        self.costs = ["time", "fuel", "risk"]
        self.goal = states - 1
        self.rows: list[list[tuple[list[float], list[tuple[float, int]]]]] = []
        for state in range(states - 1):
            row = []
            for _ in range(draw.randint(1, actions)):
                cost = [float(draw.randint(1, 9)), float(draw.randint(0, 9)), draw.randint(0, 4) / 8]
                successors = draw.sample(range(states), draw.randint(1, 3))
                if all(s <= state for s in successors):
                    successors[0] = draw.randint(state + 1, self.goal)
                weights = [draw.randint(1, 4) for _ in successors]
                total = sum(weights)
                row.append((cost, [(w / total, s) for w, s in zip(weights, successors)]))
            self.rows.append(row)
        self.rows.append([])
        self.bounds = {"fuel": float(draw.randint(8, 60)), "risk": draw.randint(4, 40) / 8}

    def initial(self) -> int:
        return 0

    def is_goal(self, state: int) -> bool:
        return state == self.goal

    def actions(self, state: int):
        for number, (cost, outcomes) in enumerate(self.rows[state]):
            yield f"a{number}", cost, outcomes

    def as_arrays(self) -> carl.Model:
        first_pair, first_outcome, probabilities, successors, costs = [0], [0], [], [], []
        for row in self.rows:
            for cost, outcomes in row:
                costs.append(cost)
                for probability, successor in outcomes:
                    probabilities.append(probability)
                    successors.append(successor)
                first_outcome.append(len(successors))
            first_pair.append(len(costs))
        return carl.Model.from_arrays(
            costs=self.costs, first_pair=first_pair, first_outcome=first_outcome,
            probabilities=probabilities, successors=successors, pair_costs=np.array(costs),
            goals=[self.goal], bounds=self.bounds)

    def as_json(self) -> str:
        actions = [{"state": str(state), "name": f"a{number}", "cost": cost,
                    "outcomes": {str(s): p for p, s in outcomes}}
                   for state, row in enumerate(self.rows)
                   for number, (cost, outcomes) in enumerate(row)]
        return json.dumps({"format": "cssp", "version": 1, "costs": self.costs,
                           "bounds": self.bounds, "initial": "0", "goals": [str(self.goal)],
                           "actions": actions})


class Hike:
    """A hiker crosses a range of huts: walking is safe, climbing is quicker but may end back."""

    costs = ["hours", "risk"]
    bounds = {"risk": 0.2}

    def initial(self):
        return ("hut", 0)

    def is_goal(self, state):
        return state == ("hut", 4)

    def actions(self, state):
        _, hut = state
        yield "walk", [3, 0], {("hut", hut + 1): 1.0}
        yield "climb", {"hours": 1, "risk": 0.1}, [(0.9, ("hut", hut + 1)), (0.1, ("hut", 0))]


@pytest.fixture
def getting_to_work() -> carl.Model:
    folder = ROOT / "examples" / "getting-to-work"
    return carl.load(folder / "domain.pddl", folder / "problem.pddl")
