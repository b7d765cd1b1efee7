"""The paper's claims on made-up runs whose figures are known, and what they rest on."""
from __future__ import annotations

import itertools
import json
import math
import subprocess
import unittest

from support import PLANNER

from harness import aggregate, claims, estimate, lambda_search, paper, stuck
from harness.claims import Claim, Evidence, Verdict
from harness.configurations import LAMBDA_PAIRS, RIVALS
from harness.database import Record
from harness.experiment import EXPERIMENTS
from harness.instances import ALL_ROWS, PAPER_ROWS, SOURCE, Row

LIMIT = 60.0
STUCK = "coordinate search got stuck; the subgradient method went on"


def run(name: str, row: str, seed: int, seconds: float | None, **more: object) -> Record:
    """None: it reached the limit."""
    return {"configuration": name, "row": row, "instance": f"{row}#{seed}",
            "problem": f"{row}#{seed}", "status": "limit" if seconds is None else "optimal",
            "objective": None if seconds is None else 10.0, "time_limit": LIMIT,
            "cpu_seconds": LIMIT if seconds is None else seconds, **more}


def cell(name: str, row: str, seconds: float | None) -> list[Record]:
    """All instances of a row, or the two after which it is left."""
    count = 2 if seconds is None else dict(EXPERIMENTS["paper-rivals"].more_seeds).get(row, 5)
    return [run(name, row, seed, seconds) for seed in ALL_ROWS[row].seeds(1, count)]


def with_search(record: Record, distinct: int = 5, nonzero: int = 1) -> Record:
    found = {"multiplier_search": {"seconds": 0.1, "distinct": distinct, "nonzero": nonzero}}
    return record | {"statistics": found}


def as_in_the_paper(rows: tuple[Row, ...] = PAPER_ROWS) -> list[Record]:
    """Every planner takes a thirtieth of the paper's time; what it solves few of is unsolved."""
    records = []
    for row in rows:
        records += cell("carl", row.name, 0.01)
        for name in RIVALS:
            entry = paper.figures()[row.name][claims.CONFIGURATIONS[name].paper or ""]
            seconds = entry["mean"] / 30 if entry["coverage"] >= 20 else None
            records += cell(name, row.name, seconds)
    return records


class ClaimsTest(unittest.TestCase):
    def only(self, found: list[Claim], start: str) -> Claim:
        (claim,) = [c for c in found if c.claim.startswith(start)]
        return claim

    def test_the_papers_own_figures_reproduce_its_claims(self) -> None:
        found = claims.claims(as_in_the_paper())
        for start in ("CARL solves 50% more", "CARL is faster than `i-dual-c-roc`",
                      "CARL is faster than `i-dual`", "CARL is faster than `i2-dual`",
                      "CARL is the best on SAR", "On ExBW (6, 8, .3)",
                      "λ-LM-cut is ahead", "λ-ROC is ahead", "i-dual is ahead of CARL on Elevators",
                      "CARL is ahead on Elevators with two", "i²-dual is ahead on PARC",
                      "CARL is ahead on PARC, f ≥ 0.4", "On PARC (f, 1)"):
            self.assertEqual(self.only(found, start).verdict, Verdict.YES, start)

    def test_rows_that_are_missing_leave_claims_open(self) -> None:
        found = claims.claims(as_in_the_paper(PAPER_ROWS[1:]))
        claim = self.only(found, "CARL is the best on SAR")
        self.assertEqual(claim.verdict, Verdict.OPEN)
        self.assertEqual(claim.ours, "23 of 23 rows; 1 not run in full")
        self.assertEqual(self.only(found, "λ-ROC is ahead").verdict, Verdict.YES)
        part = [r for r in as_in_the_paper()
                if (r["row"], r["configuration"]) != ("ctw(4,6,6)", "carl-paper-roc")
                or r["instance"].endswith("#1")]
        self.assertEqual(self.only(claims.claims(part), "λ-ROC is ahead").verdict, Verdict.OPEN)
        self.assertEqual({c.verdict for c in claims.claims([])}, {Verdict.OPEN})

    def test_the_opposite_is_not_reproduced(self) -> None:
        swap = {"carl-paper-roc": "i2-dual", "i2-dual": "carl-paper-roc",
                "carl-paper-lmcut": "i-dual", "i-dual": "carl-paper-lmcut"}
        found = claims.claims([r | {"configuration": swap.get(r["configuration"],
                                                              r["configuration"])}
                               for r in as_in_the_paper()])
        for start in ("CARL solves 50% more", "CARL is the best on SAR", "On ExBW (6, 8, .3)",
                      "i²-dual is ahead on PARC", "CARL is ahead on PARC, f ≥ 0.4"):
            self.assertEqual(self.only(found, start).verdict, Verdict.NO, start)

    def test_level(self) -> None:
        rows = ("sar(4,3,.75)", "sar(4,4,.75)")
        records = [r for row, seconds in zip(rows, (1.0, 2.0))
                   for r in cell("carl-paper-roc", row, 1.0) + cell("carl-paper-lmcut", row, seconds)]
        self.assertEqual(self.only(claims.claims(records), "Neither").ours,
                         "1 of 2 rows; 4 not run in full")

    def test_speed(self) -> None:
        # Both heuristics on two rows: 4, 2, 8 and 4 times; the third row is too short.
        records = [*cell("carl-paper-roc", "sar(4,3,.75)", 1.0),
                   *cell("carl-paper-lmcut", "sar(4,3,.75)", 2.0),
                   *cell("i2-dual", "sar(4,3,.75)", 4.0),
                   *cell("carl-paper-roc", "ctw(4,4,2)", 1.0),
                   *cell("carl-paper-lmcut", "ctw(4,4,2)", 2.0),
                   *cell("i2-dual", "ctw(4,4,2)", 8.0),
                   *cell("carl-paper-roc", "ctw(4,4,4)", 0.1),
                   *cell("carl-paper-lmcut", "ctw(4,4,4)", 0.1),
                   *cell("i2-dual", "ctw(4,4,4)", 0.4)]
        claim = claims.speed(Evidence(records), "i2-dual", 42)
        self.assertEqual(claim.ours, "4.5 times (geometric 4.0; 2 rows: few of 0.5 s or more); 21 "
                         "rows not run in full")

    def test_open_answers_count_if_they_are_right(self) -> None:
        row = "ctw(4,4,2)"
        records = [*cell("carl", row, 0.1), *cell("carl-paper-c-roc", row, 0.1)]
        for record, objective in zip(records[5:], (10.0, 10.0005, 10.1)):
            record |= {"status": "limit", "objective": objective}
        evidence = Evidence(records)
        self.assertEqual(evidence.cells[row, "carl-paper-c-roc"].coverage, 4)
        self.assertEqual(aggregate.cells(records)[row, "carl-paper-c-roc"].open, 3)
        self.assertEqual(claims.finds_optimum(evidence).ours,
                         f"4 of 5 runs that ended, 2 of them certified; not {row}#3 "
                         "(1 of 43 rows run)")

    def test_stuck(self) -> None:
        records = as_in_the_paper()
        first = next(r for r in records if (r["row"], r["configuration"]) == (
            "elevators(1,2,2)", "carl-paper-roc"))
        first["note"] = STUCK
        self.assertEqual(claims.gets_stuck(Evidence(records)).verdict, Verdict.YES)
        elsewhere = next(r for r in records if (r["row"], r["configuration"]) == (
            "parc(0.2,1)", "carl-paper-roc"))
        elsewhere["note"] = STUCK
        claim = claims.gets_stuck(Evidence(records))
        self.assertEqual(claim.verdict, Verdict.NO)
        self.assertTrue(claim.ours.endswith("also on parc(0.2,1)"))


    def test_with_one_lift_and_runs_that_got_stuck(self) -> None:
        """A stuck run that ends is solved; the claim also says what the paper's rule would make of
        it."""
        rows = claims.rows_of("elevators", e=lambda e: e == 1)
        records = [r for row in rows for name, seconds in (
            ("carl-paper-roc", 1.0), ("carl-paper-lmcut", 1.0), ("i-dual", 2.0),
            ("i-dual-c-roc", 2.0)) for r in cell(name, row.name, seconds)]
        evidence = Evidence(records)
        self.assertEqual(claims.ahead_with_one_lift(evidence).ours, "0 of 4 rows, behind on 4")
        for record in records:
            if (record["row"] in (rows[0].name, rows[1].name, rows[2].name)
                    and record["configuration"] in claims.CARL
                    and record["instance"].endswith("#2")):
                record["note"] = STUCK
        claim = claims.ahead_with_one_lift(Evidence(records))
        self.assertEqual(claim.ours, "0 of 4 rows, behind on 4; 3 of 4 rows, behind on 1 if runs in "
                         "which coordinate search gets stuck counted as unsolved, which they are in "
                         "the paper")
        self.assertEqual(claim.verdict, Verdict.NO)

    def test_figures_of_the_search_are_of_runs_that_did_not_get_stuck(self) -> None:
        records = [with_search(r) for r in as_in_the_paper()]
        first = [r for r in records if r["configuration"] == "carl-paper-roc"
                 and r["row"] == "elevators(1,1,2)"][:2]
        for record in first:
            record |= with_search(record, distinct=2004, nonzero=4) | {"note": STUCK}
        evidence = Evidence(records)
        few, sparse = claims.few_problems(evidence), claims.sparse(evidence)
        self.assertEqual((few.verdict, sparse.verdict), (Verdict.YES, Verdict.YES))
        self.assertRegex(few.ours, r"^5.0 distinct λ in the mean, 5 at most .*; 2004 in the mean in "
                         "2 more, in which it gets stuck")
        self.assertRegex(sparse.ours, r"^1.00 in the mean, 1 at most .*; 4.00 in the mean, 4 at most "
                         "in 2 more")
        first[0]["note"] = None
        found = claims.few_problems(Evidence(records))
        self.assertEqual(found.verdict, Verdict.PARTLY)
        self.assertIn(", 2004 at most", found.ours)


class StuckTest(unittest.TestCase):
    """Ratios with and without the instances on which a planner got stuck."""

    def records(self) -> list[Record]:
        rows = {"elevators(1,1,1)": (1.0, 4.0, 100.0), "ctw(4,4,2)": (1.0, 9.0, None)}
        found = []
        for row, (ours, theirs, slow) in rows.items():
            for seed in (1, 2):
                found += [run("carl", row, seed, ours), run("carl-paper-roc", row, seed, theirs)]
            if slow:
                found += [run("carl", row, 3, ours),
                          run("carl-paper-roc", row, 3, slow, note=STUCK, time_limit=200)]
        return found

    def test_table(self) -> None:
        (table,) = stuck.table(self.records(), ["carl", "carl-paper-roc", "i-dual"])
        (line,) = table.rows
        self.assertEqual(line, ["`carl-paper-roc`", "1 of 3", "100.0", "4.00", "36.00 (1: few)",
                                "4.00 (1: few)", "18.00 (2: few)", "6.00 (2: few)"])

    def test_rows_are_the_same_whatever_they_take_without(self) -> None:
        records = self.records()
        for record in records:
            if not record.get("note"):
                record["cpu_seconds"] /= 10
        self.assertEqual(stuck.ratios_without(records, "carl-paper-roc"),
                         [4.0, 9.0], "0.4 s count since the row does with the stuck instance")

    def test_a_stuck_run_that_is_unsolved_is_left_in(self) -> None:
        records = [run("carl", "elevators(1,1,1)", 1, 1.0),
                   run("carl-paper-roc", "elevators(1,1,1)", 1, None, note=STUCK)]
        (block,) = stuck.table(records, ["carl-paper-roc"])
        self.assertEqual(block.text, "No run got stuck.")

    def test_sentence(self) -> None:
        (said,) = stuck.sentence(self.records(), ["carl-paper-roc", "i-dual"])
        self.assertIn("is 6.00 (2: few) with λ-ROC, on the same rows", said.text)
        self.assertEqual(stuck.sentence(self.records(), ["i-dual"]), [])


class EstimateTest(unittest.TestCase):
    def test_a_straight_line_is_continued(self) -> None:
        # One more instance solved for every factor of ten, of 10 in the row.
        times = [0.05, 0.5, 5.0, 50.0] + [None] * 6
        records = [run("lp", "ctw(4,4,2)", seed, t) for seed, t in enumerate(times, start=1)]
        self.assertAlmostEqual(estimate.solved_within(records, 60), 12.0)
        self.assertAlmostEqual(estimate.extrapolated(records, 60, 6000), 18.0)
        self.assertAlmostEqual(estimate.extrapolated(records, 60, 60 * math.sqrt(10)), 13.5)
        self.assertEqual(estimate.extrapolated(records, 60, 60e20), 30, "not more than there are")
        self.assertAlmostEqual(estimate.hindsight(records, 60, 600), 12.0)

    def test_rows_count_alike(self) -> None:
        records = [run("lp", "ctw(4,4,2)", seed, 1.0) for seed in range(1, 6)]
        records += [run("lp", "elevators(1,1,1)", seed, 1.0 if seed < 11 else None)
                    for seed in range(1, 31)]
        self.assertAlmostEqual(estimate.solved_within(records, 60), 30 + 10)


def search(name: str, row: str, seconds: float, **more: object) -> Record:
    """It takes 10 s of CPU time, of which the planner's clock shows 20."""
    found = {"multiplier_search": {"seconds": 2 * seconds, "distinct": 5, "nonzero": 1, **more},
             "seconds": {"scalarised_ssps": 15.0, "total": 20.0}}
    return run(name, row, 1, 10.0, statistics=found)


class LambdaSearchTest(unittest.TestCase):
    def test_times_are_shares_of_the_cpu_time(self) -> None:
        (found,) = lambda_search.searches([search("carl", "ctw(4,4,2)", 4.0)], "carl")
        self.assertEqual((found.seconds, found.share), (4.0, 0.75))
        self.assertEqual(lambda_search.searches([run("carl", "ctw(4,4,2)", 1, 1.0)], "carl"), [])

    def test_pairs(self) -> None:
        ours, theirs = next(iter(LAMBDA_PAIRS.items()))
        records = [search(ours, "ctw(4,4,2)", 1.0), search(theirs, "ctw(4,4,2)", 2.0),
                   search(ours, "ctw(4,4,4)", 1.0), search(theirs, "ctw(4,4,4)", 8.0),
                   search(ours, "ctw(4,4,6)", 0.01), search(theirs, "ctw(4,4,6)", 0.09),
                   search(ours, "ctw(4,5,2)", 1.0), run(theirs, "ctw(4,5,2)", 1, None)]
        found = lambda_search.pairs(records, ours, theirs)
        self.assertEqual([(p.row, p.ratio) for p in found if p.counts],
                         [("ctw(4,4,2)", 2.0), ("ctw(4,4,4)", 8.0)])
        self.assertEqual(lambda_search.ratio_text(found), "5.00 times in the mean (geometric 4.00), "
                         "8.00 at most, 2.00 at least (2 rows, few)")
        self.assertEqual(claims.sooner(Evidence(records)).verdict, Verdict.OPEN)


    def test_runs_that_got_stuck_stand_apart(self) -> None:
        ours, theirs = next(iter(LAMBDA_PAIRS.items()))
        late = search(ours, "elevators(1,1,2)", 9.0, distinct=2000) | {"note": STUCK}
        records = [search(ours, "elevators(1,1,1)", 1.0), search(theirs, "elevators(1,1,1)", 2.0),
                   late, search(theirs, "elevators(1,1,2)", 9.0)]
        self.assertEqual([p.row for p in lambda_search.pairs(records, ours, theirs)],
                         ["elevators(1,1,1)"], "λ* was not found by coordinate search there")
        (table,) = lambda_search.statistics_table(records, [ours, theirs])
        self.assertEqual([line[1:5] for line in table.rows],
                         [["elevators, not stuck", "1", "5.0", "5"],
                          ["elevators, stuck", "1", "2000.0", "2000"],
                          ["**all**, not stuck", "1", "5.0", "5"],
                          ["**all**, stuck", "1", "2000.0", "2000"],
                          ["elevators", "2", "5.0", "5"], ["**all**", "2", "5.0", "5"]])


class LineSearchTest(unittest.TestCase):
    """The paper's example that is interesting for coordinate search: the page says where an exact
    line search goes. Here by all deterministic policies, and by the planner."""

    MODEL = SOURCE / "examples/coordinate-search/model.json"

    def setUp(self) -> None:
        model = json.loads(self.MODEL.read_text())
        choices: dict[str, list[tuple[list[float], str]]] = {}
        for action in model["actions"]:
            (successor,) = action["outcomes"]
            choices.setdefault(action["state"], []).append((action["cost"], successor))
        self.policies = []
        for first, second in itertools.product(choices["s0"], choices["s1"]):
            more = second[0] if first[1] == "s1" else [0.0, 0.0, 0.0]
            self.policies.append([a + b for a, b in zip(first[0], more)])

    def lagrangian(self, x: float, y: float) -> float:
        return min(c[0] + x * (c[1] - 15) + y * (c[2] - 15) for c in self.policies)

    def test_the_exact_maximiser(self) -> None:
        grid = [i / 8000 for i in range(8000)]
        self.assertEqual(max(grid, key=lambda x: self.lagrangian(x, 0)), 0.025)
        self.assertEqual(max(grid, key=lambda y: self.lagrangian(0.025, y)), 0.1125)
        self.assertAlmostEqual(self.lagrangian(0.025, 0.1125), 2.6875)
        self.assertAlmostEqual(self.lagrangian(0.025, 0.025), 2.25)
        slopes = [(self.lagrangian(0.025, 0.025 + h) - 2.25) / h for h in (-1e-3, 1e-3)]
        self.assertAlmostEqual(slopes[0], 25)
        self.assertAlmostEqual(slopes[1], 5)

    def test_our_search_goes_there(self) -> None:
        solved = subprocess.run([PLANNER, "solve", self.MODEL, "--outer", "coordinate", "--quiet",
                                 "--json", "-"], capture_output=True, text=True, check=True)
        path = [tuple(round(m, 6) for m in point["multipliers"])
                for point in json.loads(solved.stdout)["trace"]]
        places = [path.index(point) for point in ((0, 0), (0.025, 0), (0.025, 0.1125),
                                                  (0.1125, 0.1125))]
        self.assertEqual(places, sorted(places))


if __name__ == "__main__":
    unittest.main()
