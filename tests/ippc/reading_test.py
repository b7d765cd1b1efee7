#!/usr/bin/env python3
"""Files as they are in use, with what the standard does not have: read, noted and solved by all commands.

Usage: reading_test.py CARL
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import interpreter

FILES = pathlib.Path(__file__).resolve().parent / "files"
CARL = ""

# What `carl info` says of the file, beyond its sizes.
NOTES = {
    "bare-fact": ["read as if in parentheses: dead"],
    "bare-reward": ["read as if in parentheses: reward", "':goal-reward' makes no difference"],
    "dash-type": [],
    "drawn-init": ["read as if in parentheses: tired", "the initial state is drawn at random"],
    "no-init": ["there is no ':init'"],
    "keyword-names": [],
    "supertype": ["types that are declared by having subtypes, and not by themselves: locatable"],
    "static-comparison": [],
}


def carl(*arguments, status: int = 0) -> str:
    done = subprocess.run([CARL, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != status:
        raise AssertionError(f"carl {arguments}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def solution(*arguments) -> dict:
    return json.loads(carl("solve", *arguments, "--json", "-"))


def primary(result: dict) -> float:
    return next(iter(result["costs"].values()))


class Files(unittest.TestCase):
    def test_all_are_here(self):
        self.assertEqual({path.stem for path in FILES.glob("*.pddl")}, {*NOTES, "two-problems"})

    def test_optima_and_notes(self):
        for name, notes in NOTES.items():
            with self.subTest(name):
                path = FILES / f"{name}.pddl"
                best = interpreter.optimum(interpreter.Problem([path.read_text()]))
                for algorithm in ("carl", "lp", "i2-dual"):
                    found = primary(solution(path, "--algorithm", algorithm, "--gap", "1e-9"))
                    self.assertAlmostEqual(found, best, delta=1e-6 * max(1, best))
                info = carl("info", path)
                self.assertEqual(info.count("note: "), len(notes) + info.count("is minimised"), info)
                for note in notes:
                    self.assertIn(f"note: {note}", info)


class Problems(unittest.TestCase):
    """--problem, by every command that reads a model."""

    path = FILES / "two-problems.pddl"

    def test_must_be_named(self):
        said = carl("info", self.path, status=2)
        self.assertIn("there are 2 problems to choose from", said)
        self.assertIn("--problem NAME: p1, p2", said)
        self.assertIn("--problem: there is no problem named 'p3'", carl("solve", self.path, "--problem", "p3", status=2))

    def test_every_command(self):
        with tempfile.TemporaryDirectory() as folder:
            at = pathlib.Path(folder)
            for name, best in (("p1", 1), ("P2", 4)):
                chosen = [self.path, "--problem", name]
                carl("info", *chosen)
                carl("solve", *chosen, "--json", at / "result.json", "--policy", at / "policy.json",
                     "--certificate", at / "proof.json")
                self.assertEqual(primary(json.loads((at / "result.json").read_text())), best)
                carl("check", *chosen, at / "policy.json", "--result", at / "result.json")
                carl("check", *chosen, "--certificate", at / "proof.json")
                simulated = json.loads(carl("simulate", *chosen, at / "policy.json", "--json", "-"))
                self.assertEqual(simulated["costs"][0]["mean"], best)
                self.assertIn(f"{best}", carl("sweep", *chosen, "--bound", "time=5:6:1", "--csv", "-"))
                carl("report", *chosen, "-o", at / "page.html")
                carl("convert", *chosen, "-o", at / "model.json")
                self.assertEqual(primary(solution(at / "model.json")), best)
                said = carl("info", at / "model.json", "--problem", name, status=2)
                self.assertIn("--problem: an explicit model has no problems to choose from", said)


class DrawnStart(unittest.TestCase):
    """An initial distribution, through everything that can be done with a problem."""

    path = FILES / "drawn-init.pddl"

    def test_every_command(self):
        best = interpreter.optimum(interpreter.Problem([self.path.read_text()]))
        with tempfile.TemporaryDirectory() as folder:
            at = pathlib.Path(folder)
            carl("solve", self.path, "--json", at / "result.json", "--policy", at / "policy.json",
                 "--certificate", at / "proof.json", "--gap", "1e-9")
            result = json.loads((at / "result.json").read_text())
            self.assertAlmostEqual(result["costs"]["steps"], best)
            policy = (at / "policy.json").read_text()
            self.assertIn("(initial state: not drawn yet)", policy)
            self.assertIn("(draw the initial state)", policy)
            said = carl("check", self.path, at / "policy.json", "--result", at / "result.json", "--exact")
            self.assertIn(f"{best:.6g} step", said)  # the draw is none
            carl("check", self.path, "--certificate", at / "proof.json")
            simulated = json.loads(carl("simulate", self.path, at / "policy.json", "--json", "-"))
            counted, steps = simulated["costs"][0], simulated["steps"]
            self.assertEqual(counted["cost"], "steps")
            self.assertAlmostEqual(counted["exact"], steps["exact"])
            self.assertEqual([counted[key] for key in ("mean", "min", "median", "max")],
                             [steps[key] for key in ("mean", "min", "median", "max")])
            trace = carl("simulate", self.path, at / "policy.json", "--trace")
            self.assertIn("in (initial state: not drawn yet)\n     0  (draw the initial state)", trace)
            carl("report", self.path, "-o", at / "page.html")
            carl("convert", self.path, "-o", at / "model.json")
            self.assertAlmostEqual(solution(at / "model.json", "--gap", "1e-9")["costs"]["steps"], best)
            carl("convert", self.path, "-o", at / "model.lp")

    def test_bounds(self):
        bounded = ["--bound", "effort=2.4"]
        costs = [solution(self.path, *bounded, "--algorithm", algorithm, "--gap", "1e-9")["costs"]
                 for algorithm in ("carl", "lp", "i-dual", "i2-dual")]
        for other in costs:
            self.assertAlmostEqual(other["steps"], costs[0]["steps"])
            self.assertLessEqual(other["effort"], 2.4 + 1e-6)

    def test_nothing_may_be_spent(self):
        # The draw itself costs no step; what is drawn is no goal, so one has to give up.
        said = solution(self.path, "--bound", "steps=0", "--give-up", "effort=1")
        self.assertEqual(said["costs"], {"steps": 0, "effort": 1})
        carl("solve", self.path, "--bound", "steps=0", status=10)


if __name__ == "__main__":
    CARL = sys.argv.pop(1)
    unittest.main()
