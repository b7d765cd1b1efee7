#!/usr/bin/env python3
"""carl-mpi on a cluster of one node, which the test starts itself: by srun and by mpirun, killed by the scheduler, and
submitted again.

Usage: slurm_ranks_test.py CARL CARL-MPI
"""
from __future__ import annotations

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "benchmarks"))
# pylint: disable=wrong-import-position
from slurm_cluster import missing_programs, started_cluster, wait_until  # noqa: E402

CARL_MPI = pathlib.Path(sys.argv.pop(2)).resolve()
CARL = pathlib.Path(sys.argv.pop(1)).resolve()
# More ranks than processors, and containers whose only user is root.
RANKS = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_mpi_yield_when_idle": "1",
         "OMP_NUM_THREADS": "1"}


@unittest.skipIf(missing_programs(), f"not installed: {', '.join(missing_programs())}")
class SlurmRanks(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="carl-slurm-")))
        self.cluster = started_cluster(self.enterContext, self.folder)
        self.cluster.environment.update(RANKS)

    def submit(self, tasks: int, line: str, *options: str) -> str:
        script = self.folder / "job.sh"
        script.write_text(f"#!/bin/bash\n#SBATCH --ntasks={tasks}\n{line}\n")
        submitted = subprocess.run(["sbatch", "--parsable", "--output", str(self.folder / "output"), *options,
                                    str(script)], env=self.cluster.environment, capture_output=True, text=True,
                                   check=False, timeout=120)
        output = (self.folder / "output").read_text() if options else ""
        self.assertEqual(submitted.returncode, 0, submitted.stderr + output + self.cluster.logs())
        return submitted.stdout.strip()

    def objective(self, name: str) -> float:
        result = json.loads((self.folder / name).read_text())
        self.assertEqual(result["status"], "optimal")
        return result["objective"]

    def grid(self, size: int) -> str:
        model = str(self.folder / "grid.umb")
        subprocess.run([str(CARL), "generate", "grid", str(size), "-o", model], check=True)
        subprocess.run([str(CARL), "solve", model, "--quiet", "--json", str(self.folder / "alone.json")], check=True)
        return model

    def test_started_by_either(self) -> None:
        model = self.grid(30)
        for ranks, start in ((2, "srun --mpi=pmix"), (3, "mpirun")):
            self.submit(ranks, f"{start} {CARL_MPI} solve {model} --quiet --json {self.folder}/result.json", "--wait")
            self.assertAlmostEqual(self.objective("result.json") / self.objective("alone.json"), 1, delta=2e-4)

    def test_killed_and_submitted_again(self) -> None:
        model = self.grid(100)
        checkpoint = self.folder / "checkpoint"
        line = f"srun --mpi=pmix {CARL_MPI} solve {model} --quiet --resume {checkpoint} --json {self.folder}/result.json"

        def answers() -> int:
            path = checkpoint / "checkpoint.json"
            return len(json.loads(path.read_text())["calls"]) if path.exists() else 0

        job = self.submit(3, line)
        wait_until(lambda: answers() >= 2, 120, "two answers are in the checkpoint")
        self.cluster.call("scancel", "--full", "--signal=KILL", job)
        self.cluster.wait_for_jobs(60)
        before = answers()
        self.assertFalse((self.folder / "result.json").exists())
        self.submit(2, line, "--wait")
        self.assertGreater(answers(), before)
        result = json.loads((self.folder / "result.json").read_text())
        self.assertIn(f"{before} of the answers were in the checkpoint", result["note"])
        self.assertAlmostEqual(self.objective("result.json") / self.objective("alone.json"), 1, delta=2e-4)


if __name__ == "__main__":
    unittest.main()
