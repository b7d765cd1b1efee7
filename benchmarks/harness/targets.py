"""The targets for the default's speed, measured: each is a line of a table that says what was asked
for, what came out, and whether that is enough. What was not run in full is neither met nor missed.
"""
from __future__ import annotations

import enum
import statistics
from collections import defaultdict
from dataclasses import dataclass
from typing import Sequence

from . import paper
from .aggregate import FEW, Cell, cells, compare, multiple, solved
from .configurations import BASELINE, MAIN, PAPERS_CARL
from .database import Record
from .document import Table
from .instances import PAPER_ROWS

DUAL_METHODS = ("i-dual", "i2-dual")
SAME_INSTANCES = ("exbw", "parc", "ctw")
"""Domains where our problems are those of the paper, as far as it tells."""
NOTICEABLE = 0.1
"""Seconds: much of what is less goes into starting a process."""


class Verdict(enum.Enum):
    MET = "met"
    MISSED = "**missed**"
    OPEN = "not run in full"


@dataclass(frozen=True)
class Target:
    against: str
    goal: str
    measured: str
    verdict: Verdict


def _judged(met: bool, complete: bool = True) -> Verdict:
    if not met:
        return Verdict.MISSED
    return Verdict.MET if complete else Verdict.OPEN


def _listed(items: Sequence[str]) -> str:
    return ", ".join(items)


def _all_rows_run(records: Sequence[Record], names: Sequence[str]) -> bool:
    run = {(r["row"], r["configuration"]) for r in records}
    return all((row.name, name) in run for row in PAPER_ROWS for name in (BASELINE, *names))


def _rows(count: int) -> str:
    return f"{count} row" if count == 1 else f"{count} rows"


def better_of(records: Sequence[Record], names: Sequence[str]) -> list[Record]:
    """The runs of that one of the planners which is better on a row, under the name "better": it
    solves more instances, or as many in less time."""
    by_place = cells(r for r in records if r["configuration"] in names)
    choice: dict[str, tuple[tuple[int, float], str]] = {}
    for (row, name), cell in by_place.items():
        rank = -cell.coverage, cell.mean or 0.0
        choice[row] = min(choice.get(row, (rank, name)), (rank, name))
    return [r | {"configuration": "better"} for r in records
            if r["row"] in choice and r["configuration"] == choice[r["row"]][1]]


def speed_up(records: Sequence[Record], names: Sequence[str], against: str, factor: float,
             longer_than: float = 0.0) -> Target:
    """The geometric mean over the rows that the default and one of these planners solve."""
    goal = f"{factor:g} times as fast"
    theirs = better_of(records, names)
    if not theirs:
        return Target(against, goal, "", Verdict.OPEN)
    comparison = compare([*records, *theirs], BASELINE, "better")
    ratios = [ratio for row, ratio in comparison.ratios.items()
              if comparison.times[row][1] > longer_than]
    only_ours = [row for row in comparison.only_baseline if row not in comparison.times]
    more = f"; {len(only_ours)} more that only `{BASELINE}` solves" if only_ours else ""
    if not ratios:
        return Target(against, goal, f"no row takes long enough{more}", Verdict.OPEN)
    mean = statistics.geometric_mean(ratios)
    # Rows that were left out may have changed a mean for the better or the worse.
    verdict = _judged(mean >= factor) if _all_rows_run(records, names) else Verdict.OPEN
    few = ", few" if len(ratios) < FEW else ""
    return Target(against, goal, f"{mean:.1f} times ({_rows(len(ratios))}{few}{more})", verdict)


def slowdown(records: Sequence[Record], names: Sequence[str], most: float = 1.5) -> Target:
    """Against whichever configuration is the fastest on a row."""
    against, goal = "any configuration on any row", f"at most {most:g} times slower"
    worst: dict[str, tuple[float, str]] = {}
    lost = []
    others = [name for name in names if name != BASELINE]
    for name in others:
        comparison = compare(records, BASELINE, name)
        for row, ratio in comparison.ratios.items():
            worst[row] = max(worst.get(row, (0.0, "")), (1 / ratio, name))
        lost += [f"{row}: only `{name}` solves {count}"
                 for row, count in comparison.only_other.items()]
    if not worst and not lost:
        return Target(against, goal, "no row takes long enough", Verdict.OPEN)
    slower = sorted(((ratio, row, name) for row, (ratio, name) in worst.items()), reverse=True)
    said = [f"{ratio:.2f} times on {row} (`{name}`)" for ratio, row, name in slower if ratio > most]
    if not said and slower:
        ratio, row, name = slower[0]
        said = [f"{ratio:.2f} times at worst: {row}, `{name}`" if ratio > 1 else "never slower"]
    return Target(against, goal, _listed(said + lost) + f" ({_rows(len(worst))})",
                  _judged(not lost and all(ratio <= most for ratio, _, _ in slower),
                          _all_rows_run(records, MAIN)))


def _cell_text(cell: Cell | None) -> str:
    if cell is None:
        return "not run"
    return "unsolved" if cell.mean is None else f"{cell.mean:.2f} s"


def printer(records: Sequence[Record]) -> Target:
    """Few failures allowed: i²-dual needs little more than its first linear program there."""
    by_place = cells(records)
    rows = [row for row in PAPER_ROWS
            if row.domain == "parc" and float(dict(row.parameters)["f"]) <= 0.2]
    said, complete, missed = [], True, False
    for row in rows:
        ours, theirs = (by_place.get((row.name, name)) for name in (BASELINE, "i2-dual"))
        if ours is None or theirs is None:
            complete = False
            continue
        slower = _slower(ours, theirs)
        missed |= slower
        text = f"{row.name}: {_cell_text(ours)} against {_cell_text(theirs)}"
        said.append(f"**{text}**" if slower else text)
    return Target("PARC with f ≤ 0.2", f"no slower than i²-dual (by {NOTICEABLE:g} s)", _listed(said),
                  _judged(not missed, complete))


def _slower(ours: Cell, theirs: Cell) -> bool:
    if theirs.mean is None:
        return False
    return ours.mean is None or ours.mean >= theirs.mean + NOTICEABLE


def one_lift(records: Sequence[Record], runs: int = 30) -> Target:
    by_place = cells(records)
    rows = [row.name for row in PAPER_ROWS
            if row.domain == "elevators" and dict(row.parameters)["e"] == "1"]
    found = {row: by_place[row, BASELINE] for row in rows if (row, BASELINE) in by_place}
    return Target("Elevators with one elevator", f"all of {runs} instances",
                  _listed([f"{row}: {c.coverage} of {c.runs}" for row, c in found.items()]),
                  _judged(all(c.coverage == c.runs for c in found.values()),
                          len(found) == len(rows) and all(c.runs >= runs for c in found.values())))


def all_rows(records: Sequence[Record], seconds: float = 1800, runs: int = 3) -> Target:
    """One run that is solved in less than the time asked for, whatever the limit it had."""
    by_row: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        if record["configuration"] == BASELINE:
            by_row[record["row"]].append(record)
    against = "the paper's rows"
    goal = f"all {len(PAPER_ROWS)} within {seconds / 60:g} min and 4 GB, {runs} instances or more"
    ours = [r for own in by_row.values() for r in own]
    if not ours:
        return Target(against, goal, "", Verdict.OPEN)
    failed = [row for row, own in by_row.items()
              if not all(solved(r) and r["cpu_seconds"] <= seconds for r in own)]
    longest = max(ours, key=lambda r: float(r["cpu_seconds"]))
    fewest = min(map(len, by_row.values()))
    said = (f"{len(by_row) - len(failed)} of {len(by_row)} rows that were run, {fewest} "
            f"instances or more each; the longest took {longest['cpu_seconds']:.1f} s "
            f"({longest['instance']}), the largest "
            f"{max(r['peak_memory_mb'] for r in ours):.0f} MB")
    return Target(against, goal, said + ("; not " + _listed(failed) if failed else ""),
                  _judged(not failed, len(by_row) == len(PAPER_ROWS) and fewest >= runs))


def papers_best(planners: dict[str, paper.Entry]) -> float | None:
    """The least mean time among those of the paper's planners that solve most."""
    most = max(entry["coverage"] for entry in planners.values())
    means = [entry["mean"] for entry in planners.values()
             if entry["coverage"] == most and "mean" in entry]
    return min(means, default=None)


def papers_times(records: Sequence[Record], figures: paper.Figures, factor: float = 10,
                 longer_than: float = 2) -> Target:
    """The machines differ, which is why only an order of magnitude is asked for."""
    by_place = cells(records)
    against = f"the paper's best time where it is {longer_than:g} s or more (PARC, CTW, ExBW)"
    goal = f"{factor:g} times as fast"
    factors: dict[str, float] = {}
    unsolved, not_run = [], 0
    for row in PAPER_ROWS:
        theirs = papers_best(figures[row.name])
        if row.domain not in SAME_INSTANCES or theirs is None or theirs < longer_than:
            continue
        ours = by_place.get((row.name, BASELINE))
        if ours is None:
            not_run += 1
        elif ours.mean is None:
            unsolved.append(f"{row.name} (unsolved)")
        else:
            factors[row.name] = multiple(ours.mean, theirs)
    slow = unsolved + [f"{row} ({value:.1f} times)" for row, value in factors.items()
                       if value < factor]
    count = len(factors) + len(unsolved)
    said = f"on {count - len(slow)} of {count} rows" if count else ""
    return Target(against, goal, said + ("; not on " + _listed(slow) if slow else ""),
                  _judged(not slow, not_run == 0))


def against_others(records: Sequence[Record], names: Sequence[str]) -> list[Target]:
    """Of runs on the paper's rows."""
    return [
        speed_up(records, PAPERS_CARL,
                 "the paper's CARL in our code, the better of λ-LM-cut and λ-ROC per row", 5),
        speed_up(records, DUAL_METHODS,
                 "the better of i-dual and i²-dual, rows where it takes over 1 s", 20, 1.0),
        slowdown(records, names), printer(records)]


def alone(records: Sequence[Record], figures: paper.Figures) -> list[Target]:
    """What the runs of the default say by themselves."""
    return [one_lift(records), all_rows(records), papers_times(records, figures)]


def table(targets: Sequence[Target]) -> Table:
    return Table(["against", "target", "measured", "verdict"],
                 [[t.against, t.goal, t.measured, t.verdict.value] for t in targets], prose=True)
