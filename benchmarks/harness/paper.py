"""The figures of the paper's own tables: J. Schmalz and F. Trevizan, Solving Constrained Stochastic
Shortest Path Problems with Scalarisation, ECAI 2025."""
from __future__ import annotations

import functools
import json
import pathlib
from typing import Any

from .configurations import CONFIGURATIONS
from .instances import Row

TABLE = pathlib.Path(__file__).resolve().parent.parent / "paper_table.json"
INSTANCES = 30
SECONDS = 1800.0
"""Instances of a row and time limit in the paper."""

Entry = dict[str, Any]
"""How many instances of a row a planner solves ("coverage"), and in what time ("mean", "ci")."""
Figures = dict[str, dict[str, Entry]]

# Our reconstructions of these two domains are smaller than the authors' problems, and about so many
# times as quick.
_SMALLER = {"sar": 100.0, "elevators": 30.0}


@functools.cache
def figures() -> Figures:
    """By row and by the name that the paper has for a planner."""
    table = json.loads(TABLE.read_text(encoding="utf-8"))
    return {row["row"]: row["planners"] for row in table["rows"]}


def expected_seconds(row: Row, configuration: str) -> float:
    """A guess at how long it takes, from the paper's times: good enough to run what is quick first.
    What the paper does not have is guessed to be as quick as the best that it has."""
    planners = figures().get(row.name)
    if planners is None:
        return SECONDS
    name = CONFIGURATIONS[configuration].paper
    entries = [planners[name]] if name else list(planners.values())
    return min(map(_mean_with_limit, entries)) / _SMALLER.get(row.domain, 1.0)


def _mean_with_limit(entry: Entry) -> float:
    """Over all instances; the unsolved ones have taken all the time there was."""
    solved = entry["coverage"]
    return float(solved * entry.get("mean", 0.0) + (INSTANCES - solved) * SECONDS) / INSTANCES
