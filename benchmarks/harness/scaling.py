"""Scaling: how time and memory grow with the number of states, as exponents of power laws.

A power law is a straight line on logarithmic axes, so its exponent is the slope of the line of least
squares there. Only what can be measured counts: short times are those of starting a process, and the
first megabytes those of the program itself.
"""
from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import Callable, Sequence

from .aggregate import domain_of, solved
from .configurations import CONFIGURATIONS
from .database import Record
from .document import Block, Figure, Heading, Paragraph, Table
from .experiment import EXPERIMENTS
from .svg import COLOURS, Axis, Canvas

Point = tuple[float, float]

MEASURABLE_SECONDS = 0.1
MEASURABLE_MEMORY = 2.0
"""Memory beyond the baseline, as a multiple of the baseline. The harness starts processes by
copying itself, which a small planner's peak does not exceed: the baseline may be too high by half."""
FEWEST_POINTS = 3
"""Two always lie on a line."""


@dataclass(frozen=True)
class PowerLaw:
    """y = factor · x^exponent"""
    exponent: float
    factor: float
    error: float
    """The standard error of the exponent."""
    points: int

    def __call__(self, x: float) -> float:
        return float(self.factor * x ** self.exponent)

    def __str__(self) -> str:
        return f"{self.exponent:.2f} ± {self.error:.2f} ({self.points})"


def fit(points: Sequence[Point]) -> PowerLaw | None:
    """None for too few points, or points that have one x in common."""
    if len(points) < FEWEST_POINTS or len({x for x, _ in points}) < 2:
        return None
    xs, ys = ([math.log(value) for value in column] for column in zip(*points))
    x_mean, y_mean = statistics.fmean(xs), statistics.fmean(ys)
    spread = sum((x - x_mean) ** 2 for x in xs)
    slope = sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys)) / spread
    constant = y_mean - slope * x_mean
    rest = sum((y - constant - slope * x) ** 2 for x, y in zip(xs, ys))
    error = math.sqrt(rest / (len(points) - 2) / spread)
    return PowerLaw(slope, math.exp(constant), error, len(points))


def states(record: Record) -> int:
    """All that the run has met, expanded or not: what time and memory went into."""
    return int(record.get("statistics", {}).get("generated", 0))


def time_points(records: Sequence[Record]) -> list[Point]:
    return [(states(r), r["cpu_seconds"]) for r in records
            if r["cpu_seconds"] >= MEASURABLE_SECONDS]


def smallest_memory(records: Sequence[Record]) -> float:
    """Megabytes: what a run takes on next to nothing."""
    return min(float(r["peak_memory_mb"]) for r in records)


def memory_points(records: Sequence[Record], baseline: float) -> list[Point]:
    """Megabytes beyond the baseline, the smallest run's."""
    return [(states(r), r["peak_memory_mb"] - baseline) for r in records
            if r["peak_memory_mb"] - baseline >= MEASURABLE_MEMORY * baseline]


def scaling_runs(records: Sequence[Record]) -> list[Record]:
    """Solved runs on the growing instances. (What stops at a limit has not paid for all states.)"""
    experiment = EXPERIMENTS["scaling"]
    rows = {row.name for row in experiment.rows}
    return [r for r in records if r["row"] in rows and states(r) > 0 and solved(r)
            and r["configuration"] in experiment.configurations]


def exponents(records: Sequence[Record]) -> Table:
    """Of `scaling_runs`."""
    baseline = smallest_memory(records)
    lines = []
    for domain in dict.fromkeys(map(domain_of, records)):
        for name in EXPERIMENTS["scaling"].configurations:
            own = [r for r in records if domain_of(r) == domain and r["configuration"] == name]
            if not own:
                continue
            largest = max(own, key=states)
            memory = memory_points(own, baseline)
            most = max(memory, default=None)
            laws = [fit(time_points(own)), fit(memory)]
            lines.append([domain, f"`{name}`", str(len(own)), f"{states(largest):,}",
                          f"{largest['cpu_seconds']:.2f}", f"{largest['peak_memory_mb']:.0f}",
                          *("–" if law is None else str(law) for law in laws),
                          "–" if most is None else f"{most[1] * (1 << 20) / most[0]:.0f}"])
    return Table(["domain", "configuration", "solved", "most states", "seconds", "MB",
                  "time: exponent (points)", "memory: exponent (points)", "bytes per state"], lines)


def _decades(values: Sequence[float]) -> tuple[float, float]:
    """Powers of ten around positive values."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return 10.0 ** low, 10.0 ** max(high, low + 1)


def plot(name: str, title: str, y_title: str, runs: dict[str, list[Record]],
         value: Callable[[Record], float], points: Callable[[list[Record]], list[Point]]) -> Figure:
    """A dot for every run of a domain and, through the points that count, the fitted line."""
    shown = {domain: [r for r in own if value(r) > 0] for domain, own in runs.items()}
    everything = [r for own in shown.values() for r in own]
    canvas = Canvas(760, 420, title)
    x = Axis(*_decades([states(r) for r in everything]), 64, 560, logarithmic=True)
    y = Axis(*_decades([value(r) for r in everything]), 370, 20, logarithmic=True)
    canvas.axes(x, y, "states generated", y_title)
    legend = []
    for (domain, own), colour in zip(shown.items(), COLOURS):
        for record in own:
            canvas.dot(x.place(states(record)), y.place(value(record)), colour,
                       f"{record['instance']}: {states(record):,} states, {value(record):.3g}")
        counted = points(own)
        law = fit(counted)
        if law is not None:
            ends = (min(counted)[0], max(counted)[0])
            canvas.path([(x.place(end), y.place(law(end))) for end in ends], colour)
        legend.append((domain if law is None else f"{domain}: exponent {law.exponent:.2f}", colour))
    canvas.legend(580, 24, legend)
    return Figure(name, str(canvas), f"{title}; the lines are the fitted power laws.")


def plots(records: Sequence[Record], name: str) -> list[Block]:
    """Time and memory of one configuration, a series per domain; of `scaling_runs`."""
    baseline = smallest_memory(records)
    own = [r for r in records if r["configuration"] == name]
    runs = {domain: [r for r in own if domain_of(r) == domain]
            for domain in dict.fromkeys(map(domain_of, own))}
    figures: list[Block] = []
    if runs:
        figures.append(plot(f"scaling-time-{name}", f"Time of {name} against states",
                            "CPU seconds", runs, lambda r: max(1e-3, float(r["cpu_seconds"])),
                            time_points))
    if any(r["peak_memory_mb"] > baseline for r in own):
        figures.append(plot(f"scaling-memory-{name}", f"Memory of {name} against states",
                            "MB beyond the smallest run's", runs,
                            lambda r: float(r["peak_memory_mb"]) - baseline,
                            lambda own: memory_points(own, baseline)))
    return figures


def section(records: Sequence[Record]) -> list[Block]:
    """What the report says; nothing if no growing instance was solved."""
    runs = scaling_runs(records)
    if not runs:
        return []
    names = EXPERIMENTS["scaling"].configurations
    explained = "; ".join(f"`{name}` is {CONFIGURATIONS[name].explanation}" for name in names)
    return [
        Heading("Scaling"),
        Paragraph(f"Growing instances of each domain: {explained}. States are those generated by "
                  "the run itself. An exponent is the slope of the line of least squares on "
                  "logarithmic axes, with its standard error: of CPU time over the runs of at "
                  f"least {MEASURABLE_SECONDS:g} s, of peak memory beyond that of the smallest run "
                  f"over the runs where this is at least {MEASURABLE_MEMORY:g} times as much "
                  f"again; fewer than {FEWEST_POINTS} such runs give none. Seconds, MB and bytes "
                  "per state are those of the run with most states."),
        exponents(runs), *(block for name in names for block in plots(runs, name))]
