#!/usr/bin/env python3
"""Files as they are in use, with what the standard does not have: read, noted and solved by all commands.

Usage: reading_test.py CARL
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction

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
    "static-chances": ["the initial state is drawn at random"],
    "literal-chances": ["the initial state is drawn at random"],
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


class StaticChances(unittest.TestCase):
    """Probabilities and amounts that are worked out from the problem, against the same written out."""

    def test_same_model(self):
        with tempfile.TemporaryDirectory() as folder:
            models = []
            for name in ("static-chances", "literal-chances"):
                path = pathlib.Path(folder) / f"{name}.json"
                carl("convert", FILES / f"{name}.pddl", "-o", path)
                models.append(json.loads(path.read_text()))
            for model in models:
                model["actions"].sort(key=lambda action: (str(action["state"]), action["name"]))
            self.assertGreater(len(models[0]["actions"]), 20)
            self.assertEqual(*models)  # bit by bit

    def test_same_answers(self):
        for how in ([], ["--algorithm", "lp"], ["--algorithm", "i-dual"], ["--heuristic", "pom"],
                    ["--heuristic", "pdb"], ["--algorithm", "lrtdp", "--heuristic", "lmcut"]):
            costs = [solution(FILES / f"{name}.pddl", *how, "--gap", "1e-9")["costs"]
                     for name in ("static-chances", "literal-chances")]
            self.assertAlmostEqual(costs[0]["hours"], costs[1]["hours"], delta=1e-7)


class RandomChances:
    """A ring of places, with random expressions for probabilities and amounts, worked out here in fractions."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.places = [f"o{i}" for i in range(4)]
        some = [Fraction(n, d) for n, d in ((0, 1), (1, 7), (1, 4), (1, 3), (1, 2), (2, 3), (1, 1), (3, 2), (-1, 5))]
        weights = [2, 5, 5, 5, 5, 5, 2, 0.3, 0.2]
        self.values = {("h",): self.random.choices(some, weights)[0]}
        for x in self.places:
            self.values["f", x] = self.random.choices(some, weights)[0]
            for y in self.places:
                self.values["g", x, y] = self.random.choices(some, weights)[0]
        self.links = [(self.places[i], self.places[(i + self.random.randrange(2, 4)) % 4]) for i in range(4)]
        self.chances = [self.expression(2), self.expression(1)]
        self.amount = self.expression(2)

    def expression(self, depth: int):
        kind = self.random.randrange(4 if depth == 0 else 9)
        if kind < 4:
            return self.random.choice([("f", "?x"), ("f", "?y"), ("g", "?x", "?y"), ("h",), Fraction(1, 4)])
        operator = "+-**/"[kind - 4]
        return (operator, self.expression(depth - 1), self.expression(depth - 1))

    def text(self, expression) -> str:
        if isinstance(expression, (Fraction, str)):
            return str(expression)
        return "(" + " ".join(self.text(part) for part in expression) + ")"

    def value(self, expression, binding) -> Fraction:
        if isinstance(expression, Fraction):
            return expression
        if expression[0] in "+-*/":
            left, right = (self.value(part, binding) for part in expression[1:])
            return {"+": left.__add__, "-": left.__sub__, "*": left.__mul__, "/": left.__truediv__}[expression[0]](right)
        return self.values[(expression[0], *(binding[x] for x in expression[1:]))]

    def is_right(self, x: str, y: str) -> bool:
        try:
            first, second, amount = (self.value(e, {"?x": x, "?y": y}) for e in (*self.chances, self.amount))
        except ZeroDivisionError:
            return False
        # The amount belongs to what happens with the second chance, and to nothing if that is zero.
        return 0 <= first and 0 <= second and first + second <= 1 and (amount >= 0 or second == 0)

    def problem(self) -> str:
        values = " ".join(f"(= ({' '.join(key)}) {value})" for key, value in self.values.items())
        ring = " ".join(f"(next {x} {y})" for x, y in zip(self.places, self.places[1:]))
        links = " ".join(f"(link {x} {y})" for x, y in self.links)
        return f"""
(define (domain ring) (:requirements :probabilistic-effects :fluents)
  (:predicates (at ?x) (next ?x ?y) (link ?x ?y))
  (:functions (c) (h) (f ?x) (g ?x ?y))
  (:action walk :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y))
   :effect (and (not (at ?x)) (at ?y) (increase (c) 3)))
  (:action jump :parameters (?x ?y) :precondition (and (at ?x) (link ?x ?y))
   :effect (and (increase (c) 1)
                (probabilistic {self.text(self.chances[0])} (and (not (at ?x)) (at ?y))
                               {self.text(self.chances[1])} (increase (c) {self.text(self.amount)})))))
(define (problem p) (:domain ring) (:objects {" ".join(self.places)})
  (:init (at o0) {ring} {links} {values}) (:goal (at o3)) (:metric minimize (c)))
"""


class RandomStaticChances(unittest.TestCase):
    def test_right_and_wrong(self):
        right = 0
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "ring.pddl"
            for seed in range(150):
                ring = RandomChances(seed)
                text = ring.problem()
                path.write_text(text)
                wrong = [f"(jump {x} {y})" for x, y in ring.links if not ring.is_right(x, y)]
                with self.subTest(seed=seed):
                    if wrong:
                        said = carl("solve", path, status=2)
                        self.assertTrue(any(f"in {name}" in said for name in wrong), said)
                    else:
                        right += 1
                        best = interpreter.optimum(interpreter.Problem([text]))
                        self.assertAlmostEqual(primary(solution(path, "--gap", "1e-9")), best, delta=1e-6 * best)
        self.assertGreater(right, 40)
        self.assertLess(right, 140)


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
            self.assertIsInstance(json.loads((at / "model.json").read_text())["initial"], dict)
            self.assertIn("note: the initial state is drawn at random", carl("info", at / "model.json"))
            carl("solve", at / "model.json", "--json", at / "result.json", "--policy", at / "policy.json",
                 "--gap", "1e-9")
            self.assertAlmostEqual(json.loads((at / "result.json").read_text())["costs"]["steps"], best)
            said = carl("check", at / "model.json", at / "policy.json", "--result", at / "result.json", "--exact")
            self.assertIn(f"{best:.6g} step", said)
            again = json.loads(carl("simulate", at / "model.json", at / "policy.json", "--json", "-"))
            self.assertEqual(again["steps"], steps)
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
