"""From results to figures: coverage, means with confidence intervals, ratios.

Times are CPU seconds, which a busy machine disturbs less than the clock on the wall.
"""
from __future__ import annotations

import math
import statistics
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import Iterable, Sequence

from .database import Record
from .instances import ALL_ROWS

WORTH_COMPARING = 0.5
"""Seconds that the slower of two planners must take for their ratio to count."""
NO_DIFFERENCE = 0.01
"""Seconds between two means that say nothing."""

ALMOST = 0.9
"""Share of a limit that counts as all of it."""
TRIES = 2
"""Instances of a row that run out of time, after which the others are not worth a try."""
FEW = 5
"""Rows. A mean of fewer ratios is said to be one."""

PHASES = ("parse", "ground", "heuristic", "search", "extract")
"""What a planner's time is made of, by its own account."""

# Two-sided 95% quantiles of Student's t distribution for 1 to 30 degrees of freedom.
_STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179,
            2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
            2.060, 2.056, 2.052, 2.048, 2.045, 2.042)


def domain_of(record: Record) -> str:
    return ALL_ROWS[record["row"]].domain


def solved(record: Record) -> bool:
    """An answer, of whatever kind, within the time limit."""
    return (record["status"] in ("optimal", "infeasible", "no-proper-policy")
            and record["cpu_seconds"] <= record["time_limit"])


def ran_out(record: Record) -> bool:
    """Of time or memory. One that ended by itself, with whatever answer, has not."""
    if solved(record):
        return False
    return (record["status"] in ("killed", "out-of-memory")
            or record["cpu_seconds"] >= ALMOST * record["time_limit"]
            or record.get("peak_memory_mb", 0) >= ALMOST * record.get("memory_limit_mb", math.inf))


def ended_open(record: Record) -> bool:
    """It ended by itself with a policy of which it cannot say that it is optimal."""
    return (not solved(record) and record["status"] == "limit" and not ran_out(record)
            and record.get("objective") is not None)


def half_width(values: Sequence[float]) -> float | None:
    """Of the 95% confidence interval of the mean; None for fewer than two values."""
    if len(values) < 2:
        return None
    freedom = len(values) - 1
    quantile = _STUDENT[freedom - 1] if freedom <= len(_STUDENT) else 1.96 + 2.4 / freedom
    return quantile * statistics.stdev(values) / math.sqrt(len(values))


@dataclass(frozen=True)
class Cell:
    """One planner on one row."""
    coverage: int
    runs: int
    mean: float | None = None
    half_width: float | None = None
    open: int = 0
    """Runs that ended with a policy which is not certified to be optimal."""
    left: bool = False
    """The first instances ran out of time or memory, and the others were not tried."""

    @property
    def high(self) -> float:
        return math.inf if self.mean is None else self.mean + (self.half_width or 0)

    @property
    def low(self) -> float:
        return math.inf if self.mean is None else self.mean - (self.half_width or 0)


def cell(records: Sequence[Record]) -> Cell:
    times = [r["cpu_seconds"] for r in records if solved(r)]
    still_open = sum(map(ended_open, records))
    if not times:
        return Cell(0, len(records), open=still_open)
    return Cell(len(times), len(records), statistics.fmean(times), half_width(times), still_open)


def cells(records: Iterable[Record]) -> dict[tuple[str, str], Cell]:
    """By row and configuration."""
    groups: dict[tuple[str, str], list[Record]] = defaultdict(list)
    for record in records:
        groups[record["row"], record["configuration"]].append(record)
    most: Counter[str] = Counter()
    for (row, _), group in groups.items():
        most[row] = max(most[row], len(group))
    return {(row, name): replace(cell(group), left=TRIES <= len(group) < most[row]
                                 and all(map(ran_out, group)))
            for (row, name), group in groups.items()}


def best(row: dict[str, Cell]) -> set[str]:
    """The planners of most coverage that are not clearly slower than the fastest of these: their
    confidence intervals meet."""
    most = max((c.coverage for c in row.values()), default=0)
    if most == 0:
        return set()
    leaders = {name: c for name, c in row.items() if c.coverage == most}
    fastest = min(leaders.values(), key=lambda c: c.mean or 0.0)
    return {name for name, c in leaders.items() if c.low <= fastest.high + NO_DIFFERENCE}


def phase_seconds(records: Iterable[Record]) -> dict[tuple[str, str], dict[str, float]]:
    """Sums over the solved instances, by domain and configuration."""
    sums: dict[tuple[str, str], dict[str, float]] = defaultdict(lambda: dict.fromkeys(PHASES, 0.0))
    for record in filter(solved, records):
        seconds = record.get("statistics", {}).get("seconds", {})
        for phase in PHASES:
            sums[domain_of(record), record["configuration"]][phase] += seconds.get(phase, 0.0)
    return sums


def multiple(ours: float, theirs: float) -> float:
    """How many times as long theirs takes. A clock that shows 0 has not measured anything."""
    return max(theirs, 1e-3) / max(ours, 1e-3)


@dataclass(frozen=True)
class Comparison:
    """A planner's time against the baseline's, row by row."""
    times: dict[str, tuple[float, float]]
    """Mean seconds of the baseline and of the other over the instances of a row both solve."""
    only_baseline: Counter[str]
    """Instances that only the baseline solves, by row; and the other way round."""
    only_other: Counter[str]

    @property
    def ratios(self) -> dict[str, float]:
        """Its time as a multiple of the baseline's, of the rows that take long enough."""
        return {row: multiple(*times) for row, times in self.times.items()
                if max(times) >= WORTH_COMPARING}

    @property
    def geometric_mean(self) -> float | None:
        return statistics.geometric_mean(self.ratios.values()) if self.ratios else None

    def slower_baseline(self) -> dict[str, float]:
        return {row: ratio for row, ratio in self.ratios.items() if ratio < 1}


def compare(records: Sequence[Record], baseline: str, other: str) -> Comparison:
    """Mean times over the instances of a row that both solve."""
    solved_by = {name: {r["instance"]: r for r in records
                        if r["configuration"] == name and solved(r)} for name in (baseline, other)}
    tried = {name: {r["instance"] for r in records if r["configuration"] == name}
             for name in (baseline, other)}

    def only_first(first: str, second: str) -> Counter[str]:
        return Counter(record["row"] for instance, record in solved_by[first].items()
                       if instance in tried[second] and instance not in solved_by[second])

    pairs: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for instance, record in solved_by[baseline].items():
        if instance in solved_by[other]:
            pairs[record["row"]].append((record["cpu_seconds"],
                                         solved_by[other][instance]["cpu_seconds"]))
    means = {row: (statistics.fmean(ours), statistics.fmean(theirs))
             for row, (ours, theirs) in ((row, zip(*times)) for row, times in pairs.items())}
    return Comparison(means, only_first(baseline, other), only_first(other, baseline))
