#!/usr/bin/env python3
"""What is wrong with a checkpoint or with a policy in parts is said, with exit status 2: by files that were written by
the planner and then changed, their checksums made right again.

Usage: errors_test.py CARL [CARL-MPI]
"""
from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from typing import Callable

from support import DRONE, TREATMENT, carl, fnv1a

CARL_MPI = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else None
RANKS = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
         "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1"}


def write_checkpoint(checkpoint: dict, path: pathlib.Path) -> None:
    rest = {key: value for key, value in checkpoint.items() if key != "checksum"}
    before = json.dumps(rest)[:-1]
    path.write_text(before + ',\n  "checksum": "' + fnv1a(before.encode()) + '"\n}\n')


def joined(text: str) -> str:
    return " ".join(text.split())


class ErrorsTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="carl-errors-")))

    def expect(self, message: str, *arguments: str, text: str = "") -> None:
        ended = carl(*arguments, text=text)
        self.assertEqual(ended.returncode, 2, ended.stdout + ended.stderr)
        self.assertIn(re.sub("`(.*?)`", r"--\1", message), joined(ended.stderr))

    def expect_of_ranks(self, message: str, *arguments: str) -> None:
        ended = subprocess.run(["mpirun", "-n", "2", str(CARL_MPI), *arguments], env=RANKS, capture_output=True,
                               text=True, timeout=120, check=False)
        self.assertEqual(ended.returncode, 2, ended.stdout + ended.stderr)
        self.assertIn(message, joined(ended.stderr))


class Options(ErrorsTest):
    @unittest.skipIf(CARL_MPI is None, "without carl-mpi")
    def test_what_ranks_print_goes_to_files(self) -> None:
        ended = subprocess.run(["mpirun", "-n", "2", str(CARL_MPI), "solve", *DRONE], env=RANKS, capture_output=True,
                               text=True, timeout=120, check=False)
        self.assertIn("Optimal: time", ended.stdout)
        self.assertNotIn("\x1b", ended.stdout)

    def test_what_has_no_checkpoints(self) -> None:
        kept = ["--checkpoint", str(self.folder / "kept")]
        solve = ["solve", *DRONE, *kept]
        self.expect("checkpoints are for `algorithm carl` alone", *solve, "--algorithm", "lp")
        self.expect("coordinate search needs more than checkpoints hold", *solve, "--outer", "coordinate")
        self.expect("there are no checkpoints of `deterministic`", *solve, "--deterministic")
        self.expect("C-ROC proves nothing that a checkpoint could hold", *solve, "--heuristic", "roc",
                    "--heuristic-mode", "c-roc")
        self.expect("there are no checkpoints of problems with bounds on CVaR: they are many", *solve, "--cvar",
                    "battery=0.9:60")
        self.expect("' is no file that can be read again when a solve is resumed", "solve", "-", *kept,
                    text=pathlib.Path(TREATMENT[0]).read_text())

    def test_folders(self) -> None:
        kept = self.folder / "kept"
        self.assertEqual(carl("solve", *DRONE, "--quiet", "--checkpoint", str(kept)).returncode, 0)
        self.expect("there is a checkpoint in '", "solve", *DRONE, "--checkpoint", str(kept))
        self.expect("' is of another problem", "solve", *DRONE, "--bound", "battery=29", "--resume", str(kept))
        holder = "import fcntl, sys; f = open(sys.argv[1]); fcntl.flock(f, fcntl.LOCK_EX); print(flush=True); input()"
        with subprocess.Popen([sys.executable, "-c", holder, str(kept / "lock")], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as other:
            other.stdout.readline()
            for solve in (self.expect, self.expect_of_ranks) if CARL_MPI else (self.expect,):
                solve(f"another process is at work on the checkpoint in '{kept}' hint: wait until it has ended, or "
                      "choose another folder", "solve", *DRONE, "--resume", str(kept))
            other.kill()
        # What a killed process has left does not count.
        self.assertEqual(carl("solve", *DRONE, "--quiet", "--resume", str(kept)).returncode, 0)
        (self.folder / "file").write_text("")
        self.expect("cannot make the folder '", "solve", *DRONE, "--checkpoint", str(self.folder / "file" / "kept"))


class Checkpoints(ErrorsTest):
    def setUp(self) -> None:
        super().setUp()
        self.kept = self.folder / "kept"
        self.assertEqual(carl("solve", *DRONE, "--quiet", "--checkpoint", str(self.kept)).returncode, 0)
        self.file = self.kept / "checkpoint.json"
        self.text = self.file.read_text()

    def expect_of(self, message: str, change: Callable[[dict], None]) -> None:
        checkpoint = json.loads(self.text)
        change(checkpoint)
        write_checkpoint(checkpoint, self.file)
        self.expect(message, "solve", *DRONE, "--resume", str(self.kept))

    def test_changed(self) -> None:
        def change(keys: list[object], value: object) -> Callable[[dict], None]:
            def apply(checkpoint: dict) -> None:
                at = checkpoint
                for key in keys[:-1]:
                    at = at[key]
                at[keys[-1]] = value
            return apply

        self.expect_of("a checksum has 16 hexadecimal digits", change(["problem"], "12"))
        self.expect_of("the file of a policy is beside the checkpoint", change(["policies", 0, "file"], "../policy"))
        self.expect_of("there is no such call", change(["calls", 0, "call"], "answer"))
        self.expect_of("this must be a whole number that is not negative", change(["calls", 0, "policy"], -1))
        self.expect_of("' contradicts itself", change(["calls", 0, "policy"], 7))

    def test_cut_off(self) -> None:
        self.file.write_text(self.text[:len(self.text) // 2])
        self.expect("the checkpoint '", "solve", *DRONE, "--resume", str(self.kept))

class PoliciesOfCheckpoints(ErrorsTest):
    """A checkpoint of the first answer alone: the solve that goes on needs its policy, which is changed."""

    MODEL = {"format": "cssp", "version": 1, "costs": ["time", "fuel"], "bounds": {"fuel": 2}, "initial": "start",
             "goals": ["goal"],
             "actions": [{"state": "start", "name": "walk", "cost": [9, 0], "outcomes": {"goal": 1}},
                         {"state": "start", "name": "drive", "cost": [1, 3], "outcomes": {"middle": 1}},
                         {"state": "middle", "name": "on", "cost": [1, 3], "outcomes": {"goal": 1}},
                         {"state": "middle", "name": "back", "cost": [5, 0], "outcomes": {"start": 1}}]}

    def setUp(self) -> None:
        super().setUp()
        self.model = self.folder / "model.json"
        self.model.write_text(json.dumps(self.MODEL))
        self.kept = self.folder / "kept"
        self.assertEqual(carl("solve", str(self.model), "--quiet", "--checkpoint", str(self.kept)).returncode, 0)
        self.checkpoint = json.loads((self.kept / "checkpoint.json").read_text())
        self.checkpoint["calls"] = self.checkpoint["calls"][:1]
        self.checkpoint["policies"] = self.checkpoint["policies"][:1]
        write_checkpoint(self.checkpoint, self.kept / "checkpoint.json")
        self.path = self.kept / self.checkpoint["policies"][0]["file"]
        self.policy = json.loads(self.path.read_text())

    def change(self, actions: dict[str, str]) -> None:
        states = [{"state": state, "actions": [{"name": name, "probability": 1}]} for state, name in actions.items()]
        self.path.write_text(json.dumps({**self.policy, "states": states}))

    def expect_of(self, message: str, actions: dict[str, str]) -> None:
        self.change(actions)
        self.expect(message, "solve", str(self.model), "--resume", str(self.kept))

    @unittest.skipIf(CARL_MPI is None, "without carl-mpi")
    def test_ranks_say_so_too(self) -> None:
        for message, actions in (("a policy does in 'start' what cannot be done there for certain", {"start": "fly"}),
                                 ("' is no proper policy of this problem", {"start": "drive", "middle": "back"})):
            self.change(actions)
            self.expect_of_ranks(message, "solve", str(self.model), "--resume", str(self.kept))

    def test_policies_that_are_others(self) -> None:
        self.assertEqual({entry["state"]: entry["actions"][0]["name"] for entry in self.policy["states"]},
                         {"start": "drive", "middle": "on"})
        self.expect_of("' does not say what to do in each state it leads to", {"start": "drive"})
        self.expect_of("' is no proper policy of this problem", {"start": "drive", "middle": "back"})
        self.expect_of("' is not the policy that the checkpoint is about", {"start": "walk"})


class Parts(ErrorsTest):
    def setUp(self) -> None:
        super().setUp()
        whole = self.folder / "whole.json"
        self.assertEqual(carl("solve", *DRONE, "--quiet", "--policy", str(whole)).returncode, 0)
        self.policy = json.loads(whole.read_text())
        self.index = self.folder / "index.json"

    def write(self, change_part: Callable[[dict], None] = lambda _: None,
              change_index: Callable[[dict], None] = lambda _: None) -> None:
        parts = []
        for k in range(2):
            part = {"format": "carl-policy", "version": 1, "costs": self.policy["costs"],
                    "states": self.policy["states"][k::2]}
            if k == 1:
                change_part(part)
            data = json.dumps(part).encode()
            (self.folder / f"part-{k}.json").write_bytes(data)
            parts.append({"file": f"part-{k}.json", "states": len(self.policy["states"][k::2]), "bytes": len(data),
                          "checksum": fnv1a(data)})
        index = {key: value for key, value in self.policy.items() if key != "states"}
        index |= {"format": "carl-policy-parts", "parts": parts}
        change_index(index)
        self.index.write_text(json.dumps(index))

    def expect_of(self, message: str) -> None:
        self.expect(message, "check", *DRONE, str(self.index))

    def test_parts_that_are_others(self) -> None:
        self.write()
        self.assertEqual(carl("check", *DRONE, str(self.index)).returncode, 0)
        (self.folder / "part-0.json").write_bytes((self.folder / "part-1.json").read_bytes())
        self.expect_of("' is not the part that '")
        self.write(lambda part: part.update(facts=["(at home)"]))
        self.expect_of("facts and goals are for the index")
        self.write(lambda part: part["states"].pop())
        self.expect_of("states in place of")

    def test_an_index_that_lies(self) -> None:
        self.write(change_index=lambda index: index.update(parts=[]))
        self.expect_of("' lists no parts")
        self.write(change_index=lambda index: index["parts"][1].update(file="part-0.json"))
        self.expect_of("' is listed twice")
        self.write(change_index=lambda index: index["parts"][1].update(file="../part-1.json"))
        self.expect_of("this is not the name of a file beside the index")
        self.write(change_index=lambda index: index["parts"][1].update(checksum="none"))
        self.expect_of("a checksum has 16 hexadecimal digits")
        self.write()
        self.expect("the index of a policy in parts must be a file, not standard input", "check", *DRONE, "-",
                    text=self.index.read_text())


@unittest.skipIf(CARL_MPI is None, "without carl-mpi")
class Ranks(ErrorsTest):
    def test_models_in_shares(self) -> None:
        model = str(self.folder / "grid.umb")
        self.assertEqual(carl("generate", "grid", "320", "-o", model).returncode, 0)
        solve = ["solve", model, "--gap", "0.5", "--time-limit", "100"]
        self.expect_of_ranks("--policy-all: no process has all of this model", *solve, "--policy-all", "--policy",
                             str(self.folder / "p.json"))
        self.expect_of_ranks("--policy: the policy of a model in shares is written in parts", *solve, "--policy",
                             str(self.folder / "p.csv"))


if __name__ == "__main__":
    unittest.main()
