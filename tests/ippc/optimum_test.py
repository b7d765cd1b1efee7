#!/usr/bin/env python3
"""Domains in the style of the planning competitions (benchmarks/ippc), each compared with an independent optimum.

Usage: optimum_test.py CARL BENCHMARKS/IPPC
"""
import json
import pathlib
import subprocess
import sys
import unittest

import interpreter

CARL = ""
FOLDER = pathlib.Path()

# Domains with dead ends, and what giving up costs there.
PENALTIES = {"schedule": ("steps", 100), "search-and-rescue": ("time", 200), "rectangle-tireworld": ("reward", 500),
             "triangle-tireworld": ("steps", 1000), "ex-blocksworld": ("steps", 100)}
PROBLEMS = {"coffee": "three-offices"}

ALGORITHMS = [["--algorithm", name] for name in ("carl", "lp", "i2-dual", "cg-ilao", "lrtdp", "vi")]
HEURISTICS = [["--heuristic", name, "--heuristic-mode", mode] for name, mode in (
    ("landmarks", "lambda"), ("lmcut", "lambda"), ("lmcut", "ideal-point"), ("roc", "lambda"), ("pom", "lambda"))]


def options(domain: str) -> list[str]:
    result = []
    if domain in PENALTIES:
        cost, penalty = PENALTIES[domain]
        result += ["--give-up", f"{cost}={penalty}"]
    if domain in PROBLEMS:
        result += ["--problem", PROBLEMS[domain]]
    return result


def found(domain: str, how: list[str]) -> float:
    command = [CARL, "solve", FOLDER / domain / "domain.pddl", FOLDER / domain / "small.pddl", *options(domain), *how,
               "--gap", "1e-9", "--json", "-"]
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{command}: {done.stderr}")
    return next(iter(json.loads(done.stdout)["costs"].values()))


class Optimum(unittest.TestCase):
    def test_a_dozen_domains(self):
        domains = sorted(path.name for path in FOLDER.iterdir() if path.is_dir())
        self.assertGreaterEqual(len(domains), 12)
        for domain in domains:
            texts = [(FOLDER / domain / name).read_text() for name in ("domain.pddl", "small.pddl")]
            problem = interpreter.Problem(texts, PROBLEMS.get(domain, ""))
            best = interpreter.optimum(problem, PENALTIES.get(domain, ("", float("inf")))[1])
            for how in [[], *ALGORITHMS, *HEURISTICS]:
                with self.subTest(domain=domain, how=how):
                    self.assertAlmostEqual(found(domain, how), best, delta=1e-6 * max(1, best))


if __name__ == "__main__":
    CARL, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
    del sys.argv[1:3]
    unittest.main()
