"""Runs in which coordinate search got stuck below the optimum, so that the subgradient method went
on: up to 2,000 scalarised problems where a handful are enough otherwise. The paper's CARL does not
end in time then and counts as unsolved; ours ends, and its time makes ratios larger than they would
be over the instances that the paper's could be compared on. So ratios are given without them, too.
"""
from __future__ import annotations

import statistics
from typing import Sequence

from .aggregate import FEW, Comparison, compare, domain_of, multiple, solved
from .configurations import BASELINE, CONFIGURATIONS
from .database import Record
from .document import Block, Paragraph, Table
from .tables import seconds_text


def got_stuck(record: Record) -> bool:
    return "got stuck" in (record.get("note") or "")


def stuck_runs(records: Sequence[Record], name: str) -> list[Record]:
    """Those that ended with a solution."""
    return [r for r in records if r["configuration"] == name and got_stuck(r) and solved(r)]


def ratios_without(records: Sequence[Record], name: str) -> list[float]:
    """Time of a planner as a multiple of the default's, of the same rows as with all instances,
    whatever they take without the instances on which it got stuck."""
    stuck = {r["instance"] for r in stuck_runs(records, name)}
    without = compare([r for r in records if r["instance"] not in stuck], BASELINE, name)
    counted = compare(records, BASELINE, name).ratios
    return [multiple(*times) for row, times in without.times.items() if row in counted]


def _ratio(ratios: Sequence[float]) -> str:
    if not ratios:
        return "–"
    few = ": few" if len(ratios) < FEW else ""
    return f"{statistics.geometric_mean(ratios):.2f} ({len(ratios)}{few})"


def _mean_seconds(records: Sequence[Record]) -> str:
    return seconds_text(statistics.fmean(r["cpu_seconds"] for r in records)) if records else "–"


def table(records: Sequence[Record], names: Sequence[str]) -> list[Block]:
    """Of the planners that ever got stuck: how often, how long that takes, and their ratios with and
    without those runs, in the domains concerned and in all."""
    found = {name: own for name in names if (own := stuck_runs(records, name))}
    if not found:
        return [Paragraph("No run got stuck.")] if records else []
    domains = list(dict.fromkeys(domain_of(r) for own in found.values() for r in own))
    concerned = [r for r in records if domain_of(r) in domains]
    lines = []
    for name, own in found.items():
        rows = {r["row"] for r in own}
        others = [r for r in records if r["configuration"] == name and r["row"] in rows
                  and solved(r) and not got_stuck(r)]
        lines.append([f"`{name}`", f"{len(own)} of {len(own) + len(others)}", _mean_seconds(own),
                      _mean_seconds(others)])
        for part in (concerned, records):
            lines[-1] += [_ratio(_ratios(compare(part, BASELINE, name))),
                          _ratio(ratios_without(part, name))]
    where = ", ".join(domains)
    return [Table(["configuration", "stuck, of the solved runs on those rows", "mean s, stuck",
                   "mean s, not stuck", f"time / `{BASELINE}` on {where} (rows)",
                   "without the stuck ones", "on all rows", "without the stuck ones"], lines)]


def _ratios(comparison: Comparison) -> list[float]:
    return list(comparison.ratios.values())


def _heuristic(name: str) -> str:
    return CONFIGURATIONS[name].explanation.rpartition(", ")[2]


def sentence(records: Sequence[Record], names: Sequence[str]) -> list[Block]:
    """The same of all rows, in a few words."""
    said = [f"{_ratio(ratios_without(records, name))} with {_heuristic(name)}" for name in names
            if stuck_runs(records, name)]
    if not said:
        return []
    return [Paragraph("Without the instances on which its coordinate search gets stuck, which the "
                      "paper's does not solve in time, the ratio of CARL as in the paper is "
                      f"{', '.join(said)}, on the same rows.")]
