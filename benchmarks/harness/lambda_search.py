"""The search for λ*: how many scalarised problems it takes, what λ* looks like, and how much sooner
it is found with CG-iLAO* than with iLAO*.

Where coordinate search gets stuck, the subgradient method goes on for up to 2,000 steps. Here such
runs end all the same; in the paper they do not within the time limit, so that its figures are of
runs in which coordinate search finds λ*. The two kinds are kept apart.
"""
from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import Any, Sequence

from .aggregate import FEW, domain_of, multiple, solved
from .configurations import LAMBDA_PAIRS
from .database import Record
from .document import Block, Paragraph, Table
from .stuck import got_stuck
from .tables import TITLES, seconds_text

NOTICEABLE = 0.1
"""Seconds that the slower one must take for a ratio of times to λ* to count."""


@dataclass(frozen=True)
class Search:
    """Of one solved run."""
    seconds: float
    """CPU time until λ* was known. The planner's own account is by the clock; the share that it
    gives is taken of the CPU time, so that waiting for a processor does not count."""
    distinct: int
    nonzero: int
    share: float | None
    """Of the whole time, spent on scalarised problems."""
    stuck: bool
    """Coordinate search ended below the optimum, and the subgradient method went on."""


def search_of(record: Record) -> Search | None:
    """None if it is not known, or nothing was solved."""
    found: dict[str, Any] = record.get("statistics", {})
    search = found.get("multiplier_search")
    if search is None or not solved(record):
        return None
    seconds = found.get("seconds", {})
    total = seconds.get("total", 0.0)
    if total <= 0:
        return Search(search["seconds"], search["distinct"], search["nonzero"], None,
                      got_stuck(record))
    share = seconds["scalarised_ssps"] / total if "scalarised_ssps" in seconds else None
    return Search(record["cpu_seconds"] * search["seconds"] / total, search["distinct"],
                  search["nonzero"], share, got_stuck(record))


def searches(records: Sequence[Record], name: str, domain: str | None = None) -> list[Search]:
    return [s for r in records
            if r["configuration"] == name and domain in (None, domain_of(r))
            and (s := search_of(r)) is not None]


def _statistics(name: str, where: str, found: Sequence[Search]) -> list[str]:
    shares = [s.share for s in found if s.share is not None]
    return [f"`{name}`", where, str(len(found)),
            f"{statistics.fmean(s.distinct for s in found):.1f}",
            str(max(s.distinct for s in found)),
            f"{statistics.fmean(s.nonzero for s in found):.2f}",
            str(max(s.nonzero for s in found)),
            f"{100 * statistics.fmean(shares):.0f}%" if shares else "–"]


def statistics_table(records: Sequence[Record], names: Sequence[str]) -> list[Block]:
    """Runs that got stuck have lines of their own."""
    lines = []
    for name in names:
        for domain in (*TITLES, None):
            where = domain or "**all**"
            found = searches(records, name, domain)
            stuck = [s for s in found if s.stuck]
            if others := [s for s in found if not s.stuck]:
                lines.append(_statistics(name, f"{where}, not stuck" if stuck else where, others))
            if stuck:
                lines.append(_statistics(name, f"{where}, stuck", stuck))
    if not lines:
        return []
    return [Table(["configuration", "domain", "solved runs", "distinct λ, mean", "most",
                   "non-zero entries of λ*, mean", "most", "time in λ-SSPs, mean share"], lines)]


@dataclass(frozen=True)
class Pair:
    """A row on which both have found λ*: mean seconds over the instances of both."""
    row: str
    ours: float
    theirs: float
    instances: int

    @property
    def ratio(self) -> float:
        return multiple(self.ours, self.theirs)

    @property
    def counts(self) -> bool:
        return max(self.ours, self.theirs) >= NOTICEABLE


def pairs(records: Sequence[Record], ours: str, theirs: str) -> list[Pair]:
    """Of instances where the coordinate search of both finds λ*."""
    by_name = {name: {r["instance"]: s.seconds for r in records if r["configuration"] == name
                      and (s := search_of(r)) is not None and not s.stuck}
               for name in (ours, theirs)}
    rows: dict[str, list[str]] = {}
    for record in records:
        instance = record["instance"]
        if record["configuration"] == ours and all(instance in by_name[n] for n in by_name):
            rows.setdefault(record["row"], []).append(instance)
    return [Pair(row, statistics.fmean(by_name[ours][i] for i in instances),
                 statistics.fmean(by_name[theirs][i] for i in instances), len(instances))
            for row, instances in rows.items()]


def ratio_text(found: Sequence[Pair]) -> str:
    """Arithmetic, as the paper's seems to be, and geometric."""
    ratios = [p.ratio for p in found if p.counts]
    if not ratios:
        return "no row takes long enough"
    few = ", few" if len(ratios) < FEW else ""
    return (f"{statistics.fmean(ratios):.2f} times in the mean (geometric "
            f"{statistics.geometric_mean(ratios):.2f}), {max(ratios):.2f} at most, "
            f"{min(ratios):.2f} at least ({len(ratios)} rows{few})")


def comparison(records: Sequence[Record]) -> list[Block]:
    """CG-iLAO* against iLAO*, one row of the table for each row."""
    blocks: list[Block] = []
    for ours, theirs in LAMBDA_PAIRS.items():
        found = pairs(records, ours, theirs)
        if not found:
            continue
        lines = [[p.row, str(p.instances), seconds_text(p.ours), seconds_text(p.theirs),
                  f"{p.ratio:.2f}" if p.counts else "–"] for p in found]
        blocks += [Table(["row", "instances", f"`{ours}`, s to λ*", f"`{theirs}`, s to λ*",
                          "ratio"], lines),
                   Paragraph(f"`{theirs}` takes {ratio_text(found)} as long as `{ours}`.")]
    return blocks
