"""The default against our own options: what is awaited, what is judged, and what is run for it."""
from __future__ import annotations

import json
import re
import subprocess
import sys
import unittest

from support import BENCHMARKS, PLANNER, HarnessTest

from harness import database, regret
from harness.configurations import (CONFIGURATIONS, FACTORED_HEURISTICS, OWN_OPTIONS,
                                    own_options_for)
from harness.database import Record
from harness.experiment import EXPERIMENTS
from harness.instances import ALL_ROWS
from harness.regret import Verdict

ROW = "sar(5,4,.75)"  # no optimum of it is known
OPTIONS = ("own-lp", "own-vi-hmax")


def run(configuration: str, seconds: float | None, repetition: int = 0, limit: float = 60,
        status: str = "optimal") -> Record:
    """None: it reached the limit."""
    return {"configuration": configuration, "row": ROW, "instance": f"{ROW}#1", "clock": "cpu",
            "status": "limit" if seconds is None else status, "time_limit": limit,
            "cpu_seconds": limit if seconds is None else seconds, "repetition": repetition}


def again(default: tuple[float, ...], option: tuple[float, ...], name: str = "own-lp",
          first: int = 1) -> list[Record]:
    return [run(who, seconds, number) for who, times in (("carl", default), (name, option))
            for number, seconds in enumerate(times, start=first)]


class CutOffTest(unittest.TestCase):
    def test_a_little_more_than_would_tell(self) -> None:
        self.assertEqual(regret.cut_off(run("carl", 0.05)), 0)
        self.assertEqual(regret.cut_off(run("carl", 0.01)), 0)
        for seconds in (0.06, 0.25, 1.05, 40.0):
            enough = (seconds - 0.05) / 2
            self.assertGreater(regret.cut_off(run("carl", seconds)), enough)
            self.assertLessEqual(regret.cut_off(run("carl", seconds)), 1.1 * enough + 0.02 + 1e-9)

    def test_without_an_answer_of_the_default_all_of_its_limit(self) -> None:
        self.assertEqual(regret.cut_off(run("carl", None)), 60)


class JudgeTest(unittest.TestCase):
    def assert_judged(self, records: list[Record], verdict: Verdict, option: str | None = None,
                      disputed: str | None = None) -> regret.Judgement:
        judgement = regret.judge(records, OPTIONS)
        self.assertEqual((judgement.verdict, judgement.option, judgement.disputed),
                         (verdict, option, disputed))
        return judgement

    def test_a_quick_default_needs_no_rivals(self) -> None:
        self.assert_judged([run("carl", 0.05)], Verdict.INSIDE)

    def test_rivals_that_were_cut_off(self) -> None:
        records = [run("carl", 1.05), run("own-lp", None, limit=0.56)]
        self.assert_judged(records, Verdict.OPEN)
        self.assert_judged(records + [run("own-vi-hmax", None, limit=0.4)], Verdict.OPEN)
        self.assert_judged(records + [run("own-vi-hmax", None, limit=0.56)], Verdict.INSIDE)
        self.assert_judged(records + [run("own-vi-hmax", 0.55, limit=0.56)], Verdict.INSIDE,
                           "own-vi-hmax")

    def test_what_failed_is_not_awaited(self) -> None:
        records = [run("carl", 1.05), run("own-lp", None, limit=0.56),
                   run("own-vi-hmax", 0.01, limit=0.02, status="unsupported")]
        self.assert_judged(records, Verdict.INSIDE)
        self.assertEqual(regret.failed_options(records),
                         "Not among the options, because they failed: vi-hmax.")
        self.assertEqual(regret.failed_options(records[:2]), "")
        self.assert_judged([run("carl", 0.01, status="crashed")], Verdict.OPEN)

    def test_a_quick_rival_is_measured_again(self) -> None:
        records = [run("carl", 1.05), run("own-lp", 0.49), run("own-vi-hmax", 0.48)]
        self.assert_judged(records, Verdict.OPEN, "own-vi-hmax", disputed="own-vi-hmax")
        # Medians 1.0 and 0.4.
        judgement = self.assert_judged(
            records + again((9.0, 1.0, 0.9), (0.4, 0.1, 0.5), "own-vi-hmax"),
            Verdict.OUTSIDE, "own-vi-hmax")
        self.assertEqual((judgement.default, judgement.seconds), (1.0, 0.4))

    def test_noise_is_forgiven_and_the_next_rival_measured(self) -> None:
        records = [run("carl", 1.05), run("own-lp", 0.45), run("own-vi-hmax", 0.40)]
        records += again((1.0, 1.0, 1.0), (0.5, 0.48, 0.9), "own-vi-hmax")
        self.assert_judged(records, Verdict.OPEN, "own-lp", disputed="own-lp")
        certain = again((1.0, 1.0, 1.0), (0.45, 0.46, 0.9), first=4)
        self.assert_judged(records + certain, Verdict.OUTSIDE, "own-lp")
        forgiven = again((1.0, 1.0, 1.0), (0.49, 0.48, 0.9), first=4)
        self.assert_judged(records + forgiven, Verdict.INSIDE, "own-lp")

    def test_repetitions_of_older_runs_do_not_count(self) -> None:
        records = [run("carl", 1.05), run("own-lp", 0.1), run("own-vi-hmax", 0.9),
                   *again((1.0, 1.0, 1.0), (0.1, 0.1, 0.1))]
        self.assert_judged(records, Verdict.OUTSIDE, "own-lp")
        self.assert_judged(records + [run("carl", 0.2)], Verdict.INSIDE, "own-lp")
        self.assert_judged(records + [run("carl", 1.2)], Verdict.OPEN, "own-lp", "own-lp")

    def test_a_default_without_an_answer(self) -> None:
        unsolved = [run("carl", None), run("own-vi-hmax", None)]
        self.assert_judged(unsolved, Verdict.OPEN)
        self.assert_judged(unsolved + [run("own-lp", None)], Verdict.UNSOLVED)
        self.assert_judged(unsolved + [run("own-lp", 20.0)], Verdict.OUTSIDE, "own-lp")
        judgement = self.assert_judged(unsolved + [run("own-lp", 40.0)], Verdict.OPEN, "own-lp")
        (line,) = regret.table({"x": judgement}).rows
        self.assertEqual(line[1:], ["> 60", "lp", "40.00", "> 1.5", "a longer limit would tell"])

    def test_the_line_of_a_table(self) -> None:
        (line,) = regret.table({"x": regret.judge(
            [run("carl", 1.05), run("own-lp", None, limit=0.56)], OPTIONS[:1])}).rows
        self.assertEqual(line, ["x", "1.05", "–", "> 0.56", "< 1.9", "inside"])
        (line,) = regret.table({"x": regret.judge([run("carl", 0.02)], OPTIONS)}).rows
        self.assertEqual(line, ["x", "0.02", "", "", "", "inside"])

    def test_the_summary(self) -> None:
        judged = {name: regret.Judgement(verdict) for name, verdict in (
            ("a", Verdict.INSIDE), ("b", Verdict.OUTSIDE), ("c", Verdict.OUTSIDE),
            ("d", Verdict.UNSOLVED), ("e", Verdict.OPEN))}
        self.assertEqual(regret.summary(judged), "1 of 5 rows are inside; outside: b, c; solved by "
                                                 "none: d; not run in full: e.")


class OptionsTest(unittest.TestCase):
    def test_all_there_are(self) -> None:
        self.assertEqual(len(own_options_for(is_explicit=False)), 4 * 6 + 3)
        self.assertEqual(len(own_options_for(is_explicit=True)), 4 * 2 + 2)
        for explicit in (False, True):
            self.assertLessEqual(set(own_options_for(explicit)), set(OWN_OPTIONS))
        self.assertEqual(OWN_OPTIONS["own-lrtdp-roc"].options,
                         ("--inner", "lrtdp", "--heuristic", "roc"))

    def test_they_are_no_rivals_elsewhere(self) -> None:
        self.assertFalse(set(OWN_OPTIONS) & set(CONFIGURATIONS))
        self.assertFalse(any(option.compared for option in OWN_OPTIONS.values()))

    def test_every_row_has_its_own(self) -> None:
        experiment = EXPERIMENTS["regret"]
        tasks = experiment.tasks()
        for row in experiment.rows:
            names = [t.configuration.name for t in tasks if t.instance.row == row]
            self.assertEqual(names[0], "carl")
            self.assertEqual(set(names[1:]), set(own_options_for(row.is_explicit)))
        self.assertIn("ctw(8,8,2)", {row.name for row in experiment.rows})


class RealPlannerTest(HarnessTest):
    def test_options_are_accepted(self) -> None:
        for row in ("ctw(2,2,2)", "queue(3,6000,50)"):
            options = ",".join(own_options_for(ALL_ROWS[row].is_explicit))
            run_ = self.run_harness("--rows", row, "--configs", options, "--limit", "60",
                                    planner=PLANNER)
            self.assertNotIn("WRONG ANSWER", run_.stderr)
        refused = {r["options"] for r in database.read(self.results) if r["status"] != "optimal"}
        text = subprocess.run([PLANNER, "solve", "--help"], capture_output=True, text=True,
                              check=True).stdout
        names = set(re.split(r"[\s,;]+", text))
        self.assertLess({"cg-ilao", "lmcut", "lp"}, names)
        self.assertEqual({o for o in refused if set(o.split()[1::2]) <= names}, set(),
                         "what the planner has, it runs")


class RunTest(HarnessTest):
    """The planner computes for as long as it is told, of CPU time."""

    def run_regret(self, cpu: dict[str, float | None], configs: str = "own-lp,own-i-dual",
                   row: str = ROW) -> subprocess.CompletedProcess[str]:
        return self.run_harness("regret", "--rows", row, "--configs", configs, mode="uneven",
                                FAKE_PLANNER_CPU=json.dumps(cpu))

    def runs(self) -> list[tuple[str, str, int]]:
        return [(r["configuration"], r["status"], r["repetition"])
                for r in database.read(self.results)]

    def test_a_quick_default_is_not_compared(self) -> None:
        run_ = self.run_regret({"default": 0.0}, row="sar(5,3,*")
        self.assertEqual(run_.returncode, 0, run_.stderr)
        # Starting an interpreter may take long; then there are rivals.
        if all(r["cpu_seconds"] <= 0.05 for r in database.read(self.results)):
            self.assertEqual(self.runs(), [("carl", "optimal", 0)] * 2)
        self.assertIn("2 of 2 rows are inside.", run_.stdout)

    def test_rivals_are_cut_off(self) -> None:
        run_ = self.run_regret({"default": 1.0})
        self.assertEqual(run_.returncode, 0, run_.stderr)
        self.assertEqual(self.runs(), [("carl", "optimal", 0), ("own-lp", "limit", 0),
                                       ("own-i-dual", "limit", 0)])
        default, *rivals = database.read(self.results)
        for record in rivals:
            self.assertEqual(record["time_limit"], regret.cut_off(default))
            self.assertEqual(record["clock"], "cpu")
        self.assertRegex(run_.stdout,
                         r"sar\(5,4,\.75\)#1 +1\.\d\d +– +> 0\.[5-9]\d +< 1\.\d +inside")
        self.assertIn("1 of 1 rows are inside.", run_.stdout)

    def test_what_is_outside_is_measured_again(self) -> None:
        cpu: dict[str, float | None] = {"default": 1.0, "lp": 0.0}
        run_ = self.run_regret(cpu)
        self.assertEqual(run_.returncode, 0, "a clock does not decide whether all is well")
        self.assertEqual(self.runs()[3:], [(name, "optimal", number) for number in (1, 2, 3)
                                           for name in ("carl", "own-lp")])
        self.assertRegex(run_.stdout, r"lp +0\.\d\d +\d+\.\d +outside")
        self.assertIn("0 of 1 rows are inside; outside: sar(5,4,.75)#1.", run_.stdout)
        before = self.results.read_bytes()
        repeated = self.run_regret(cpu)
        self.assertEqual(repeated.stdout, run_.stdout)
        self.assertEqual(self.results.read_bytes(), before, "nothing is run twice")
        self.assert_reported()

    def assert_reported(self) -> None:
        made = subprocess.run([sys.executable, BENCHMARKS / "report", "--results", self.directory],
                              capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual(made.returncode, 0, made.stderr)
        page = (self.directory / "report/report.md").read_text()
        section = page[page.index("## The default against our own options"):]
        # The other options were not run, but one is enough to tell.
        self.assertIn("outside: sar(5,4,.75)#1", section)
        self.assertRegex(section, r"\| sar\(5,4,\.75\)#1 \| 1\.\d\d \| lp \| 0\.\d\d \| ")
        self.assertNotIn("own-lp", page[:page.index("## The default against")],
                         "it is in no other table")

    def test_an_option_that_the_planner_does_not_know_is_an_error(self) -> None:
        run_ = self.run_regret({"default": 0.3, "lp": None})
        self.assertEqual(run_.returncode, 1)
        self.assertRegex(run_.stderr, r"ERROR: own-lp: unsupported, first on sar\(5,4,\.75\)#1: "
                                      "error: one of .*lp.* is not known")
        self.assertIn("Not among the options, because they failed: lp.", run_.stdout)

    def test_a_default_that_fails_is_an_error(self) -> None:
        run_ = self.run_regret({"default": None})
        self.assertEqual(run_.returncode, 1)
        self.assertEqual(self.runs(), [("carl", "unsupported", 0)])
        self.assertIn("not run in full: sar(5,4,.75)#1", run_.stdout)

    def test_it_cannot_be_submitted(self) -> None:
        run_ = self.run_harness("regret", "--slurm")
        self.assertEqual(run_.returncode, 2)
        self.assertIn("what is run depends on what came out", run_.stderr)

    def test_it_is_about_options_alone(self) -> None:
        run_ = self.run_harness("regret", "--configs", "carl,own-lp,lp")
        self.assertEqual(run_.returncode, 2)
        self.assertIn("about our own options, own-…: not lp, whose runs", run_.stderr)

    def test_the_list(self) -> None:
        run_ = self.run_harness("regret", "--rows", "queue(3,6000,50)", "--list")
        self.assertEqual(len(run_.stdout.splitlines()), 11)
        self.assertIn("own-cg-ilao-dijkstra queue(3,6000,50)#1", run_.stdout)
        self.assertEqual(FACTORED_HEURISTICS[-2], "pdb")
        self.assertFalse(ALL_ROWS[ROW].is_explicit)


if __name__ == "__main__":
    unittest.main()
