"""Guarantees per run by brute force: all states with all that can have been used, and a linear program.

Written from the definitions alone; nothing here is shared with the planner.
"""
import random
from fractions import Fraction

import exact_lp

GIVE_UP = "give up"


def fraction(number):
    return Fraction(str(number))


def draw_model(seed, give_up=False):
    """A small explicit model with a primary cost, 'time', and one that outcomes differ in, 'fuel'."""
    rng = random.Random(seed)
    states = [f"s{i}" for i in range(rng.randint(2, 4))]
    unit = rng.choice([1, 0.5, 0.25])
    actions = []
    for i, state in enumerate(states):
        for a in range(rng.randint(1, 3)):
            outcomes, eighths = [], 8
            while eighths > 0:
                share = eighths if len(outcomes) == 2 else rng.randint(1, eighths)
                eighths -= share
                # The first action of a state leads on, so that a goal can be reached.
                onwards = states[i + 1:] + ["goal"]
                successor = rng.choice(onwards if a == 0 or rng.random() < 0.6 else states)
                outcomes.append({"state": successor, "probability": share / 8,
                                 "cost": [rng.randint(1, 4), unit * rng.choice([0, 0, 1, 1, 2, 3])]})
            mean = [float(sum(fraction(o["probability"]) * fraction(o["cost"][c]) for o in outcomes))
                    for c in range(2)]
            actions.append({"state": state, "name": f"a{a}", "cost": mean, "outcomes": outcomes})
    model = {"format": "cssp", "version": 1, "costs": ["time", "fuel"], "initial": "s0", "goals": ["goal"],
             "actions": actions}
    if give_up:
        model["give_up"] = {"time": rng.randint(3, 12), "fuel": unit * rng.randint(0, 3)}
    return model


class Unfolded:
    """Every reachable (state, what has been used of fuel), used amounts above `most` being `most`."""

    def __init__(self, model, most):
        self.most = most
        self.pairs = []  # (state, used), [(probability, costs, (state, used) or None)]
        by_state = {}
        for action in model["actions"]:
            by_state.setdefault(action["state"], []).append(
                [(fraction(o["probability"]), [fraction(c) for c in o["cost"]], o["state"])
                 for o in action["outcomes"]])
        if "give_up" in model:
            penalty = [fraction(model["give_up"][c]) for c in model["costs"]]
            for state in {a["state"] for a in model["actions"]}:
                by_state[state].append([(Fraction(1), penalty, None)])
        start = (model["initial"], Fraction(0))
        self.states, queue = {start: 0}, [start]
        for state, used in queue:
            for outcomes in by_state.get(state, []):
                steps = []
                for probability, cost, successor in outcomes:
                    to = None
                    if successor is not None and successor not in model["goals"]:
                        to = (successor, min(most, used + cost[1]))
                        if to not in self.states:
                            self.states[to] = len(self.states)
                            queue.append(to)
                    steps.append((probability, cost, to))
                self.pairs.append(((state, used), steps))

    def least(self, charge, upper):
        """The least expected time if the expectation of `charge(used, fuel)` is at most `upper`."""
        rows = [{} for _ in range(len(self.states) + 1)]
        cost = {}
        for j, (place, steps) in enumerate(self.pairs):
            here = rows[self.states[place]]
            here[j] = here.get(j, Fraction(0)) + 1
            for probability, _, to in steps:
                if to is not None:
                    there = rows[self.states[to]]
                    there[j] = there.get(j, Fraction(0)) - probability
            cost[j] = sum(probability * c[0] for probability, c, _ in steps)
            rows[-1][j] = sum(probability * charge(place[1], c[1]) for probability, c, _ in steps)
        rows[-1][len(self.pairs)] = Fraction(1)  # slack
        right = [Fraction(0)] * len(self.states) + [upper]
        right[0] = Fraction(1)
        return exact_lp.solve(cost, rows, right)


def unit_above(model, limit):
    """A limit beyond which it does not matter how much has been used."""
    steps = [fraction(o["cost"][1]) for a in model["actions"] for o in a["outcomes"] if o["cost"][1] > 0]
    return fraction(limit) + min(steps, default=Fraction(1))


def with_chance(model, limit, upper):
    limit = fraction(limit)
    charge = lambda used, fuel: Fraction(int(used <= limit < used + fuel))
    return Unfolded(model, unit_above(model, float(limit))).least(charge, fraction(upper))


def with_excess(model, limit, upper):
    limit = fraction(limit)
    charge = lambda used, fuel: max(Fraction(0), used + fuel - limit) - max(Fraction(0), used - limit)
    return Unfolded(model, limit).least(charge, Fraction(upper) if isinstance(upper, Fraction) else fraction(upper))


def with_cvar(model, level, upper):
    level, upper = fraction(level), fraction(upper)
    found, threshold = None, Fraction(0)
    while threshold <= upper:
        value = with_excess(model, str(float(threshold)), (1 - level) * (upper - threshold))
        if value is not None and (found is None or value < found):
            found = value
        threshold += Fraction(1, 4)  # all amounts are multiples of it
    return found
