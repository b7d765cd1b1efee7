#!/usr/bin/env python3
"""Guarantees per run, on random models, against brute force over unfolded models (unfolding.py)."""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

import unfolding

CARL = sys.argv.pop(1)
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
SCALE = float(os.environ.get("CARL_TEST_SCALE", "1"))


def carl(*arguments, status):
    result = subprocess.run([CARL, *map(str, arguments)], capture_output=True, text=True, check=False)
    if result.returncode not in status:
        raise AssertionError(f"carl {' '.join(map(str, arguments))}: {result.returncode}\n"
                             f"{result.stdout}{result.stderr}")
    return result


class Guarantees(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def optimum(self, model, options, guarantee):
        """By the planner, with the guarantee on the command line or in the file; None if there is no policy."""
        if guarantee is not None:
            model = dict(model, guarantees=[guarantee])
            options = []
        path = self.folder / "model.json"
        path.write_text(json.dumps(model), encoding="utf-8")
        policy = self.folder / "policy.json"
        result = carl("solve", path, *options, "--gap", "1e-9", "--json", "-", "--policy", policy, status=[0, 10])
        if result.returncode == 10:
            return None
        carl("check", path, policy, *options, status=[0])
        return json.loads(result.stdout)["objective"]

    def other_ways(self, options, expected):
        """The problem as an explicit model, and a certificate for it. The model is that of optimum()."""
        path, converted, proof = (self.folder / name for name in ("model.json", "converted.json", "proof.json"))
        carl("convert", path, *options, "--output", converted, status=[0])
        result = carl("solve", converted, "--gap", "1e-9", "--json", "-", status=[0])
        self.assertAlmostEqual(json.loads(result.stdout)["objective"] / float(expected), 1, delta=1e-6)
        carl("solve", path, *options, "--certificate", proof, status=[0])
        carl("check", path, *options, "--certificate", proof, status=[0])

    def compare(self, kind, brute_force, cases, seed):
        binding = infeasible = 0
        for number in range(max(1, int(cases * SCALE))):
            rng = random.Random(f"{kind} {seed} {number}")
            model = unfolding.draw_model(rng.random(), give_up=number % 3 == 0)
            limit = rng.choice([0, 0.5, 1, 1.25, 2, 3])
            upper = rng.choice([0, 0.05, 0.1, 0.25])
            if kind == "cvar":
                limit, upper = rng.choice([0, 0.5, 0.75, 0.9]), rng.choice([1, 1.5, 2, 3])
            expected = brute_force(model, limit, upper)
            key = {"chance": "probability", "excess": "expected_excess", "cvar": "cvar"}[kind]
            guarantee = None if number % 2 else {
                "cost": "fuel", "level" if kind == "cvar" else "above": limit, key: upper}
            found = self.optimum(model, [f"--{kind}", f"fuel={limit}:{upper}"], guarantee)
            with self.subTest(kind=kind, number=number):
                if expected is None:
                    infeasible += 1
                    self.assertIsNone(found)
                else:
                    self.assertIsNotNone(found)
                    self.assertAlmostEqual(found / float(expected), 1, delta=1e-6)
                    if number % 7 == 0 and kind != "cvar":
                        self.other_ways([] if guarantee else [f"--{kind}", f"fuel={limit}:{upper}"], expected)
                    binding += expected > unfolding.with_excess(model, 0, 1000)
        if SCALE >= 1:  # else there is little to learn from it
            self.assertGreater(binding, cases / 10)
            self.assertGreater(infeasible, 0)

    def test_tasks_that_take_long_enough_for_other_heuristics(self):
        """Which the search of small models never looks at."""
        drone = [EXAMPLES / "drone-delivery" / name for name in ("domain.pddl", "problem.pddl")]
        for options in (["--chance", "battery=34:0.05"], ["--excess", "battery=30:1"], ["--cvar", "battery=0.9:40"]):
            found = []
            for method in ([], ["--algorithm", "lp"], ["--heuristic", "roc"]):
                result = carl("solve", *drone, *options, *method, "--gap", "1e-9", "--json", "-", status=[0, 10])
                found.append(json.loads(result.stdout)["objective"])
            self.assertIsNotNone(found[0])
            self.assertAlmostEqual(found[1] / found[0], 1, delta=1e-7)
            self.assertAlmostEqual(found[2] / found[0], 1, delta=1e-7)

    def test_chance(self):
        self.compare("chance", unfolding.with_chance, 120, 1)

    def test_excess(self):
        self.compare("excess", unfolding.with_excess, 120, 2)

    def test_cvar(self):
        self.compare("cvar", unfolding.with_cvar, 40, 3)


if __name__ == "__main__":
    unittest.main()
