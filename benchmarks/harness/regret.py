"""Regret: what it costs to leave the choice of algorithm and heuristic to the default.

On every row the default should take at most twice as long as the best of our own options, and
0.05 s. An option that takes longer than would show the opposite need not be awaited, so options are
cut off there. Times vary: where an option was quick enough to tell, it and the default are measured
again, by turns, and the medians decide.
"""
from __future__ import annotations

import enum
import math
import statistics
from collections import defaultdict
from dataclasses import dataclass
from typing import Iterable, Mapping, Sequence

from .configurations import BASELINE, OWN, OWN_OPTIONS, own_options_for
from .database import Record
from .document import Block, Heading, Paragraph, Table
from .experiment import REGRET_GROUPS
from .instances import Row
from .planner import ERRORS, SOLVED

FACTOR = 2
ALLOWANCE = 0.05
"""Seconds: much of what is less goes into starting a process."""
REPETITIONS = 3


class Verdict(enum.Enum):
    INSIDE = "inside"
    OUTSIDE = "**outside**"
    UNSOLVED = "solved by none"
    OPEN = "not run in full"


@dataclass(frozen=True)
class Judgement:
    """Of one instance; times in CPU seconds."""
    verdict: Verdict
    default: float | None = None
    """None: it reached its limit."""
    option: str | None = None
    """The best one, if one has an answer."""
    seconds: float | None = None
    """Of the best one; without one, what all others have exceeded."""
    disputed: str | None = None
    """The option that is to be measured again, together with the default."""
    limit: float = math.inf
    """Of the default, where it was reached."""


def telling(default_seconds: float) -> float:
    """An option that takes less than this shows that the default takes too long."""
    return max(0.0, (default_seconds - ALLOWANCE) / FACTOR)


def cut_off(default: Record) -> float:
    """The limit of the options' CPU time, a little more than would tell; 0: none can tell."""
    if default["status"] not in SOLVED:
        return float(default["time_limit"])
    enough = telling(default["cpu_seconds"])
    return math.ceil(110 * enough) / 100 + 0.01 if enough > 0 else 0.0


def _seconds(record: Record) -> float:
    return float(record["cpu_seconds"]) if record["status"] in SOLVED else math.inf


class _Runs:
    """Of one configuration on one instance."""

    def __init__(self) -> None:
        self.first: Record | None = None
        self.again: dict[int, Record] = {}

    def add(self, record: Record) -> None:
        if repetition := record.get("repetition", 0):
            self.again[repetition] = record
        else:
            self.first = record
            self.again = {}  # they were of an older one

    @property
    def is_certain(self) -> bool:
        return len(self.again) >= REPETITIONS

    @property
    def seconds(self) -> float:
        """Infinite without an answer."""
        if self.is_certain:
            return statistics.median(map(_seconds, self.again.values()))
        return math.inf if self.first is None else _seconds(self.first)


def judge(records: Iterable[Record], options: Sequence[str]) -> Judgement:
    """Runs of the default and of the options on one instance; of equal ones the last counts."""
    runs: dict[str, _Runs] = defaultdict(_Runs)
    for record in records:
        runs[record["configuration"]].add(record)
    default = runs[BASELINE].first
    if default is None or default["status"] in ERRORS:
        return Judgement(Verdict.OPEN)
    times = {name: runs[name].seconds for name in options if runs[name].seconds < math.inf}
    best = min(times, key=lambda name: times[name], default=None)
    complete = all(_tried(runs[name].first, default) for name in options)
    if default["status"] not in SOLVED:
        return _judge_without_answer(default, best, times, complete)
    if cut_off(default) == 0:
        return Judgement(Verdict.INSIDE, default["cpu_seconds"])
    ours = min(runs[BASELINE].seconds, default["time_limit"])
    quick = {name: seconds for name, seconds in times.items() if seconds < telling(ours)}
    certain = {name: seconds for name, seconds in quick.items()
               if runs[name].is_certain and runs[BASELINE].is_certain}
    if certain:
        best = min(certain, key=lambda name: certain[name])
        return Judgement(Verdict.OUTSIDE, ours, best, certain[best])
    if quick:
        best = min(quick, key=lambda name: quick[name])
        return Judgement(Verdict.OPEN, ours, best, quick[best], disputed=best)
    return Judgement(Verdict.INSIDE if complete else Verdict.OPEN, ours, best,
                     cut_off(default) if best is None else times[best])


def _tried(first: Record | None, default: Record) -> bool:
    """For long enough to tell. What cannot be run at all is reported apart, as an error."""
    if first is None:
        return False
    return (first["status"] in SOLVED or first["status"] in ERRORS
            or first["time_limit"] >= min(cut_off(default), telling(default["cpu_seconds"])))


def _judge_without_answer(default: Record, best: str | None, times: Mapping[str, float],
                          complete: bool) -> Judgement:
    """The default has reached its limit, and would have needed longer than that."""
    limit = default["time_limit"]
    if best is None:
        return Judgement(Verdict.UNSOLVED if complete else Verdict.OPEN, limit=limit)
    outside = times[best] < telling(limit)
    return Judgement(Verdict.OUTSIDE if outside else Verdict.OPEN, None, best, times[best],
                     limit=limit)


def _cells(judgement: Judgement) -> list[str]:
    """The default's seconds, the best option, its seconds, the ratio."""
    ours, theirs = judgement.default, judgement.seconds
    if ours is None:
        default = f"> {judgement.limit:g}" if judgement.limit < math.inf else ""
    else:
        default = f"{ours:.2f}"
    if theirs is None:
        return [default, "", "", ""]
    ratio = (judgement.limit if ours is None else ours) / max(theirs, 1e-3)
    if judgement.option is None:
        return [default, "–", f"> {theirs:.2f}", f"< {ratio:.1f}"]
    return [default, judgement.option.removeprefix(OWN), f"{theirs:.2f}",
            f"> {ratio:.1f}" if ours is None else f"{ratio:.1f}"]


def _verdict_text(judgement: Judgement) -> str:
    if judgement.disputed:
        return "to be measured again"
    if judgement.verdict is Verdict.OPEN and judgement.default is None and judgement.option:
        return "a longer limit would tell"
    return judgement.verdict.value


def table(judgements: Mapping[str, Judgement]) -> Table:
    return Table(["instance", "default", "best option", "seconds", "ratio", "verdict"],
                 [[row, *_cells(j), _verdict_text(j)] for row, j in judgements.items()])


def summary(judgements: Mapping[str, Judgement]) -> str:
    def rows(verdict: Verdict) -> list[str]:
        return [row for row, j in judgements.items() if j.verdict is verdict]

    text = f"{len(rows(Verdict.INSIDE))} of {len(judgements)} rows are inside"
    for verdict, words in ((Verdict.OUTSIDE, "outside"), (Verdict.UNSOLVED, "solved by none"),
                           (Verdict.OPEN, "not run in full")):
        if found := rows(verdict):
            text += f"; {words}: {', '.join(found)}"
    return text + "."


def failed_options(records: Iterable[Record]) -> str:
    """Said of those that no verdict takes into account."""
    names = sorted({r["configuration"].removeprefix(OWN) for r in records
                    if r["configuration"] in OWN_OPTIONS and r["status"] in ERRORS})
    return f"Not among the options, because they failed: {', '.join(names)}." if names else ""


def judgements_of(records: Iterable[Record], rows: Sequence[Row],
                  configurations: Iterable[str] = OWN_OPTIONS) -> dict[str, Judgement]:
    """By instance, in the order of the rows; only what the default was run on, with a limit on CPU
    time."""
    by_row: dict[str, dict[str, list[Record]]] = defaultdict(lambda: defaultdict(list))
    for record in records:
        if record.get("clock") == "cpu":
            by_row[record["row"]][record["instance"]].append(record)
    chosen = set(configurations)
    found = {}
    for row in rows:
        options = [name for name in own_options_for(row.is_explicit) if name in chosen]
        for instance, own in by_row[row.name].items():
            if any(r["configuration"] == BASELINE for r in own):
                found[instance] = judge(own, options)
    return found


def groups(judgements: Mapping[str, Judgement]) -> list[tuple[str, Table]]:
    """A table for each group of rows."""
    tables = []
    for title, rows in REGRET_GROUPS.items():
        names = {row.name for row in rows}
        own = {name: j for name, j in judgements.items() if name.rpartition("#")[0] in names}
        if own:
            tables.append((title, table(own)))
    return tables


RULE = (f"On every row the default should take at most {FACTOR} times as long as the best of our "
        f"own options, plus {ALLOWANCE:g} s: CARL with each search inside and each heuristic, the "
        "LP, i-dual and i²-dual. Options are cut off where they could no longer show the opposite; "
        f"where the default takes no more than {ALLOWANCE:g} s none is run. What looks outside is "
        f"measured {REPETITIONS} times more, default and option by turns, and then the medians "
        "count. CPU seconds; “>” and “<” are what a limit leaves open.")


def section(records: Sequence[Record]) -> list[Block]:
    """What the report says; nothing if no option was run."""
    if not any(r["configuration"] in OWN_OPTIONS for r in records):
        return []
    rows = [row for group in REGRET_GROUPS.values() for row in group]
    judgements = judgements_of(records, rows)
    blocks: list[Block] = [Heading("The default against our own options"), Paragraph(RULE),
                           Paragraph(summary(judgements))]
    if failed := failed_options(records):
        blocks.append(Paragraph(failed, alarm=True))
    for title, own in groups(judgements):
        blocks += [Heading(title, 3), own]
    return blocks
