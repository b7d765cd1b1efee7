#!/usr/bin/env python3
"""Policies in parts, by a writer that shares nothing with the planner's: every command that takes a policy takes the
index, and says of it what it says of the policy in one file.

Usage: parts_test.py CARL
"""
from __future__ import annotations

import json
import pathlib
import tempfile
import unittest

from support import DRONE, TREATMENT, carl, fnv1a


def split(policy: dict, count: int, index: pathlib.Path) -> None:
    """Every count-th state, so that the order is another one, too."""
    parts = []
    for k in range(count):
        states = policy["states"][k::count]
        path = index.with_name(f"piece {k}.txt")
        data = json.dumps({"format": "carl-policy", "version": 1, "costs": policy["costs"], "states": states}).encode()
        path.write_bytes(data)
        parts.append({"checksum": fnv1a(data), "bytes": len(data), "states": len(states), "file": path.name})
    rest = {key: value for key, value in policy.items() if key not in ("format", "states")}
    index.write_text(json.dumps({**rest, "parts": parts, "format": "carl-policy-parts"}))


class Parts(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="carl-parts-")))
        self.whole = self.folder / "whole.json"
        self.index = self.folder / "index.json"
        self.result = str(self.folder / "result.json")

    def write(self, model: list[str], count: int) -> dict:
        solved = carl("solve", *model, "--quiet", "--policy", str(self.whole), "--json", self.result)
        self.assertEqual(solved.returncode, 0, solved.stderr)
        policy = json.loads(self.whole.read_text())
        split(policy, count, self.index)
        return policy

    def same(self, command: list[str], text: str = "") -> None:
        """POLICY in the command is the policy, in one file or in parts."""
        answers = []
        for path in (self.whole, self.index):
            ended = carl(*[str(path) if word == "POLICY" else word for word in command], text=text)
            self.assertEqual(ended.returncode, 0, ended.stderr)
            answers.append(ended.stdout)
        self.assertTrue(answers[0])
        self.assertEqual(answers[0], answers[1])

    def test_all_commands_take_the_index(self) -> None:
        for model, count in ((DRONE, 4), (TREATMENT, 2), (DRONE, 40)):
            policy = self.write(model, count)
            states = [entry["state"] for entry in policy["states"]]
            lines = "".join((" ".join(s) if isinstance(s, list) else s) + "\n" for s in states)
            self.same(["check", *model, "POLICY"])
            self.same(["simulate", *model, "POLICY", "--runs", "200", "--seed", "3"])
            self.same(["act", "POLICY", "--seed", "2"], lines)
            self.same(["convert", *model, "POLICY", "-o", "/dev/stdout", "--format", "csv"])
            self.same(["explain", *model, self.result, "--policy", "POLICY"])
            self.same(["report", *model, "--policy", "POLICY", "--result", self.result, "-o", "-"])

    def test_a_part_that_is_lost(self) -> None:
        self.write(DRONE, 3)
        (self.folder / "piece 1.txt").unlink()
        for command in (["check", *DRONE, str(self.index)], ["simulate", *DRONE, str(self.index)],
                        ["act", str(self.index)]):
            ended = carl(*command)
            self.assertEqual(ended.returncode, 2)
            self.assertIn("piece 1.txt", ended.stderr)

    def test_an_index_needs_a_folder(self) -> None:
        self.write(DRONE, 3)
        ended = carl("check", *DRONE, "-", text=self.index.read_text())
        self.assertEqual(ended.returncode, 2)
        self.assertIn("not standard input", ended.stderr)


if __name__ == "__main__":
    unittest.main()
