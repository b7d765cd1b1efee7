"""The same runs on a cluster, which the test starts itself."""
from __future__ import annotations

import subprocess
import unittest

from slurm_cluster import SlurmCluster, missing_programs, started_cluster
from support import HarnessTest

from harness import database

RUNS = ("--rows", "sar(3,2,.75)", "--configs", "carl,carl-paper-lmcut,lp", "--seeds", "4-5",
        "--limit", "5", "--memory", "100")


@unittest.skipIf(missing_programs(), f"not installed: {', '.join(missing_programs())}")
class SlurmTest(HarnessTest):
    def start_cluster(self) -> SlurmCluster:
        return started_cluster(self.enterContext, self.directory)

    def call(self, cluster: SlurmCluster, *arguments: str,
             mode: str = "honest") -> subprocess.CompletedProcess[str]:
        return subprocess.run(self.command(*arguments),
                              env=cluster.environment | {"FAKE_PLANNER": mode},
                              capture_output=True, text=True, check=False, timeout=60)

    def test_submit_and_collect(self) -> None:
        cluster = self.start_cluster()
        submitted = self.call(cluster, *RUNS, "--slurm")
        self.assertEqual(submitted.returncode, 0, submitted.stderr)
        # The cluster takes arrays of 4: six runs need two.
        self.assertRegex(submitted.stdout, r"job \d+: 4 runs\njob \d+: 2 runs\n")
        cluster.wait_for_jobs(60)

        collected = self.call(cluster, "--collect")
        self.assertEqual(collected.returncode, 0, collected.stderr + cluster.logs())
        self.assertIn("6 of 6 runs finished, 6 of them new", collected.stdout)
        records = list(database.read(self.results))
        self.assertEqual(len({r["key"] for r in records}), 6)
        self.assertEqual({(r["status"], r["objective"]) for r in records}, {("optimal", 6.75)})

        self.assertIn("6 of 6 runs finished, 0 of them new", self.call(cluster, "--collect").stdout)
        self.assertIn("known already", self.call(cluster, *RUNS, "--slurm").stdout)
        here = self.call(cluster, *RUNS)
        self.assertIn("6 of 6 runs are known already", here.stderr, "same keys as runs here")

        self.call(cluster, *RUNS, "--slurm", "--fresh", "--jobs", "2", mode="liar")
        cluster.wait_for_jobs(60)
        wrong = self.call(cluster, "--collect")
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("WRONG ANSWER", wrong.stderr)

    def test_without_a_cluster(self) -> None:
        run = self.run_harness(*RUNS, "--slurm", PATH="/nowhere")
        self.assertEqual(run.returncode, 2)
        self.assertIn("there is no scontrol here", run.stderr)


if __name__ == "__main__":
    unittest.main()
