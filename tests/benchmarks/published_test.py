"""Runs kept in the repository, and the pages made of them."""
from __future__ import annotations

import io
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import unittest
from unittest import mock

from support import BENCHMARKS, HERE, HarnessTest

from harness import database, kept, published, report, verdict
from harness.configurations import ALL_CONFIGURATIONS
from harness.document import Heading, markdown
from harness.experiment import EXPERIMENTS
from harness.instances import SOURCE
from harness.planner import Limits
from harness.progress import Progress

GOLDEN = HERE / "golden"
KEPT = GOLDEN / "paper_runs.jsonl"


def run(configuration: str = "carl", instance: str = "sar(4,3,.75)#1", planner: str = "p",
        limit: float = 60, **more: object) -> database.Record:
    return {"key": f"{configuration}|{instance}|{planner}|{limit}", "configuration": configuration,
            "instance": instance, "row": instance.partition("#")[0], "problem": instance,
            "options": " ".join(ALL_CONFIGURATIONS[configuration].options), "planner": planner,
            "commit": "abc", "time_limit": limit, "clock": "cpu", "memory_limit_mb": 4096,
            "status": "optimal", "objective": 9.0, "lower_bound": 9.0, "cpu_seconds": 0.123456,
            "wall_seconds": 1.0, "peak_memory_mb": 20.0, "host": "secret", **more}


class KeptTest(HarnessTest):
    def keep(self, *records: database.Record, replace: bool = False) -> int:
        with database.Writer(self.results) as writer:
            for record in records:
                writer.append(record)
        return kept.keep(self.directory, self.file, replace)

    def setUp(self) -> None:
        super().setUp()
        self.file = self.directory / "kept.jsonl"

    def places(self) -> list[tuple[str, str]]:
        return [(r["configuration"], r["instance"]) for r in kept.read(self.file)]

    def test_what_is_kept_is_sorted_and_says_nothing_of_the_machine(self) -> None:
        self.assertEqual(self.keep(run(instance="sar(4,3,.75)#2"), run("i2-dual"), run()), 3)
        self.assertEqual(self.places(), [("carl", "sar(4,3,.75)#1"), ("carl", "sar(4,3,.75)#2"),
                                         ("i2-dual", "sar(4,3,.75)#1")])
        line = json.loads(self.file.read_text().splitlines()[0])
        self.assertEqual(line["cpu_seconds"], 0.1235)
        self.assertEqual(line["commit"], "abc")
        self.assertFalse({"host", "key", "wall_seconds"} & set(line))
        (record, *_) = kept.read(self.file)
        self.assertEqual((record["row"], record["problem"]), ("sar(4,3,.75)", "sar(4,3,.75)#1"))

    def test_whoever_has_the_same_planner_goes_on_from_what_is_kept(self) -> None:
        self.keep(run())
        (record,) = kept.read(self.file)
        planner = mock.Mock(identity="p")
        tasks = EXPERIMENTS["paper-rivals"].tasks(Limits(60, of_cpu=True))
        self.assertEqual([(t.configuration.name, t.instance.name) for t in tasks
                          if t.key(planner) == record["key"]], [("carl", "sar(4,3,.75)#1")])
        stream = io.StringIO()
        Progress(len(tasks), [record], jobs=1, limit=60, stream=stream)
        self.assertIn(f"1 of {len(tasks)} runs are known already", stream.getvalue())

    def test_reading_and_writing_changes_nothing(self) -> None:
        kept.write(kept.read(KEPT), self.file)
        self.assertEqual(self.file.read_bytes(), KEPT.read_bytes())

    def test_only_runs_of_the_papers_experiments(self) -> None:
        self.assertEqual(self.keep(
            run(limit=59), run(clock="wall"), run("lp"), run(instance="sar(4,3,.75)#6"),
            run("i-dual", options="--algorithm i-dual"), run("i2-dual", status="unsupported"),
            run(instance="sar(4,3,.75)#6", limit=1800), run("carl-vi", limit=1800)), 1)
        self.assertEqual([r["time_limit"] for r in kept.read(self.file)], [1800])

    def test_new_runs_are_added(self) -> None:
        self.keep(run())
        self.assertEqual(self.keep(run("i2-dual")), 1)
        self.assertEqual(self.keep(), 0, "and the second time there is nothing new")
        self.assertEqual(len(self.places()), 2)

    def test_planners_are_not_mixed(self) -> None:
        self.keep(run(), run("i2-dual"), run(limit=1800))
        with self.assertRaisesRegex(kept.KeptError, "2 runs of another planner are kept \\(p, "
                                    "commit abc\\); --replace puts those of q, commit abc"):
            self.keep(run(planner="q"))
        self.assertEqual(len(self.places()), 3)
        self.keep(replace=True)
        self.assertEqual([(r["planner"], r["time_limit"]) for r in kept.read(self.file)],
                         [("q", 60), ("p", 1800)], "other limits are another experiment")

    def test_of_two_planners_the_last_counts(self) -> None:
        self.keep(run(), run("i2-dual", planner="q"))
        self.assertEqual(self.places(), [("i2-dual", "sar(4,3,.75)#1")])


def page() -> str:
    parts = "\n".join(f"## {name}\n\n<!-- made by benchmarks/publish: {name} -->\n<!-- end -->\n"
                      for name in published.PARTS)
    return f"# All parts\n\n{parts}"


class PagesTest(unittest.TestCase):
    def test_parts_are_as_ever(self) -> None:
        made = published.filled_in(page(), published.Runs(kept.read(KEPT)))
        if os.environ.get("CARL_UPDATE_GOLDEN"):
            (GOLDEN / "published.md").write_text(made, encoding="utf-8")
        self.assertMultiLineEqual(made, (GOLDEN / "published.md").read_text(encoding="utf-8"))

    def test_making_them_again_changes_nothing(self) -> None:
        runs = published.Runs(kept.read(KEPT))
        made = published.filled_in(page(), runs)
        self.assertEqual(published.filled_in(made, runs), made)
        self.assertEqual(published.filled_in("text without parts", runs), "text without parts")

    def test_without_runs_they_say_so(self) -> None:
        made = published.filled_in(page(), published.Runs([]))
        self.assertIn("## summary\n\n<!-- made by benchmarks/publish: summary -->\n\n"
                      "Not run yet.\n\n<!-- end -->", made)

    def test_what_is_missing_is_said_until_nothing_is(self) -> None:
        def texts(records: list[database.Record]) -> tuple[str, str, bool]:
            runs = published.Runs(records)
            made = [markdown(published.PARTS[name](runs)) for name in ("state", "readme-table")]
            return made[0], made[1], "Empty" in markdown(published.main_tables(runs))

        everything = [run(task.configuration.name, task.instance.name)
                      for name in ("paper-rivals", "paper-lambda")
                      for task in EXPERIMENTS[name].tasks()]
        on_page, in_readme, empty = texts(everything)
        self.assertIn("**Every row has been run**", on_page)
        self.assertIn("All rows of the paper's two tables have been run.", in_readme)
        self.assertFalse(empty)
        part = [r for r in everything
                if (r["configuration"], r["instance"]) not in (("ilao-roc", "ctw(4,4,2)#3"),
                                                               ("i-dual-textbook", "ctw(4,4,2)#5"))]
        on_page, in_readme, empty = texts(part)
        self.assertIn("**What has not been run in full: textbook i-dual and the comparison with "
                      "iLAO\\***; claims", on_page)
        self.assertIn("All rows of the paper's main table have been run; textbook i-dual and the "
                      "comparison", in_readme)
        self.assertTrue(empty)
        on_page, in_readme, _ = texts([r for r in part if r["configuration"] != "i2-dual"])
        self.assertIn("What has not been run in full: the paper's main table, textbook", on_page)
        self.assertIn("Not all rows of the paper's main table have been run", in_readme)

    def test_figures(self) -> None:
        """Straight from the runs, without the code that makes the page."""
        records = [json.loads(line) for line in KEPT.read_text().splitlines()]
        text = (GOLDEN / "published.md").read_text()
        default = [r for r in records if r["time_limit"] == 1800]
        self.assertIn(f"**The default solves {len(default)} of {len(default)} instances** of 2 rows",
                      text)
        ratios = []
        for row in ("sar(4,3,.75)", "exbw(6,8,.3)", "parc(0.2,1)", "ctw(4,4,2)"):
            means = [sum(times) / len(times) for name in ("carl", "carl-paper-roc") if (times := [
                r["cpu_seconds"] for r in records if r["configuration"] == name
                and r["time_limit"] == 60 and r["instance"].startswith(row)])]
            self.assertGreater(means[1], 0.5)
            ratios.append(means[1] / means[0])
        (line,) = re.findall(r"^\| `carl-paper-roc` \| 4 \| 100%.*$", text, re.MULTILINE)
        self.assertIn(f"| {math.prod(ratios) ** 0.25:.2f} (4: few) |", line)
        (line,) = re.findall(r"^\| exbw\(6,8,.3\) .*†.*$", text, re.MULTILINE)
        self.assertEqual(line.count("0/2 †"), 4, "i-dual thrice and i²-dual were left")
        (line,) = re.findall(r"^\| ctw\(4,4,2\) .*open.*$", text, re.MULTILINE)
        self.assertIn("(+2 open)", line)


class ReportTest(unittest.TestCase):
    def test_the_usual_report_of_such_runs(self) -> None:
        blocks = report.blocks_of(kept.rival_runs(kept.read(KEPT)))
        titles = [block.text for block in blocks if isinstance(block, Heading)]
        for title in ("The paper's table", "The paper's extended table", "The paper's claims",
                      "The search for λ*"):
            self.assertIn(title, titles)


class RepositoryTest(unittest.TestCase):
    def test_pages_are_those_of_the_runs_kept(self) -> None:
        """If not: benchmarks/publish"""
        for path, text in published.pages(kept.read()).items():
            self.assertMultiLineEqual(path.read_text(encoding="utf-8"), text, str(path))

    def test_the_command_says_so(self) -> None:
        run = subprocess.run([sys.executable, BENCHMARKS / "publish", "--check"],
                             capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "", ""))

    def test_all_parts_are_on_a_page(self) -> None:
        text = "".join((SOURCE / page).read_text(encoding="utf-8") for page in published.PAGES)
        marked = re.findall(r"<!-- made by benchmarks/publish: (\S+) -->", text)
        self.assertEqual(sorted(marked), sorted(published.PARTS))

    def test_runs_kept_are_sorted_small_and_right(self) -> None:
        if not kept.FILE.exists():
            return
        text = kept.FILE.read_text(encoding="utf-8")
        self.assertLess(len(text), 4_000_000)
        records = kept.read()
        lines = [json.dumps(kept.compact(r), ensure_ascii=False, separators=(",", ":"))
                 for r in records]
        self.assertEqual(text.splitlines(), lines)
        self.assertEqual(kept.merge(records, []), records)
        self.assertEqual(verdict.check(records), [])
        for name in ("default_runs", "rival_runs"):
            planners = {r["planner"] for r in getattr(kept, name)(records)}
            self.assertLessEqual(len(planners), 1, "ratios are of one planner")


if __name__ == "__main__":
    unittest.main()
