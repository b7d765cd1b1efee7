#!/usr/bin/env python3
"""Kills `carl solve --resume` at random moments and resumes it until it ends: its answer is that of a solve that was
left alone, and its policy holds. A disk that is full costs the checkpoint, not the answer.

Usage: kill_test.py CARL
"""
from __future__ import annotations

import json
import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

CARL = pathlib.Path(sys.argv.pop(1)).resolve()
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
DRONE = [str(EXAMPLES / "drone-delivery" / name) for name in ("domain.pddl", "problem.pddl")]
KILLS = max(5, int(25 * float(os.environ.get("CARL_TEST_SCALE", "1"))))
GAP = 1e-4


def carl(*arguments: str, **options) -> subprocess.CompletedProcess:
    return subprocess.run([str(CARL), *arguments], capture_output=True, text=True, timeout=300, check=False, **options)


class Killed(unittest.TestCase):
    def setUp(self) -> None:
        # pylint: disable-next=consider-using-with
        self.scratch = tempfile.TemporaryDirectory(prefix="carl-kill-")
        self.folder = pathlib.Path(self.scratch.name)

    def tearDown(self) -> None:
        self.scratch.cleanup()

    def solve(self, *arguments: str, name: str = "result.json") -> dict:
        path = self.folder / name
        ended = carl("solve", *arguments, "--quiet", "--json", str(path))
        self.assertIn(ended.returncode, (0, 10), ended.stderr)
        return json.loads(path.read_text())

    def kill_and_resume(self, model: list[str], seed: int) -> int:
        """How many runs were killed before one came to an end by itself."""
        start = time.monotonic()
        expected = self.solve(*model, name="alone.json")
        alone = time.monotonic() - start
        chance = random.Random(seed)
        checkpoint = self.folder / "checkpoint"
        policy = self.folder / "policy.json"
        command = [str(CARL), "solve", *model, "--quiet", "--resume", str(checkpoint), "--json",
                   str(self.folder / "result.json"), "--policy", str(policy)]
        killed = 0
        answers = 0
        while killed < KILLS:
            with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
                try:
                    process.wait(chance.uniform(0, 0.6 * alone))
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGKILL)
                    killed += 1
                    process.wait()
                    if (checkpoint / "checkpoint.json").exists():
                        saved = json.loads((checkpoint / "checkpoint.json").read_text())
                        # Nothing that was learnt is lost.
                        self.assertGreaterEqual(len(saved["calls"]), answers)
                        answers = len(saved["calls"])
                    continue
                self.assertIn(process.returncode, (0, 10), process.stderr.read())
                break
        found = self.solve(*model, "--resume", str(checkpoint), "--policy", str(policy))
        self.assertEqual(found["status"], expected["status"])
        if expected["status"] != "optimal":
            return killed
        self.assertAlmostEqual(found["objective"] / expected["objective"], 1, delta=2 * GAP)
        self.assertLessEqual(found["lower_bound"], expected["objective"] * (1 + 1e-9))
        checked = carl("check", *model, str(policy), "--result", str(self.folder / "result.json"))
        self.assertEqual(checked.returncode, 0, checked.stdout)
        return killed

    def test_a_factored_problem(self) -> None:
        model = self.folder / "problem.pddl"
        parameters = [word for name in "ndc" for word in ("--param", f"{name}=5")]
        model.write_text(carl("generate", "ctw", *parameters, "--seed", "1").stdout)
        self.assertGreater(self.kill_and_resume([str(model)], 1), 0)

    def test_an_explicit_model(self) -> None:
        model = self.folder / "grid.umb"
        self.assertEqual(carl("generate", "grid", "60", "-o", str(model)).returncode, 0)
        self.assertGreater(self.kill_and_resume([str(model)], 2), 0)

    def test_an_infeasible_problem(self) -> None:
        self.kill_and_resume([*DRONE, "--bound", "battery=1"], 3)

    def test_a_full_disk_costs_the_checkpoint_alone(self) -> None:
        expected = self.solve(*DRONE, name="alone.json")

        def small_files() -> None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1500, 1500))

        checkpoint = str(self.folder / "checkpoint")
        ended = carl("solve", *DRONE, "--checkpoint", checkpoint, "--verbose", preexec_fn=small_files)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("not in the checkpoint: cannot write", ended.stdout)
        # What is there is whole, and goes on when there is room again.
        found = self.solve(*DRONE, "--resume", checkpoint)
        self.assertAlmostEqual(found["objective"], expected["objective"], delta=1e-6)
        again = self.solve(*DRONE, "--resume", checkpoint)
        self.assertEqual(again["statistics"]["scalarised_ssps"], 0)

    def test_what_can_be_read_but_once_has_none(self) -> None:
        ended = carl("solve", "-", "--checkpoint", str(self.folder / "checkpoint"),
                     input=pathlib.Path(DRONE[0]).read_text() + pathlib.Path(DRONE[1]).read_text())
        self.assertEqual(ended.returncode, 2)
        self.assertIn("standard input", ended.stderr)

    def test_other_files_and_other_questions_are_other_problems(self) -> None:
        checkpoint = str(self.folder / "checkpoint")
        self.solve(*DRONE, "--checkpoint", checkpoint)
        other = self.folder / "other.pddl"
        other.write_text(pathlib.Path(DRONE[1]).read_text() + "\n; another problem, as far as one can tell\n")
        for arguments in ([DRONE[0], str(other)], [*DRONE, "--bound", "risk=5"], [*DRONE, "--give-up", "time=90"],
                          [*DRONE, "--minimise", "risk"]):
            ended = carl("solve", *arguments, "--resume", checkpoint)
            self.assertEqual(ended.returncode, 2, arguments)
            self.assertIn("another problem", ended.stderr)


if __name__ == "__main__":
    unittest.main()
