#!/usr/bin/env python3
"""Random questions about random models with labels, against linear programs over visited bits.

Among them are infeasible ones, bounds on the very edge of what is possible, end components of all kinds, and answers
that are infinite.
"""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "guarantees"))
from visited_bits import Answer, Part  # noqa: E402

CARL = sys.argv.pop(1)
SCALE = float(os.environ.get("CARL_TEST_SCALE", "1"))
FIRST = int(os.environ.get("CARL_TEST_FIRST", "0"))


def draw_model(rng):
    states = [f"s{i}" for i in range(rng.randint(2, 5))]
    actions = []
    for i, state in enumerate(states):
        for a in range(rng.choice([0, 1, 1, 2, 2, 3]) if i else rng.randint(1, 3)):
            outcomes, eighths = {}, 8
            while eighths > 0:
                share = eighths if len(outcomes) == 2 or rng.random() < 0.3 else rng.randint(1, eighths)
                eighths -= share
                successor = rng.choice(states + states[i:])
                outcomes[successor] = outcomes.get(successor, 0) + share / 8
            actions.append({"state": state, "name": f"a{a}", "outcomes": outcomes,
                            "cost": [rng.choice([0, 0, 1, 2]), rng.choice([0, 0, 0, 1, 3])]})
    occurring = sorted({a["state"] for a in actions} | {s for a in actions for s in a["outcomes"]})
    labels = {label: [s for s in occurring if rng.random() < 0.35] for label in "abc"}
    model = {"format": "cssp", "version": 1, "costs": ["time", "fuel"], "initial": "s0", "labels": labels,
             "actions": actions}
    if rng.random() < 0.15:
        model["initial"] = {s: 1 / 2 for s in rng.sample(occurring, 2)} if len(occurring) > 1 else {"s0": 1}
    if rng.random() < 0.15:
        model["goals"] = rng.sample(occurring, 1)
    return model


def draw_formula(rng):
    """About states, simple ones mostly."""
    label = rng.choice("abc")
    kind = rng.random()
    if kind < 0.05:
        label = rng.choice(["init", "deadlock", "deadlock"])
    if kind < 0.6:
        return f'"{label}"', lambda labels: label in labels
    other = rng.choice("abc")
    if kind < 0.75:
        return f'!"{label}"', lambda labels: label not in labels
    if kind < 0.85:
        return f'"{label}"|"{other}"', lambda labels: label in labels or other in labels
    if kind < 0.95:
        return f'("{label}" => "{other}")', lambda labels: label not in labels or other in labels
    return "true", lambda labels: True


def draw_part(rng, wanted_of):
    limit = None
    if rng.random() < 0.2:
        limit = rng.choice([None, None, "time", "fuel"]), rng.randint(0, 3)
    if rng.random() < 0.45:
        if limit is not None:
            limit = None, limit[1]
        path = ("C", limit) if rng.random() < 0.5 else ("F", draw_formula(rng), None)
        return Part(wanted_of("R"), path, reward=rng.choice(["time", "fuel"]))
    kind = rng.choice("FFGU")
    path = (kind, draw_formula(rng), limit) if kind != "U" else ("U", draw_formula(rng), draw_formula(rng), limit)
    return Part(wanted_of("P"), path)


def draw_bound(rng, answer, part):
    """Often the best that is possible at all, or a little beyond that."""
    best = answer.best(part, bounded=False)
    if best is None:
        return Fraction(rng.randint(0, 8), 8)
    kind = rng.random()
    step = Fraction(rng.randint(0, 8), 16)
    if part.reward is None:
        far = Fraction(rng.randint(0, 8), 8)
        edge = best
        beyond = best + (step if part.wanted == ">=" else -step)
        value = edge if kind < 0.35 else beyond if kind < 0.5 else far
        return min(max(value, Fraction(0)), Fraction(1))
    return max(Fraction(0), best if kind < 0.35 else best - step if kind < 0.5 else best + rng.randint(0, 3))


# PRISM models with constants, what is minimised on the way to the goal, and bounds.
PRISM = pathlib.Path(__file__).parent.parent.parent / "benchmarks" / "prism"
PRISM_MODELS = [
    ("power_manager", "N=5", "energy", {"time": 18, "lost": 0.2}),
    ("rover", "N=3,B=12", "time", {"energy": 20, "lost": 8}),
    ("jobs", "N=2", "time", {"energy": 16}),
    ("network", "N=3,K=2", "time", {"credits": 1, "dropped": 0.05}),
    ("uav", "N=4", "time", {"risk": 0.1, "workload": 2}),
    ("team", "N=2", "time", {"effort": 25, "dropped": 0.5}),
    ("maintenance", "N=4,D=3", "time", {"money": 8, "bad": 0.2}),
]


class Properties(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.model = pathlib.Path(folder.name) / "model.json"
        self.policy = pathlib.Path(folder.name) / "policy.json"

    def carl(self, command, *arguments, status):
        result = subprocess.run([CARL, command, self.model, *map(str, arguments)], capture_output=True, text=True,
                                check=False)
        self.assertIn(result.returncode, status, f"{command} {arguments}\n{self.model.read_text(encoding='utf-8')}\n"
                                                 f"{result.stdout}{result.stderr}")
        return result

    def draw(self, rng, optimised=None):
        model = draw_model(rng)
        if optimised is None:
            optimised = 0 if rng.random() < 0.3 else 1
        bounds = rng.choice([[1, 1, 2, 3], [0, 1, 1, 2, 3], [0, 0, 1], [0]][optimised])
        parts = [draw_part(rng, lambda kind: rng.choice(["<=", ">="]) if kind == "P" else "<=") for _ in range(bounds)]
        for _ in range(optimised):
            wanted = draw_part(rng, lambda kind: rng.choice(["min", "max"]) if kind == "P" else "min")
            parts.insert(rng.randint(0, len(parts)), wanted)
        unbounded = Answer(model, parts)
        for part in parts:
            if part.wanted in ("<=", ">="):
                part.bound = Fraction(float(draw_bound(rng, unbounded, part)))
        return model, parts

    def compare(self, number):
        rng = random.Random(f"property {number}")
        model, parts = self.draw(rng)
        optimised = next((p for p in parts if p.bound is None), None)
        answer = Answer(model, parts)
        text = parts[0].text() if len(parts) == 1 and optimised else f"multi({', '.join(p.text() for p in parts)})"
        self.model.write_text(json.dumps(model), encoding="utf-8")
        options = ["--property", text]
        result = self.carl("solve", *options, "--gap", "1e-7", "--json", "-", "--policy", self.policy,
                           status=[0, 10, 11])
        with self.subTest(number=number, model=json.dumps(model), property=text):
            # Bounds at the edge are met within a tolerance.
            strict = answer.best(optimised)
            loose = answer.best(optimised, relax=Fraction(1, 10**7))
            if result.returncode != 0:
                self.assertIsNone(strict, "there is a policy")
                if answer.best(optimised, bounded=False) is None:
                    self.assertIn(result.returncode, (10, 11))
                    return "infinite"
                self.assertEqual(result.returncode, 10)
                return "infeasible"
            self.assertIsNotNone(loose, "there is no policy")
            self.carl("check", self.policy, *options, status=[0])
            found = json.loads(result.stdout)["property"]["objectives"]
            for objective in found:
                if objective["sense"] == ">=":
                    self.assertGreaterEqual(objective["value"], objective["bound"] - 1e-7)
                if objective["sense"] == "<=":
                    self.assertLessEqual(objective["value"], objective["bound"] * (1 + 1e-7) + 1e-7)
            if optimised is None:
                return "achieved"
            best = next(o for o in found if o["sense"] in ("min", "max"))["value"]
            near = [float(v) for v in (strict, loose) if v is not None]
            self.assertLessEqual(best, max(near) + 1e-5 * (1 + abs(max(near))))
            self.assertGreaterEqual(best, min(near) - 1e-5 * (1 + abs(min(near))))
            return "optimised"

    def compare_front(self, number):
        """For any weights the best vertex is as good as the best policy."""
        rng = random.Random(f"front {number}")
        model, parts = self.draw(rng, rng.choice([2, 2, 3]))
        wanted = [p for p in parts if p.bound is None]
        answer = Answer(model, parts)
        text = f"multi({', '.join(p.text() for p in parts)})"
        self.model.write_text(json.dumps(model), encoding="utf-8")
        result = self.carl("pareto", "--property", text, "--gap", "1e-6", "--json", "-", status=[0, 10, 11])
        with self.subTest(number=number, model=json.dumps(model), property=text):
            signs = [(-1 if p.wanted == "max" else 1) * (p.bound is None) for p in parts]
            if result.returncode != 0:
                self.assertIsNone(answer.least(signs), "there is a policy")
                return False
            front = json.loads(result.stdout)
            self.assertIsNotNone(answer.least(signs, relax=Fraction(1, 10**7)), "there is no policy")
            for _ in range(4):
                weights = [rng.choice([0, 1, 1, 2, 5, 10]) for _ in wanted]
                least = min(self.weighted(wanted, weights, vertex["costs"], front["costs"])
                            for vertex in front["vertices"])
                by_part = iter(weights)
                full = [sign * (next(by_part) if sign else 0) for sign in signs]
                near = [float(v) for v in (answer.least(full), answer.least(full, relax=Fraction(1, 10**7)))
                        if v is not None]
                self.assertLessEqual(least, max(near) + 1e-4 * (1 + abs(max(near))))
                self.assertGreaterEqual(least, min(near) - 1e-4 * (1 + abs(min(near))))
        return True

    @staticmethod
    def weighted(wanted, weights, costs, names):
        """Costs of a front are probabilities of the contrary where that is asked to be large."""
        total = 0
        for part, weight, name in zip(wanted, weights, names):
            total += weight * (costs[name] - 1 if part.wanted == "max" else costs[name])
        return total

    def answer(self, *arguments):
        result = self.carl("solve", *arguments, "--gap", "1e-7", "--quiet", "--json", "-", status=[0, 10, 11])
        return json.loads(result.stdout).get("objective") if result.returncode == 0 else result.returncode

    def same(self, first, second):
        if isinstance(first, int) or isinstance(second, int):
            self.assertEqual(first, second)
        else:
            self.assertAlmostEqual(first, second, delta=1e-5 * (1 + abs(first)))

    def test_prism_models(self):
        """What properties ask of PRISM models is what bounds ask of them, and of the same model state by state."""
        converted = self.model.with_name("converted.json")
        for name, constants, minimised, bounds in PRISM_MODELS:
            with self.subTest(name):
                self.model = PRISM / f"{name}.prism"
                given = ["--const", constants]
                parts = [f'R{{"{minimised}"}}min=? [F "goal"]']
                parts += [f'R{{"{cost}"}}<={bound} [F "goal"]' for cost, bound in bounds.items()]
                plain = self.answer(*given, "--minimise", minimised,
                                    *(f"--bound={cost}={bound}" for cost, bound in bounds.items()))
                self.same(plain, self.answer(*given, "--property", f"multi({', '.join(parts)})"))
                self.carl("convert", *given, "--property", f'multi({parts[0]}, P>=1 [F "goal"])', "--output", converted,
                          status=[0])
                question = f'multi({parts[0]}, R{{"{minimised}"}}<=1000 [C<=5], P>=0.4 [F<=20 "goal"], ' \
                           'P<=0.6 [F<=20 "goal"])'
                here = self.answer(*given, "--property", question)
                self.carl("convert", *given, "--output", converted, status=[0])
                self.model = converted
                self.same(here, self.answer("--property", question))

    def test_fronts(self):
        cases = 60
        found = 0
        for number in range(FIRST, FIRST + max(1, int(cases * SCALE))):
            with self.subTest(number):
                found += self.compare_front(number)
        if SCALE >= 1:
            self.assertGreater(found, cases * SCALE / 3)

    def test_random(self):
        cases = 300
        seen = dict.fromkeys(["optimised", "achieved", "infeasible", "infinite"], 0)
        for number in range(FIRST, FIRST + max(1, int(cases * SCALE))):
            with self.subTest(number):
                kind = None
                kind = self.compare(number)
            if kind is not None:
                seen[kind] += 1
        print(seen)
        if SCALE >= 1:
            self.assertGreater(min(seen.values()), cases * SCALE / 30, seen)


if __name__ == "__main__":
    unittest.main()
