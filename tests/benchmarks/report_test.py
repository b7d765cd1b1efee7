"""The report on fixed results is as ever, and its figures are right.

CARL_UPDATE_GOLDEN=1 writes the expected pages anew; look at the difference before you commit it.
"""
from __future__ import annotations

import html.parser
import math
import os
import pathlib
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree

from support import BENCHMARKS, HERE, HarnessTest

from harness import aggregate, database, report

GOLDEN = HERE / "golden"


def results() -> list[database.Record]:
    return list(database.read(GOLDEN / "results.jsonl"))


def run(seconds: float, configuration: str = "carl", row: str = "sar(4,3,.75)", seed: int = 1,
        status: str = "optimal", limit: float = 60) -> database.Record:
    return {"configuration": configuration, "row": row, "instance": f"{row}#{seed}",
            "problem": f"{row}#{seed}", "status": status, "cpu_seconds": seconds,
            "time_limit": limit, "planner": "p"}


class AggregateTest(unittest.TestCase):
    def test_mean_and_confidence_interval(self) -> None:
        # By hand: deviations -1, 0, 1; s = 1; t(2) = 4.303.
        cell = aggregate.cell([run(t, seed=int(t)) for t in (1.0, 2.0, 3.0)])
        self.assertEqual((cell.coverage, cell.runs, cell.mean), (3, 3, 2.0))
        self.assertAlmostEqual(cell.half_width or 0, 4.303 / math.sqrt(3))
        self.assertIsNone(aggregate.half_width([1.0]))
        self.assertAlmostEqual(aggregate.half_width([0.0, 2.0] * 50) or 0,
                               1.984 * 1.00504 / 10, places=3)

    def test_only_answers_within_the_limit_count(self) -> None:
        cell = aggregate.cell([run(1.0), run(60.5, seed=2), run(2.0, seed=3, status="limit"),
                               run(3.0, seed=4, status="infeasible")])
        self.assertEqual((cell.coverage, cell.runs, cell.mean), (2, 4, 2.0))

    def test_best_is_most_coverage_then_time(self) -> None:
        cell = aggregate.Cell
        self.assertEqual(aggregate.best({"a": cell(29, 30, 1.0, 0.1), "b": cell(30, 30, 9.0, 0.1)}),
                         {"b"})
        self.assertEqual(aggregate.best({"a": cell(30, 30, 1.0, 0.1), "b": cell(30, 30, 1.5, 0.2)}),
                         {"a"})
        self.assertEqual(aggregate.best({"a": cell(30, 30, 1.0, 0.2), "b": cell(30, 30, 1.5, 0.4)}),
                         {"a", "b"})
        self.assertEqual(aggregate.best({"a": cell(0, 30), "b": cell(0, 30)}), set())

    def test_ratios_are_of_instances_both_solve(self) -> None:
        records = [run(1.0, seed=1), run(100, seed=2, status="limit"), run(1.0, seed=3),
                   run(4.0, "lp", seed=1), run(1.0, "lp", seed=2), run(9, "lp", seed=3,
                                                                       status="limit"),
                   run(0.1, row="ctw(4,4,2)"), run(0.4, "lp", "ctw(4,4,2)"),
                   run(2.0, row="ctw(4,4,4)"), run(1.0, "lp", "ctw(4,4,4)")]
        comparison = aggregate.compare(records, "carl", "lp")
        self.assertEqual(comparison.ratios, {"sar(4,3,.75)": 4.0, "ctw(4,4,4)": 0.5})
        self.assertAlmostEqual(comparison.geometric_mean or 0, math.sqrt(2))
        self.assertEqual(comparison.only_baseline, {"sar(4,3,.75)": 1})
        self.assertEqual(comparison.only_other, {"sar(4,3,.75)": 1})
        self.assertEqual(comparison.slower_baseline(), {"ctw(4,4,4)": 0.5})


class ChoiceTest(unittest.TestCase):
    def test_the_last_planner_and_the_largest_limit(self) -> None:
        old, short, long = run(1), run(2, limit=5), run(3, limit=60)
        old["planner"] = "older"
        self.assertEqual(report.chosen_runs([old, long, short]), [long])
        self.assertEqual(report.chosen_runs([old, long, short], limit=5), [short])
        self.assertEqual(report.chosen_runs([short, old], all_planners=True), [old])
        again = run(4, limit=60)
        self.assertEqual(report.chosen_runs([long, again]), [again])


class PageCheck(html.parser.HTMLParser):
    """A page that works offline refers to nothing outside itself."""

    def __init__(self) -> None:
        super().__init__()
        self.references: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.references += [value or "" for name, value in attrs if name in ("src", "href")]


class GoldenTest(HarnessTest):
    def make(self, results_file: pathlib.Path) -> subprocess.CompletedProcess[str]:
        shutil.copy(results_file, self.results)
        return subprocess.run([sys.executable, BENCHMARKS / "report", "--results", self.directory,
                               "--output", self.directory / "report"], capture_output=True,
                              text=True, check=False, timeout=60)

    def test_pages_are_as_ever(self) -> None:
        made = self.make(GOLDEN / "results.jsonl")
        self.assertEqual(made.returncode, 0, made.stderr)
        if os.environ.get("CARL_UPDATE_GOLDEN"):
            shutil.rmtree(GOLDEN / "report", ignore_errors=True)
            shutil.copytree(self.directory / "report", GOLDEN / "report")
        expected = {p.name: p.read_text() for p in (GOLDEN / "report").iterdir()}
        written = {p.name: p.read_text() for p in (self.directory / "report").iterdir()}
        self.assertEqual(sorted(written), sorted(expected))
        for name, text in expected.items():
            self.assertMultiLineEqual(written[name], text, name)

    def test_pages_are_well_formed_and_stand_alone(self) -> None:
        self.make(GOLDEN / "results.jsonl")
        check = PageCheck()
        check.feed((self.directory / "report" / "report.html").read_text())
        self.assertEqual(check.references, [])
        plots = list((self.directory / "report").glob("*.svg"))
        self.assertEqual(len(plots), 11)
        for plot in plots:
            xml.etree.ElementTree.parse(plot)

    def test_figures_of_the_table(self) -> None:
        """The same figures straight from the records, without the code of the report."""
        times = [r["cpu_seconds"] for r in results() if r["status"] == "optimal"
                 and r["row"] == "sar(5,4,.75)" and r["configuration"] == "carl-paper-roc"]
        mean = sum(times) / 3
        deviation = math.sqrt(sum((t - mean) ** 2 for t in times) / 2)
        expected = f"3/3 · {mean:.2f} ± {4.303 * deviation / math.sqrt(3):.2f}"
        page = (GOLDEN / "report" / "report.md").read_text()
        (line,) = [l for l in page.splitlines() if l.startswith("| sar(5,4,.75) ")]
        self.assertIn(expected, line)
        self.assertIn("**30 · 126.6 ± 45.2**", line, "the paper's figure stands beside it")

    def test_wrong_answers_are_shown_and_fail(self) -> None:
        lines = (GOLDEN / "results.jsonl").read_text().replace('"objective":52.375',
                                                               '"objective":52.0', 1)
        forged = self.directory / "forged.jsonl"
        forged.write_text(lines)
        made = self.make(forged)
        self.assertEqual(made.returncode, 1)
        self.assertIn("WRONG ANSWER", (self.directory / "report" / "report.md").read_text())

    def test_no_results(self) -> None:
        empty = self.directory / "empty.jsonl"
        empty.touch()
        made = self.make(empty)
        self.assertEqual(made.returncode, 2)
        self.assertIn("no results there; benchmarks/run makes them", made.stderr)


if __name__ == "__main__":
    unittest.main()
