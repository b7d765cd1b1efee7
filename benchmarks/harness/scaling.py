"""Scaling: how time and memory grow with the number of states, as exponents of power laws.

A power law is a straight line on logarithmic axes, so its exponent is the slope of the line of
least squares there. Only what can be measured counts: short times are those of starting a process,
and the first megabytes those of the program itself.
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
from .instances import GROWING_ROWS
from .svg import COLOURS, Axis, Canvas

Point = tuple[float, float]

MEASURABLE_SECONDS = 0.1
MEASURABLE_MEMORY = 2.0
"""Memory beyond the baseline, as a multiple of the baseline. That may be too high by half: the
harness starts a process by copying itself, and the peak of a tiny run is that of the copy."""
FEWEST_POINTS = 3
"""Two always lie on a line."""
LEAST_SPAN = 2.0
"""The largest x of a fit, as a multiple of its smallest."""


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
    """None for too few points, or points too close to each other."""
    if len(points) < FEWEST_POINTS or max(points)[0] < LEAST_SPAN * min(points)[0]:
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


@dataclass(frozen=True)
class Quantity:
    """What is plotted against states."""
    name: str
    axis: str
    value: Callable[[Record], float]
    least: float
    """What is less is not shown."""
    points: Callable[[Sequence[Record]], list[Point]]
    """Those that count."""

    def shown(self, record: Record) -> bool:
        return self.value(record) >= self.least


def quantities(baseline: float) -> list[Quantity]:
    return [Quantity("time", "CPU seconds", lambda r: float(r["cpu_seconds"]), 0.001, time_points),
            Quantity("memory", "MB beyond the smallest run's",
                     lambda r: float(r["peak_memory_mb"]) - baseline, 1.0,
                     lambda records: memory_points(records, baseline))]


def plot(quantity: Quantity, configuration: str, runs: dict[str, list[Record]]) -> Figure:
    """A dot for every run of a domain and, through the points that count, the fitted line."""
    value = quantity.value
    shown = {domain: list(filter(quantity.shown, own)) for domain, own in runs.items()}
    title = f"{quantity.name.capitalize()} of {configuration} against states"
    everything = [r for own in shown.values() for r in own]
    canvas = Canvas(760, 420, title)
    x = Axis(*_decades([states(r) for r in everything]), 64, 560, logarithmic=True)
    y = Axis(*_decades([value(r) for r in everything]), 370, 20, logarithmic=True)
    canvas.axes(x, y, "states generated", quantity.axis)
    legend = []
    for (domain, own), colour in zip(shown.items(), COLOURS):
        for record in own:
            canvas.dot(x.place(states(record)), y.place(value(record)), colour,
                       f"{record['instance']}: {states(record):,} states, {value(record):.3g}")
        counted = quantity.points(own)
        law = fit(counted)
        if law is not None:
            ends = (min(counted)[0], max(counted)[0])
            canvas.path([(x.place(end), y.place(law(end))) for end in ends], colour)
        legend.append((domain if law is None else f"{domain}: exponent {law.exponent:.2f}", colour))
    canvas.legend(580, 24, legend)
    return Figure(f"scaling-{quantity.name}-{configuration}", str(canvas),
                  f"{title}; the lines are the fitted power laws.")


def plots(records: Sequence[Record], name: str) -> list[Block]:
    """Time and memory of one configuration, a series per domain; of `scaling_runs`."""
    own = [r for r in records if r["configuration"] == name]
    runs = {domain: [r for r in own if domain_of(r) == domain]
            for domain in dict.fromkeys(map(domain_of, own))}
    return [plot(quantity, name, runs) for quantity in quantities(smallest_memory(records))
            if any(map(quantity.shown, own))]


def section(records: Sequence[Record]) -> list[Block]:
    """What the report says; nothing about runs that are there for other reasons."""
    runs = scaling_runs(records)
    if not {r["row"] for r in runs} & {row.name for row in GROWING_ROWS}:
        return []
    names = EXPERIMENTS["scaling"].configurations
    explained = " and ".join(f"`{name}` ({CONFIGURATIONS[name].explanation})" for name in names)
    return [
        Heading("Scaling"),
        Paragraph(f"Growing instances of each domain, by {explained}. States are those generated "
                  "by the run itself. An exponent is the slope of the line of least squares on "
                  "logarithmic axes, with its standard error: of CPU time over the runs of at "
                  f"least {MEASURABLE_SECONDS:g} s, of peak memory beyond the smallest run's over "
                  f"the runs that take at least {1 + MEASURABLE_MEMORY:g} times that. Fewer than "
                  f"{FEWEST_POINTS} such runs give none, nor do runs whose states differ by less "
                  f"than a factor of {LEAST_SPAN:g}. Seconds, MB and bytes per state are those of "
                  "the run with most states."),
        exponents(runs), *(block for name in names for block in plots(runs, name))]
