"""Simulations: what single runs of a policy are like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

STATISTICS = np.dtype([("cost", "U64"), ("exact", float), ("mean", float), ("half_width", float),
                       ("deviation", float), ("least", float), ("median", float),
                       ("percentile_95", float), ("percentile_99", float), ("greatest", float)])


@dataclass(frozen=True)
class Simulation:
    """Executions of a policy.

    ``statistics`` is a structured array with a row for each cost, and the last for ``steps``: the
    exact expectation, the mean with the half-width of its 95% confidence interval, standard
    deviation, median and other quantiles. ``totals`` is a structured array with what each of the
    first runs (at most 131,072) cost. ``within`` says which share of the runs stays within each
    bound.
    """

    runs: int
    cut_off: int
    given_up: int
    statistics: Any
    totals: Any
    within: dict[str, float]
    within_all: float
    values: dict[str, tuple[Any, Any]]
    """By cost: the values that have occurred, ascending, and how often, over all runs."""

    def row(self, cost: str) -> Any:
        """The statistics of one cost."""
        found = self.statistics[self.statistics["cost"] == cost]
        if not len(found):
            raise KeyError(cost)
        return found[0]

    def quantile(self, cost: str, share: float | list[float]) -> Any:
        """The least value that at least this share of the runs does not exceed."""
        values, counts = self.values[cost]
        # 0.07 of 100 runs are 7 of them, whatever floating-point numbers make of it.
        wanted = np.asarray(share, dtype=float) * counts.sum() * (1 - 1e-12)
        return values[np.minimum(np.searchsorted(np.cumsum(counts), wanted), len(values) - 1)]

    def share_above(self, cost: str, budget: float) -> float:
        """The share of the runs that cost more than this."""
        values, counts = self.values[cost]
        tolerance = 1e-9 * max(abs(budget), 1e-300)
        return float(counts[values > budget + tolerance].sum() / counts.sum())

    def histogram(self, cost: str, bins: Any = 20) -> tuple[Any, Any]:
        """As numpy.histogram: counts and edges."""
        values, counts = self.values[cost]
        return np.histogram(values, bins=bins, weights=counts)

    def plot(self, cost: str, ax: Any = None, bins: Any = 40, budget: float | None = None) -> Any:
        """A histogram with Matplotlib, and the budget if one is given."""
        from matplotlib import pyplot
        ax = ax if ax is not None else pyplot.gca()
        counts, edges = self.histogram(cost, bins)
        ax.stairs(counts / self.runs, edges, fill=True, alpha=0.6)
        ax.axvline(self.row(cost)["exact"], linestyle="--", label="expected")
        if budget is not None:
            share = self.share_above(cost, budget)
            ax.axvline(budget, color="tab:red", label=f"budget, exceeded by {share:.1%}")
        ax.set_xlabel(cost)
        ax.set_ylabel("share of runs")
        ax.legend()
        return ax

    def __repr__(self) -> str:
        return f"<carl.Simulation of {self.runs} runs>"


def simulation_of(found: dict[str, Any], costs: list[str],
                  bounds: Mapping[str, float]) -> Simulation:
    rows = [(cost, *row) for cost, row in zip(costs, found["costs"])]
    rows.append(("steps", *found["steps"]))
    runs = max(found["runs"], 1)
    totals = np.zeros(len(found["totals"]), dtype=[(cost, float) for cost in costs])
    for i, cost in enumerate(costs):
        totals[cost] = found["totals"][:, i]
    return Simulation(
        runs=found["runs"], cut_off=found["cut_off"], given_up=found["given_up"],
        statistics=np.array(rows, dtype=STATISTICS), totals=totals,
        within={cost: count / runs for cost, count in zip(bounds, found["within"])},
        within_all=found["within_all"] / runs,
        values=dict(zip(costs, found["distributions"])))
