"""The rows are the paper's, its figures are copied whole, and the planner can make them all."""
from __future__ import annotations

import collections
import subprocess
import unittest

from support import PLANNER

from harness import paper
from harness.configurations import CONFIGURATIONS
from harness.experiment import EXPERIMENTS, rows_matching
from harness.instances import (ALL_ROWS, COMPETITION_ROWS, EXPLICIT_ROWS, EXTENDED_ROWS,
                               GROWING_ROWS, PAPER_ROWS, SMALL_ROWS, SOURCE, Instance,
                               competition_rows, files)
from harness.planner import Planner, Task


class PaperTableTest(unittest.TestCase):
    def test_the_rows_are_those_of_the_paper(self) -> None:
        self.assertEqual([row.name for row in PAPER_ROWS], list(paper.figures()))
        self.assertEqual(len(PAPER_ROWS), 43)
        count = collections.Counter(row.domain for row in PAPER_ROWS)
        self.assertEqual(count, {"sar": 6, "elevators": 7, "exbw": 9, "parc": 12, "ctw": 9})

    def test_sums_of_its_figures(self) -> None:
        # Added up from the printed table: coverage, and the mean times.
        sums = {"CARL λ-ROC": (1264, 6687.8), "CARL λ-LMcut": (1242, 6402.1),
                "i-dual C-ROC": (808, 16307.9), "i-dual ideal-point LMcut": (788, 15451.8),
                "i²-dual": (711, 11744.1), "CARL ideal-point ROC": (1248, 5906.3),
                "CARL ideal-point LMcut": (1234, 4329.4), "CARL C-ROC": (1232, 5507.2)}
        figures = paper.figures().values()
        for planner, (coverage, seconds) in sums.items():
            self.assertEqual(sum(row[planner]["coverage"] for row in figures), coverage, planner)
            self.assertAlmostEqual(sum(row[planner].get("mean", 0) for row in figures), seconds,
                                   places=6, msg=planner)
            for name, row in paper.figures().items():
                self.assertEqual("mean" in row[planner], row[planner]["coverage"] > 0, name)

    def test_configurations_name_their_counterparts(self) -> None:
        planners = set(next(iter(paper.figures().values())))
        for configuration in CONFIGURATIONS.values():
            self.assertIn(configuration.paper, planners | {None})


class ExperimentTest(unittest.TestCase):
    def test_names_are_unique(self) -> None:
        rows = (PAPER_ROWS + SMALL_ROWS + EXTENDED_ROWS + GROWING_ROWS + COMPETITION_ROWS
                + EXPLICIT_ROWS)
        self.assertEqual(len(ALL_ROWS), len(rows))
        files = {Instance(row, 1).file_name for row in rows}
        self.assertEqual(len(files), len(rows))

    def test_infeasible_seeds_are_left_out(self) -> None:
        seeds = ALL_ROWS["elevators(1,1,1)"].seeds(1, 30)
        self.assertEqual(seeds, [s for s in range(1, 34) if s not in (18, 25, 30)])
        seeds = ALL_ROWS["elevators(2,1,1)"].seeds(1, 30)
        self.assertEqual(seeds, [s for s in range(1, 35) if s not in (15, 18, 31, 32)])
        self.assertEqual(ALL_ROWS["sar(4,3,.75)"].seeds(3, 5), [3, 4, 5])

    def test_sizes_of_the_sets(self) -> None:
        self.assertEqual(len(EXPERIMENTS["medium"].tasks()), 43 * 5)
        self.assertEqual(len(EXPERIMENTS["full"].instances()), 43 * 30)
        self.assertEqual({i.seed for i in EXPERIMENTS["medium"].instances()}, {1})

    def test_scaling_has_a_series_for_every_domain_and_configuration(self) -> None:
        tasks = EXPERIMENTS["scaling"].tasks()
        count = collections.Counter((t.instance.row.domain, t.configuration.name) for t in tasks)
        self.assertEqual(count, {
            ("sar", "carl"): 14, ("sar", "carl-vi"): 7, ("elevators", "carl"): 9,
            ("elevators", "carl-vi"): 9, ("exbw", "carl"): 15, ("exbw", "carl-vi"): 8,
            ("parc", "carl"): 8, ("parc", "carl-vi"): 8, ("ctw", "carl"): 10,
            ("ctw", "carl-vi"): 10})
        rows = set(EXPERIMENTS["scaling"].rows)
        self.assertEqual(set(GROWING_ROWS) - rows, set(), "they are there for nothing else")

    def test_rows_by_pattern(self) -> None:
        self.assertEqual([r.name for r in rows_matching("sar(4,*")],
                         ["sar(4,3,.75)", "sar(4,4,.75)", "sar(4,4,.50)"])
        self.assertEqual(rows_matching("nothing"), ())


class FileRowTest(unittest.TestCase):
    FOLDER = "examples/drone-delivery"
    ROW = files("drone(city)", "drone", f"{FOLDER}/domain.pddl", f"{FOLDER}/city.pddl",
                options=("--bound", "battery=30"))

    def test_the_planner_gets_the_files_and_the_options(self) -> None:
        planner = Planner(PLANNER)
        instance = Instance(self.ROW, 1)
        paths = planner.problem_files(instance, SOURCE / "nowhere")
        self.assertEqual([path.name for path in paths], ["domain.pddl", "city.pddl"])
        command = planner.solve_command(Task(CONFIGURATIONS["carl"], instance), paths)
        self.assertEqual(command[2:8], [*map(str, paths), "--bound", "battery=30", "--seed", "1"])
        self.assertEqual(subprocess.run(command, capture_output=True, check=False).returncode, 0)

    def test_other_files_make_another_experiment(self) -> None:
        other = files("drone(city)", "drone", f"{self.FOLDER}/domain.pddl",
                      f"{self.FOLDER}/problem.pddl")
        planner = Planner(PLANNER)
        keys = {Task(CONFIGURATIONS["carl"], Instance(row, 1)).key(planner)
                for row in (self.ROW, other)}
        self.assertEqual(len(keys), 2)

    def test_factored_or_explicit(self) -> None:
        self.assertFalse(self.ROW.is_explicit)
        self.assertTrue(files("x", "x", "examples/pathological/model.json").is_explicit)

    def test_competition_domains(self) -> None:
        found = collections.Counter(row.domain for row in COMPETITION_ROWS)
        folders = {path.parent.name for path in SOURCE.glob("benchmarks/ippc/*/domain.pddl")}
        self.assertEqual(found, {name: 2 for name in folders})

    def test_a_folder_of_domains(self) -> None:
        rows = competition_rows(SOURCE / "examples")
        drones = [row for row in rows if row.domain == "drone-delivery"]
        self.assertEqual([(row.name, row.files) for row in drones], [
            ("drone-delivery(problem)", (f"{self.FOLDER}/domain.pddl",
                                         f"{self.FOLDER}/problem.pddl")),
            ("drone-delivery(city)", self.ROW.files)])


class GenerateTest(unittest.TestCase):
    def test_every_row_can_be_generated(self) -> None:
        for row in PAPER_ROWS + SMALL_ROWS + EXTENDED_ROWS + GROWING_ROWS:
            run = subprocess.run([PLANNER, *Instance(row, 1).generate_arguments()],
                                 capture_output=True, text=True, check=False)
            self.assertEqual(run.returncode, 0, f"{row.name}: {run.stderr}")
            self.assertIn("(define (problem", run.stdout)


if __name__ == "__main__":
    unittest.main()
