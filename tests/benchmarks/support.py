"""What the tests share: where things are, and how to call the harness."""
from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
BENCHMARKS = HERE.parent.parent / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

PLANNER = pathlib.Path(os.environ.get("CARL", BENCHMARKS.parent / "build/release/carl"))
"""The real one; CTest says where it is."""


class HarnessTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.directory = pathlib.Path(folder.name)
        self.results = self.directory / "results.jsonl"
        # Started by this very interpreter, without the detours that `python3` may be.
        text = (HERE / "fake_planner.py").read_text()
        self.fake_planner = self.directory / "carl"
        self.fake_planner.write_text(f"#!{sys.executable} -IS\n{text}")
        self.fake_planner.chmod(0o755)

    def command(self, *arguments: str, planner: pathlib.Path | None = None) -> list[str]:
        return [sys.executable, str(BENCHMARKS / "run"), "--results", str(self.directory),
                "--planner", str(planner or self.fake_planner), *arguments]

    def environment(self, mode: str = "honest", **more: str) -> dict[str, str]:
        return dict(os.environ, FAKE_PLANNER=mode, **more)

    def run_harness(self, *arguments: str, mode: str = "honest",
                    planner: pathlib.Path | None = None,
                    **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(self.command(*arguments, planner=planner),
                              env=self.environment(mode, **more), capture_output=True, text=True,
                              check=False, timeout=120)
