#!/usr/bin/env python3
"""Kills a random rank of `carl-mpi solve --resume` at random moments, and resumes on other numbers of ranks until it
ends: the answer is that of `carl`, which can also go on by itself from what the ranks have left.

Usage: kill_ranks_test.py CARL CARL-MPI
"""
from __future__ import annotations

import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

CARL_MPI = pathlib.Path(sys.argv.pop(2)).resolve()
CARL = pathlib.Path(sys.argv.pop(1)).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
MAINTENANCE = [str(ROOT / "benchmarks" / "prism" / "maintenance.prism"), "--const", "N=20,D=8", "--minimise", "time",
               "--bound", "money=25", "--bound", "bad=1"]
DRONE = [str(EXAMPLES / "drone-delivery" / name) for name in ("domain.pddl", "problem.pddl")]
KILLS = max(3, int(12 * float(os.environ.get("CARL_TEST_SCALE", "1"))))
GAP = 1e-4
# More ranks than processors, and containers whose only user is root.
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1", "OMP_NUM_THREADS": "1"}


def run(*command: str) -> subprocess.CompletedProcess:
    return subprocess.run(list(command), capture_output=True, text=True, timeout=300, check=False, env=ENVIRONMENT)


def ranks_of(mpirun: int) -> list[int]:
    """The processes that it has started, in Linux's words."""
    try:
        children = pathlib.Path(f"/proc/{mpirun}/task/{mpirun}/children").read_text().split()
    except OSError:
        return []
    return [int(child) for child in children]


class KilledRanks(unittest.TestCase):
    def setUp(self) -> None:
        # pylint: disable-next=consider-using-with
        self.scratch = tempfile.TemporaryDirectory(prefix="carl-kill-")
        self.folder = pathlib.Path(self.scratch.name)
        self.checkpoint = str(self.folder / "checkpoint")

    def tearDown(self) -> None:
        self.scratch.cleanup()

    def mpirun(self, ranks: int, model: list[str], *more: str) -> list[str]:
        return ["mpirun", "-n", str(ranks), str(CARL_MPI), "solve", *model, "--quiet", "--resume", self.checkpoint,
                *more]

    def result(self, ended: subprocess.CompletedProcess) -> dict:
        self.assertIn(ended.returncode, (0, 10), ended.stderr)
        return json.loads((self.folder / "result.json").read_text())

    def kill_and_resume(self, model: list[str], seed: int, kills: int = KILLS, gap: float = GAP,
                        least: int = 1) -> None:
        """Ranks get more time as long as there are not so many answers: a busy machine is no failure."""
        model = [*model, "--gap", str(gap)]
        result = str(self.folder / "result.json")
        expected = self.result(run(str(CARL), "solve", *model, "--quiet", "--json", result))
        chance = random.Random(seed)
        start = time.monotonic()
        run("mpirun", "-n", "2", str(CARL_MPI), "solve", *model, "--quiet")
        alone = time.monotonic() - start
        answers = killed = 0
        for attempt in range(kills + 10):
            if attempt >= kills and answers >= least:
                break
            with subprocess.Popen(self.mpirun(chance.randint(1, 4), model), stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, env=ENVIRONMENT) as process:
                try:
                    process.wait(chance.uniform(0.3, 1) * alone)
                except subprocess.TimeoutExpired:
                    if ranks := ranks_of(process.pid):
                        os.kill(chance.choice(ranks), signal.SIGKILL)
                        killed += 1
                process.wait(120)  # it ends the other ranks by itself
            saved = pathlib.Path(self.checkpoint) / "checkpoint.json"
            if saved.exists():
                calls = len(json.loads(saved.read_text())["calls"])
                self.assertGreaterEqual(calls, answers)
                answers = calls
            if answers < least:
                alone *= 1.3
        print(f"{self.id()}: {killed} ranks killed, {answers} answers", flush=True)
        self.assertGreaterEqual(answers, least)
        for command in (self.mpirun(chance.randint(1, 4), model, "--json", result),
                        [str(CARL), "solve", *model, "--quiet", "--resume", self.checkpoint, "--json", result]):
            found = self.result(run(*command))
            self.assertEqual(found["status"], expected["status"])
            if expected["status"] == "optimal":
                self.assertAlmostEqual(found["objective"] / expected["objective"], 1, delta=2 * gap)
                self.assertLessEqual(found["lower_bound"], expected["objective"] * (1 + 1e-8))

    def test_an_explicit_model(self) -> None:
        model = self.folder / "grid.umb"
        self.assertEqual(run(str(CARL), "generate", "grid", "50", "-o", str(model)).returncode, 0)
        self.kill_and_resume([str(model)], 1, least=2)

    def test_a_model_read_in_shares(self) -> None:
        """Large enough for that: no rank knows the actions of others."""
        model = str(self.folder / "grid.umb")
        self.assertEqual(run(str(CARL), "generate", "grid", "320", "-o", model).returncode, 0)
        self.kill_and_resume([model], 4, kills=max(2, KILLS // 6), gap=0.1)
        policy, result = self.folder / "policy.json", str(self.folder / "result.json")
        self.result(run(*self.mpirun(3, [model], "--policy", str(policy), "--json", result, "--gap", "0.1")))
        checked = run(str(CARL), "check", model, str(policy), "--result", result, "--gap", "0.1")
        self.assertEqual(checked.returncode, 0, checked.stdout)

    def test_a_factored_problem(self) -> None:
        self.kill_and_resume(DRONE, 2)

    def test_a_prism_program(self) -> None:
        self.kill_and_resume(MAINTENANCE, 5, least=2)

    def test_an_infeasible_problem(self) -> None:
        self.kill_and_resume([*DRONE, "--bound", "battery=1"], 3)

    def test_another_problem_ends_all_ranks(self) -> None:
        self.assertEqual(run(*self.mpirun(2, DRONE)).returncode, 0)
        ended = run(*self.mpirun(3, [*DRONE, "--bound", "risk=5"]))
        self.assertEqual(ended.returncode, 2, ended.stderr)
        self.assertEqual(ended.stderr.count("of another problem"), 1, ended.stderr)

    def test_a_part_that_is_lost_ends_all_ranks(self) -> None:
        self.assertEqual(run(*self.mpirun(2, DRONE)).returncode, 0)
        for part in pathlib.Path(self.checkpoint).glob("policy-*.part-2.json"):
            part.unlink()
        ended = run(*self.mpirun(3, DRONE))
        self.assertEqual(ended.returncode, 2, ended.stderr)
        self.assertIn("part-2.json", ended.stderr)


if __name__ == "__main__":
    unittest.main()
