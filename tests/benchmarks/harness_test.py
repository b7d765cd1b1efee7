"""benchmarks/run from outside: limits, bad planners, kills and interruptions."""
from __future__ import annotations

import collections
import json
import os
import pathlib
import random
import signal
import subprocess
import time
import unittest

from support import PLANNER, HarnessTest

from harness import database
from harness.configurations import CONFIGURATIONS
from harness.instances import instance_named
from harness.patience import Patience, Turn
from harness.planner import Task


def is_alive(pid: int) -> bool:
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


class BadPlannerTest(HarnessTest):
    ONE_RUN = ("--rows", "sar(3,2,.75)", "--configs", "carl", "--limit", "5")

    def only_record(self) -> database.Record:
        (record,) = database.read(self.results)
        return record

    def test_an_honest_one_is_believed(self) -> None:
        run = self.run_harness(*self.ONE_RUN)
        self.assertEqual(run.returncode, 0, run.stderr)
        record = self.only_record()
        self.assertEqual((record["status"], record["objective"]), ("optimal", 6.75))
        self.assertEqual(record["statistics"]["scalarised_ssps"], 3)
        self.assertGreater(record["cpu_seconds"], 0)
        self.assertGreater(record["peak_memory_mb"], 1)
        self.assertRegex(record["commit"], r"^([0-9a-f]{10}\+?)?$")

    def test_a_liar_is_caught_by_a_known_optimum(self) -> None:
        run = self.run_harness("--rows", "sar(3,2,.75)", "--configs", "carl-paper-lmcut",
                               mode="liar")
        self.assertEqual(run.returncode, 1)
        self.assertIn("WRONG ANSWER: carl-paper-lmcut on sar(3,2,.75)#1: its cost 6.5 is below "
                      "the known optimum 6.75", run.stderr)

    def test_a_liar_is_caught_by_another_planner(self) -> None:
        run = self.run_harness("--rows", "sar(5,4,.75)", "--configs", "carl,carl-paper-lmcut",
                               mode="liar")
        self.assertEqual(run.returncode, 1)
        self.assertIn("WRONG ANSWER: carl on sar(5,4,.75)#1 has a lower bound of 6.75, but "
                      "carl-paper-lmcut on sar(5,4,.75)#1 has a policy of cost 6.5", run.stderr)
        self.assertEqual(self.run_harness("--rows", "sar(5,4,.75)", "--configs",
                                          "carl,carl-paper-lmcut").returncode, 1,
                         "and again when nothing is left to run")

    def test_one_that_ignores_its_time_limit_is_killed_with_its_children(self) -> None:
        pids = self.directory / "pids"
        run = self.run_harness("--rows", "sar(3,2,.75)", "--configs", "carl", "--limit", "0.3",
                               "--grace", "0.3", mode="sleeper", FAKE_PLANNER_PIDS=str(pids))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(self.only_record()["status"], "killed")
        for pid in map(int, pids.read_text().split()):
            self.assertFalse(is_alive(pid))

    def test_a_limit_on_cpu_time(self) -> None:
        arguments = ("--rows", "sar(3,2,.75)", "--configs", "carl", "--limit", "0.5", "--cpu-time")
        run = self.run_harness(*arguments, mode="worker")
        self.assertEqual(run.returncode, 0, run.stderr)
        record = self.only_record()
        self.assertEqual((record["status"], record["lower_bound"]), ("limit", 1.5))
        self.assertIn("CPU time", record["note"])
        self.assertGreaterEqual(record["cpu_seconds"], 0.5)

    def test_one_that_wants_too_much_memory_does_not_get_it(self) -> None:
        self.run_harness(*self.ONE_RUN, "--memory", "100", mode="hog")
        record = self.only_record()
        self.assertEqual(record["status"], "out-of-memory", record)
        self.assertLess(record["peak_memory_mb"], 800)

    def test_one_that_crashes_is_an_error(self) -> None:
        run = self.run_harness(*self.ONE_RUN, mode="crash")
        self.assertEqual(run.returncode, 1)
        self.assertIn("ERROR: carl: crashed, first on sar(3,2,.75)#1: signal 11", run.stderr)

    def test_one_that_writes_garbage_is_an_error(self) -> None:
        self.assertEqual(self.run_harness(*self.ONE_RUN, mode="garbage").returncode, 1)
        self.assertEqual(self.only_record()["status"], "crashed")

    def test_one_that_does_not_know_the_algorithm_is_an_error_of_the_configuration(self) -> None:
        run = self.run_harness(*self.ONE_RUN, mode="old")
        self.assertEqual(run.returncode, 1)
        self.assertIn("ERROR: carl: unsupported, first on sar(3,2,.75)#1: "
                      "--algorithm: i-dual not in {carl}", run.stderr)

    def test_none_at_all(self) -> None:
        run = self.run_harness(*self.ONE_RUN, planner=self.directory / "nothing")
        self.assertEqual(run.returncode, 2)
        self.assertIn("No such file", run.stderr)
        self.assertNotIn("Traceback", run.stderr)


class UsageTest(HarnessTest):
    def assert_usage_error(self, pattern: str, *arguments: str) -> None:
        run = self.run_harness(*arguments)
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertRegex(run.stderr, pattern)
        self.assertNotIn("Traceback", run.stderr)

    def test_bad_usage(self) -> None:
        self.assert_usage_error("name a set or --rows")
        self.assert_usage_error("no row matches 'zar", "--rows", "zar*")
        self.assert_usage_error("no row matches", "medium", "--rows", "ctw-q*")
        self.assert_usage_error("no configuration named 'x'; there are carl,", "quick",
                                "--configs", "carl,x")
        self.assert_usage_error("smaller one first", "quick", "--seeds", "5-2")
        self.assert_usage_error("not like 3 or 1-30", "quick", "--seeds", "a")
        self.assert_usage_error("number of seconds", "quick", "--limit", "-1")
        self.assert_usage_error("whole number", "quick", "--jobs", "0")
        self.assert_usage_error("invalid choice", "huge")
        self.assert_usage_error("no results of submitted runs", "--collect")

    def test_list_runs_nothing(self) -> None:
        run = self.run_harness("medium", "--rows", "sar*", "--list")
        self.assertEqual(len(run.stdout.splitlines()), 6 * 5)
        self.assertFalse(self.results.exists())


class ResumeTest(HarnessTest):
    MANY_RUNS = ("--rows", "sar(3,3,.50)", "--configs", "carl,lp,auto", "--seeds", "4-12",
                 "--limit", "5", "--jobs", "2")
    COUNT = 27

    def start(self) -> subprocess.Popen[str]:
        return subprocess.Popen(self.command(*self.MANY_RUNS), text=True,
                                env=self.environment(FAKE_PLANNER_SECONDS="0.05"),
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def assert_complete(self) -> None:
        lines = self.results.read_text().splitlines()
        keys = collections.Counter(json.loads(line)["key"] for line in lines)
        self.assertEqual(len(keys), self.COUNT)
        self.assertEqual(set(keys.values()), {1}, "no run was repeated")

    def test_what_is_known_is_not_repeated(self) -> None:
        self.assertEqual(self.run_harness(*self.MANY_RUNS).returncode, 0)
        before = self.results.read_bytes()
        run = self.run_harness(*self.MANY_RUNS)
        self.assertEqual(run.returncode, 0)
        self.assertIn("27 of 27 runs are known already", run.stderr)
        self.assertEqual(self.results.read_bytes(), before)
        self.run_harness(*self.MANY_RUNS[:-4], "--limit", "6")
        self.assertEqual(len(list(database.read(self.results))), 2 * self.COUNT,
                         "other limits make another experiment")
        self.run_harness(*self.MANY_RUNS, "--fresh")
        self.assertEqual(len(list(database.read(self.results))), 3 * self.COUNT)

    def test_killed_at_random_moments_it_goes_on(self) -> None:
        chance = random.Random(7)
        kills = 0
        for _ in range(12):
            harness = self.start()
            try:
                harness.communicate(timeout=chance.uniform(0.1, 0.5))
            except subprocess.TimeoutExpired:
                harness.kill()
                harness.communicate()
                kills += 1
                if self.results.exists() and chance.random() < 0.5:
                    with open(self.results, "ab") as file:
                        file.write(b'{"key": "torn by a failing dis')
        self.assertGreater(kills, 2)
        self.assertEqual(self.run_harness(*self.MANY_RUNS).returncode, 0)
        self.assert_complete()

    def test_planners_die_with_a_killed_harness(self) -> None:
        pids = self.directory / "pids"
        harness = subprocess.Popen(
            self.command("--rows", "sar(3,2,.75)", "--configs", "carl"),
            env=self.environment("sleeper", FAKE_PLANNER_PIDS=str(pids)),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 20
        while not pids.exists() or not pids.read_text().endswith("\n"):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        planner, child = map(int, pids.read_text().split())
        harness.kill()
        harness.wait()
        while is_alive(planner):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        os.kill(child, signal.SIGKILL)  # nobody else knows of it any more

    def test_ctrl_c_leaves_a_state_to_go_on_from(self) -> None:
        self.interrupt(signal.SIGINT)

    def test_sigterm_is_like_ctrl_c(self) -> None:
        self.interrupt(signal.SIGTERM)

    def interrupt(self, number: signal.Signals) -> None:
        harness = self.start()
        while not self.results.exists() or not self.results.read_bytes():
            time.sleep(0.02)
        harness.send_signal(number)
        _, errors = harness.communicate(timeout=20)
        self.assertEqual(harness.returncode, 130, errors)
        self.assertIn("the same command goes on from here", errors)
        self.assertNotIn("Traceback", errors)
        self.assertEqual(self.run_harness(*self.MANY_RUNS).returncode, 0)
        self.assert_complete()

    def test_two_at_a_time_do_not_mix(self) -> None:
        with database.Writer(self.results):
            run = self.run_harness(*self.MANY_RUNS)
        self.assertEqual(run.returncode, 2)
        self.assertIn("another run is writing to it", run.stderr)


class PatienceTest(HarnessTest):
    """Two of a row that run out of time are enough."""
    RUNS = ("paper-rivals", "--rows", "sar(5,3,.50)", "--configs", "carl,i-dual,i2-dual",
            "--limit", "0.3")
    SECONDS = json.dumps({"default": 0.0, "i2-dual": 0.0})  # and i-dual takes for ever

    def run_uneven(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.run_harness(*self.RUNS, *arguments, mode="uneven",
                                FAKE_PLANNER_CPU=self.SECONDS)

    def instances(self) -> dict[str, list[str]]:
        found = collections.defaultdict(list)
        for record in database.read(self.results):
            found[record["configuration"]].append(record["instance"])
        return {name: sorted(instances) for name, instances in found.items()}

    def test_a_row_is_left_after_two(self) -> None:
        run = self.run_uneven()
        self.assertEqual(run.returncode, 0, run.stderr)
        five = [f"sar(5,3,.50)#{seed}" for seed in range(1, 6)]
        self.assertEqual(self.instances(), {"carl": five, "i-dual": five[:2], "i2-dual": five})
        self.assertIn("i-dual sar(5,3,.50): 3 more not tried, the first ran out of time or memory",
                      run.stderr)
        self.assertEqual({r["clock"] for r in database.read(self.results)}, {"cpu"})
        before = self.results.read_bytes()
        run = self.run_uneven()
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(self.results.read_bytes(), before, "and it stays left")
        self.run_uneven("--fresh", "--jobs", "3")
        self.assertEqual(len(self.results.read_bytes().splitlines()), 2 * 12,
                         "however many run at a time")

    def test_one_that_ends_by_itself_is_tried_on(self) -> None:
        """Whatever the others do."""
        first, second, third = (f"sar(4,3,.75)#{seed}" for seed in (1, 2, 3))
        tasks = {name: Task(CONFIGURATIONS["lp"], instance_named(name))
                 for name in (first, second, third)}
        out = {"status": "limit", "cpu_seconds": 60.0, "time_limit": 60}
        open_answer = {"status": "limit", "cpu_seconds": 1.0, "time_limit": 60}
        large = open_answer | {"peak_memory_mb": 4000.0, "memory_limit_mb": 4096}

        def turn(tries: int, **known: database.Record) -> Turn:
            records = dict(zip((first, second), known.values()))
            return Patience(tasks, tries).turn(third, tasks[third], records)

        self.assertEqual(turn(2), Turn.LATER)
        self.assertEqual(turn(2, a=out), Turn.LATER)
        self.assertEqual(turn(2, a=out, b=out), Turn.NEVER)
        self.assertEqual(turn(2, a=large, b=out), Turn.NEVER)
        self.assertEqual(turn(2, a=open_answer), Turn.NOW)
        self.assertEqual(turn(2, a=out, b=open_answer), Turn.NOW)
        self.assertEqual(turn(0, a=out, b=out), Turn.NOW)


class RealPlannerTest(HarnessTest):
    def test_small_problems(self) -> None:
        run = self.run_harness("quick", "--rows", "[sc]*(2*", "--configs",
                               "carl,carl-paper-lmcut,carl-paper-roc,lp", "--limit", "60",
                               planner=PLANNER)
        self.assertEqual(run.returncode, 0, run.stderr)
        records = list(database.read(self.results))
        self.assertEqual(len(records), 16)
        self.assertEqual({r["status"] for r in records}, {"optimal"})

    def test_a_limit_is_no_error(self) -> None:
        run = self.run_harness("--rows", "exbw(5,7,.01)", "--configs", "lp", "--limit", "0.2",
                               planner=PLANNER)
        self.assertEqual(run.returncode, 0, run.stderr)
        (record,) = database.read(self.results)
        self.assertEqual(record["status"], "limit")


if __name__ == "__main__":
    unittest.main()
