"""Exponents: points on a power law give its own, and runs that measure nothing do not count."""
from __future__ import annotations

import math
import random
import unittest
import xml.etree.ElementTree

import support  # noqa: F401  (finds the harness)

from harness import scaling
from harness.database import Record
from harness.document import Figure, Table


def run(row: str, states: int, seconds: float, memory: float, configuration: str = "carl-vi",
        status: str = "optimal") -> Record:
    return {"configuration": configuration, "row": row, "instance": f"{row}#1", "status": status,
            "cpu_seconds": seconds, "time_limit": 60, "peak_memory_mb": memory,
            "statistics": {"generated": states}}


class FitTest(unittest.TestCase):
    def test_points_on_a_power_law_give_its_exponent(self) -> None:
        chance = random.Random(11)
        for _ in range(1000):
            exponent, factor = chance.uniform(-1, 3), math.exp(chance.uniform(-20, 5))
            xs = [math.exp(chance.uniform(5, 16)) for _ in range(chance.randint(2, 12))]
            xs += [xs[0] * 2.1]
            law = scaling.fit([(x, factor * x ** exponent) for x in xs])
            assert law is not None
            self.assertAlmostEqual(law.exponent, exponent, places=8)
            self.assertAlmostEqual(law.factor / factor, 1, places=6)
            self.assertAlmostEqual(law.error, 0, places=6)
            self.assertAlmostEqual(law(xs[0]) / (factor * xs[0] ** exponent), 1, places=6)

    def test_by_hand(self) -> None:
        # Logarithms to base 10: (0,0), (1,1), (2,1): slope 1/2, rests -1/6, 1/3, -1/6, whose
        # squares sum to 1/6; spread 2; error = √(1/6 / 1 / 2).
        law = scaling.fit([(1, 1), (10, 10), (100, 10)])
        assert law is not None
        self.assertAlmostEqual(law.exponent, 0.5)
        self.assertAlmostEqual(law.error, math.sqrt(1 / 12))
        self.assertAlmostEqual(law.factor, 10 ** (1 / 6))
        self.assertEqual(str(law), "0.50 ± 0.29 (3)")

    def test_no_line_is_better_than_that_of_least_squares(self) -> None:
        chance = random.Random(5)

        def squares(points: list[scaling.Point], exponent: float, factor: float) -> float:
            return sum((math.log(y) - math.log(factor) - exponent * math.log(x)) ** 2
                       for x, y in points)

        for _ in range(300):
            points = [(math.exp(chance.uniform(5, 16)), math.exp(chance.uniform(-3, 5)))
                      for _ in range(chance.randint(3, 12))] + [(1e8, 1.0)]
            law = scaling.fit(points)
            assert law is not None
            least = squares(points, law.exponent, law.factor)
            for _ in range(10):
                self.assertLess(least, squares(points, law.exponent + chance.uniform(-.1, .1),
                                               law.factor * math.exp(chance.uniform(-.1, .1))))

    def test_too_few_points(self) -> None:
        self.assertIsNone(scaling.fit([]))
        self.assertIsNone(scaling.fit([(1, 1), (2, 2)]))
        self.assertIsNone(scaling.fit([(3, 1), (3, 2), (3, 4)]))
        self.assertIsNone(scaling.fit([(3, 1), (4, 2), (5.9, 4)]))
        self.assertIsNotNone(scaling.fit([(3, 1), (4, 2), (6, 4)]))


class SectionTest(unittest.TestCase):
    ROWS = ("ctw(2,2,2)", "ctw(3,3,2)", "ctw(4,4,2)", "ctw(5,5,2)", "ctw(6,6,2)")

    def records(self) -> list[Record]:
        """Time is 1e-6 s · states^1.25, memory 20 MB and 100 bytes per state; the first run is too
        short to count, and the last one beyond its limit."""
        sizes = (9_000, 20_000, 100_000, 1_000_000, 2_000_000)
        runs = [run(row, n, 1e-6 * n ** 1.25, 20 + 100 * n / (1 << 20))
                for row, n in zip(self.ROWS, sizes)]
        runs[0]["peak_memory_mb"] = 20.0
        return runs

    def line(self, records: list[Record]) -> list[str]:
        (line,) = scaling.exponents(scaling.scaling_runs(records)).rows
        return list(line)

    def test_what_counts(self) -> None:
        runs = scaling.scaling_runs(self.records() + [
            run("ctw(4,4,4)", 10, 1, 30), run("ctw(4,5,2)", 10, 1, 30, status="limit"),
            run("ctw(4,5,2)", 10, 1, 30, "lp"), run("ctw(4,5,2)", 0, 1, 30)])
        self.assertEqual([r["row"] for r in runs], list(self.ROWS[:4]),
                         "solved in time, on rows of the set, by configurations of the set")
        self.assertEqual([x for x, _ in scaling.time_points(runs)], [20_000, 100_000, 1_000_000])
        self.assertEqual([x for x, _ in scaling.memory_points(runs, 20)], [1_000_000])

    def test_the_table(self) -> None:
        line = self.line(self.records())
        self.assertEqual(line[:4], ["ctw", "`carl-vi`", "4", "1,000,000"])
        self.assertEqual(line[4:7], ["31.62", "115", "1.25 ± 0.00 (3)"])
        self.assertEqual(line[7:], ["–", "100"], "one run shows bytes per state, but no exponent")

    def test_memory(self) -> None:
        records = self.records()
        for record, n in zip(records[1:], (10**6, 4 * 10**6, 8 * 10**6)):
            record["statistics"]["generated"] = n
            record["peak_memory_mb"] = 20 + 250 * n / (1 << 20)
        self.assertEqual(self.line(records)[7:], ["1.00 ± 0.00 (3)", "250"])

    def test_the_page(self) -> None:
        blocks = scaling.section(self.records())
        figures = [block for block in blocks if isinstance(block, Figure)]
        self.assertEqual([figure.name for figure in figures],
                         ["scaling-time-carl-vi", "scaling-memory-carl-vi"])
        for figure in figures:
            dots = xml.etree.ElementTree.fromstring(figure.svg).findall(
                "{http://www.w3.org/2000/svg}circle")
            self.assertEqual(len(dots), 4 if "time" in figure.name else 3,
                             "the smallest run has no memory beyond its own")
        self.assertIn("ctw: exponent 1.25", figures[0].svg)
        self.assertEqual(sum(isinstance(block, Table) for block in blocks), 1)
        self.assertEqual(scaling.section([run("sar(4,3,.75)", 10, 1, 30)]), [])
        self.assertEqual(scaling.section([run("ctw(4,4,2)", 10, 1, 30)]), [],
                         "a row of the set, but also of others")


if __name__ == "__main__":
    unittest.main()
