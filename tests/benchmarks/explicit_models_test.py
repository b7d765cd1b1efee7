"""The explicit models are what their descriptions say, and the planner reads them."""
from __future__ import annotations

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
from typing import Any

from support import BENCHMARKS, PLANNER

from harness.explicit_models import MODELS, ExplicitModel, grid, queue, sparse, walk
from harness.instances import EXPLICIT_ROWS, Instance


def parsed(model: ExplicitModel) -> dict[str, Any]:
    found: dict[str, Any] = json.loads("".join(model.lines()))
    return found


def optimum(model: ExplicitModel, *options: str) -> float:
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.json"
        path.write_text("".join(model.lines()))
        run = subprocess.run([PLANNER, "solve", path, "--quiet", "--json", "-", *options],
                             capture_output=True, text=True, check=True)
    return float(json.loads(run.stdout)["objective"])


class ModelTest(unittest.TestCase):
    def assert_sound(self, model: dict[str, Any]) -> None:
        states = {str(action["state"]) for action in model["actions"]}
        ends = states | set(map(str, model["goals"]))
        self.assertIn(str(model["initial"]), states)
        self.assertLessEqual(set(model["bounds"]), set(model["costs"][1:]))
        for action in model["actions"]:
            self.assertAlmostEqual(sum(action["outcomes"].values()), 1, places=12)
            self.assertGreater(min(action["outcomes"].values()), 0)
            self.assertLessEqual(set(action["outcomes"]), ends)
            self.assertEqual(len(action["cost"]), len(model["costs"]))

    def test_all_kinds(self) -> None:
        for model in (queue(3, 6000, 50), walk(7, 3), grid(6), sparse(300, 9, 1)):
            self.assert_sound(parsed(model))

    def test_sizes(self) -> None:
        def states(model: ExplicitModel) -> int:
            return len({str(action["state"]) for action in parsed(model)["actions"]})

        # 3 modes, and per length: decide, switch to each of 3, arrive, serve; lose.
        self.assertEqual(states(queue(3, 6000, 50)), 3 * (4 * 6 + 1))
        self.assertEqual(states(walk(1000, 2000)), 999)
        self.assertEqual(states(grid(10)), 99)
        self.assertEqual(states(sparse(300, 9, 1)), 297)

    def test_a_seed_makes_a_model(self) -> None:
        self.assertEqual(parsed(sparse(300, 9, 1)), parsed(sparse(300, 9, 1)))
        self.assertNotEqual(parsed(sparse(300, 9, 1)), parsed(sparse(300, 9, 2)))

    def test_rows_are_of_models_and_have_files_of_their_own(self) -> None:
        instances = [Instance(row, 1) for row in EXPLICIT_ROWS]
        self.assertTrue(all(i.row.domain in MODELS and i.row.is_explicit for i in instances))
        self.assertEqual(len({i.file_name for i in instances}), len(instances))
        self.assertTrue(all(i.file_name.endswith(".json") and i.edition for i in instances))


class OptimumTest(unittest.TestCase):
    def test_walk_without_effort(self) -> None:
        # From place k to the next one takes 2(k + 1) steps.
        self.assertAlmostEqual(optimum(walk(11, 0), "--gap", "1e-9"), 110, places=4)

    def test_walk_with_enough_effort(self) -> None:
        steps, one_further = 0.0, 0.0
        for _ in range(10):
            one_further = (1 + 0.4 * one_further) / 0.6
            steps += one_further
        self.assertAlmostEqual(optimum(walk(11, 1000), "--gap", "1e-9"), steps, places=4)

    def test_queue_that_may_lose_everything_is_switched_off(self) -> None:
        # E = 1/2 (5/2 + (1 - 1/6000) E): it takes effect with probability 1/2 in each step.
        self.assertAlmostEqual(optimum(queue(3, 6000, 1000), "--gap", "1e-9"),
                               1.25 / (0.5 + 0.5 / 6000), places=6)

    def test_algorithms_agree(self) -> None:
        for model in (queue(2, 100, 1), grid(8), sparse(300, 15, 1)):
            exact = optimum(model, "--algorithm", "lp")
            self.assertAlmostEqual(optimum(model, "--gap", "1e-9") / exact, 1, places=7)


class CommandTest(unittest.TestCase):
    def call(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, BENCHMARKS / "model", *arguments],
                              capture_output=True, text=True, check=False)

    def test_it_writes_what_rows_have(self) -> None:
        run = self.call("queue", "3", "6000", "50")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stdout, "".join(queue(3, 6000, 50).lines()))

    def test_bad_usage(self) -> None:
        for arguments, pattern in ((("cube", "3"), "invalid choice"), ((), "required"),
                                   (("grid", "1"), "not a whole number of 2 or more"),
                                   (("walk", "9", "x"), "not a whole number")):
            run = self.call(*arguments)
            self.assertEqual(run.returncode, 2)
            self.assertIn(pattern, run.stderr)
            self.assertNotIn("Traceback", run.stderr)


if __name__ == "__main__":
    unittest.main()
