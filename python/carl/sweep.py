"""Sweeps: the optimum as a bound varies."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Breakpoint:
    """Where the slope of the optimum changes."""

    bound: float
    objective: float
    slope_before: float | None
    slope: float


@dataclass(frozen=True)
class Curve:
    """The optimum over a range of a bound, in arrays; not a number where it is infeasible."""

    second: float | None
    """The value of the other bound that is swept, if there is one."""
    bounds: Any
    objectives: Any
    lower_bounds: Any
    shadow_prices: Any
    statuses: list[str]
    breakpoints: list[Breakpoint]
    infeasible_below: float | None
    slack_above: float | None


class Sweep:
    """The optimum as a bound varies. ``bounds``, ``objectives``, ``shadow_prices`` and
    ``breakpoints`` are those of the first curve; with two swept bounds there are several.
    """

    def __init__(self, text: str, picture: str) -> None:
        self._text = text
        self._picture = picture
        found = json.loads(text)
        self.status: str = found["status"]
        self.cost: str = found["cost"]
        self.curves: list[Curve] = [_curve_of(curve) for curve in found.get("curves", [found])]

    @property
    def bounds(self) -> Any:
        return self.curves[0].bounds

    @property
    def objectives(self) -> Any:
        return self.curves[0].objectives

    @property
    def shadow_prices(self) -> Any:
        return self.curves[0].shadow_prices

    @property
    def breakpoints(self) -> list[Breakpoint]:
        return self.curves[0].breakpoints

    def json(self) -> str:
        """As ``carl sweep --json`` writes it."""
        return self._text

    def plot(self, ax: Any = None, objective: str = "optimum") -> Any:
        """Draws the curves, and dots at their breakpoints, with Matplotlib."""
        from matplotlib import pyplot
        ax = ax if ax is not None else pyplot.gca()
        for curve in self.curves:
            # Between breakpoints the optimum is linear: with them among the points the line is exact.
            x = np.concatenate([curve.bounds, [b.bound for b in curve.breakpoints]])
            y = np.concatenate([curve.objectives, [b.objective for b in curve.breakpoints]])
            order = np.argsort(x, kind="stable")
            keep = ~np.isnan(y[order])
            label = None if curve.second is None else f"{curve.second:g}"
            line, = ax.plot(x[order][keep], y[order][keep], label=label)
            ax.plot([b.bound for b in curve.breakpoints],
                    [b.objective for b in curve.breakpoints], "o", color=line.get_color(),
                    markersize=4)
        ax.set_xlabel(f"bound on {self.cost}")
        ax.set_ylabel(objective)
        if len(self.curves) > 1:
            ax.legend()
        return ax

    def to_frame(self) -> Any:
        """A pandas table with a row for each point of each curve."""
        import pandas
        return pandas.concat([pandas.DataFrame({
            **({} if curve.second is None else {"second": curve.second}),
            "bound": curve.bounds, "objective": curve.objectives,
            "lower_bound": curve.lower_bounds, "shadow_price": curve.shadow_prices,
            "status": curve.statuses}) for curve in self.curves], ignore_index=True)

    def _repr_svg_(self) -> str:
        return self._picture

    def __repr__(self) -> str:
        return f"<carl.Sweep of {self.cost}: {len(self.bounds)} points, " \
               f"{len(self.breakpoints)} breakpoints>"


def _curve_of(found: dict[str, Any]) -> Curve:
    points = found["points"]

    def column(key: str) -> Any:
        return np.array([np.nan if point.get(key) is None else point[key] for point in points],
                        dtype=float)

    return Curve(
        second=found["second"]["value"] if "second" in found else None, bounds=column("bound"), objectives=column("objective"),
        lower_bounds=column("lower_bound"), shadow_prices=column("multiplier"),
        statuses=[point["status"] for point in points],
        breakpoints=[Breakpoint(b["bound"], b["objective"], b.get("slope_before"), b["slope"])
                     for b in found["breakpoints"]],
        infeasible_below=found.get("infeasible_below"), slack_above=found.get("slack_above"))


def sweep_of(text: str, picture: str) -> Sweep:
    return Sweep(text, picture)
