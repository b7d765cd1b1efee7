"""The plots of the report."""
from __future__ import annotations

import statistics
from collections import defaultdict
from typing import Sequence

from .aggregate import PHASES, domain_of, phase_seconds, solved
from .configurations import BASELINE
from .database import Record
from .document import Figure
from .svg import COLOURS, Axis, Canvas

FASTEST = 0.01
"""Seconds at which the logarithmic axes begin."""


def _colours(names: Sequence[str]) -> dict[str, str]:
    return {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(names)}


def cumulative_coverage(records: Sequence[Record], names: Sequence[str]) -> Figure:
    limit = max(r["time_limit"] for r in records)
    runs = max(sum(r["configuration"] == name for r in records) for name in names)
    canvas = Canvas(760, 400, "Instances solved within a time")
    x = Axis(FASTEST, limit, 64, 560, logarithmic=True)
    y = Axis(0, runs, 350, 20)
    canvas.axes(x, y, "CPU seconds", "instances solved")
    colours = _colours(names)
    totals = []
    for name in names:
        times = sorted(r["cpu_seconds"] for r in records
                       if r["configuration"] == name and solved(r))
        points = [(x.start, y.place(0))]
        for count, seconds in enumerate(times, start=1):
            points += [(x.place(seconds), y.place(count - 1)), (x.place(seconds), y.place(count))]
        points.append((x.end, y.place(len(times))))
        canvas.path(points, colours[name])
        totals.append((f"{name}: {len(times)}", colours[name]))
    canvas.legend(580, 24, totals)
    return Figure("coverage", str(canvas), "How many instances are solved within a given time.")


def scatter(records: Sequence[Record], other: str) -> Figure:
    """Every instance both have tried; what is unsolved lies on the dashed line at the limit."""
    limit = max(r["time_limit"] for r in records)
    canvas = Canvas(620, 460, f"{BASELINE} and {other}")
    x = Axis(FASTEST, limit, 64, 464, logarithmic=True)
    y = Axis(FASTEST, limit, 410, 10, logarithmic=True)
    canvas.axes(x, y, f"{BASELINE}, CPU seconds", f"{other}, CPU seconds")
    canvas.line(x.start, y.start, x.end, y.end, "#999")
    canvas.line(x.end, y.start, x.end, y.end, "#999", "4 3")
    canvas.line(x.start, y.end, x.end, y.end, "#999", "4 3")
    by_name = {name: {r["instance"]: r for r in records if r["configuration"] == name}
               for name in (BASELINE, other)}
    domains = list(dict.fromkeys(domain_of(r) for r in records))
    colours = _colours(domains)
    above = 0
    for instance, ours in by_name[BASELINE].items():
        theirs = by_name[other].get(instance)
        if theirs is None:
            continue
        times = [r["cpu_seconds"] if solved(r) else limit for r in (ours, theirs)]
        above += times[1] > times[0]
        canvas.dot(x.place(times[0]), y.place(times[1]), colours[domain_of(ours)],
                   f"{instance}: {times[0]:.2f} s, {times[1]:.2f} s")
    canvas.legend(484, 24, list(colours.items()))
    return Figure(f"scatter-{other}", str(canvas),
                  f"Time of `{BASELINE}` and of `{other}` on the same instance. Above the diagonal "
                  f"`{BASELINE}` is faster ({above} instances); unsolved ones lie on the dashed "
                  "lines.")


def phases(records: Sequence[Record], names: Sequence[str]) -> Figure:
    """Shares of the total time over all solved instances of a domain."""
    sums = phase_seconds(records)
    domains = list(dict.fromkeys(domain_of(r) for r in records))
    bars = [(d, n) for d in domains for n in names if sum(sums.get((d, n), {}).values()) > 0]
    canvas = Canvas(760, 30 + 18 * len(bars) + 10 * len(domains), "Where the time goes")
    colours = _colours(PHASES)
    y, previous = 10.0, ""
    for domain, name in bars:
        if previous not in ("", domain):
            y += 10
        previous = domain
        canvas.text(206, y + 12, f"{domain}, {name}", "end")
        parts = sums[domain, name]
        total, x = sum(parts.values()), 214.0
        for phase in PHASES:
            width = 400 * parts[phase] / total
            canvas.box(x, y, width, 14, colours[phase], f"{phase}: {parts[phase]:.2f} s")
            x += width
        y += 18
    canvas.legend(640, 12, list(colours.items()))
    return Figure("phases", str(canvas), "Where the time goes, over all solved instances of a "
                  "domain: shares of reading, grounding, heuristics, search and extraction.")


def scalarised_problems(records: Sequence[Record]) -> Figure | None:
    """One dot per instance; only planners that scalarise have any."""
    counts: dict[tuple[str, str], list[int]] = defaultdict(list)
    for record in filter(solved, records):
        count = record.get("statistics", {}).get("scalarised_ssps", 0)
        if count > 0:
            counts[record["row"], record["configuration"]].append(count)
    if not counts:
        return None
    rows = list(dict.fromkeys(row for row, _ in counts))
    names = list(dict.fromkeys(name for _, name in counts))
    colours = _colours(names)
    right = 64 + 18 * len(rows)
    canvas = Canvas(right + 230, 430, "Scalarised problems per instance")
    highest = max(max(values) for values in counts.values())
    x = Axis(0, len(rows), 64, right)
    y = Axis(1, max(10, highest), 300, 20, logarithmic=True)
    canvas.axes(x, y, "", "scalarised problems", x_ticks=False)
    for i, row in enumerate(rows):
        middle = x.place(i + 0.5)
        canvas.text(middle + 4, y.start + 10, row, "end", turn=-60)
        for k, name in enumerate(names):
            for count in counts.get((row, name), ()):
                offset = (k - (len(names) - 1) / 2) * 4
                canvas.dot(middle + offset, y.place(count), colours[name],
                           f"{row}, {name}: {count}", 2.5)
    means = {name: statistics.fmean(c for (_, n), v in counts.items() if n == name for c in v)
             for name in names}
    canvas.legend(right + 16, 24,
                  [(f"{name}: mean {means[name]:.1f}", colours[name]) for name in names])
    return Figure("scalarised-problems", str(canvas),
                  "How many scalarised problems were solved for each instance.")
