"""Fronts: all trade-offs between some costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _native
from .model import Model
from .policy import Policy, policy_of


@dataclass(frozen=True)
class Vertex:
    """A corner of the front, and a policy that attains it."""

    costs: dict[str, float]
    """All costs of the problem."""
    policy: Policy


class Front:
    """All trade-offs between ``costs``: the vertices of their convex front, ascending in the first.

    In between are mixtures of policies: ``edges`` and ``faces`` say which vertices are joined.
    No policy is below the front by more than ``distance``, a share of how much the costs vary.
    """

    status: str
    costs: list[str]
    vertices: list[Vertex]
    edges: list[tuple[int, int]]
    faces: list[list[int]]
    distance: float | None
    note: str

    def __init__(self, fields: dict[str, Any], text: str, picture: str) -> None:
        self.__dict__.update(fields)
        self._text = text
        self._picture = picture

    def as_array(self) -> Any:
        """A row for each vertex, a column for each cost of the front."""
        return np.array([[vertex.costs[cost] for cost in self.costs] for vertex in self.vertices])

    def to_frame(self) -> Any:
        """A pandas table with a row for each vertex and a column for each cost of the problem."""
        import pandas
        return pandas.DataFrame([vertex.costs for vertex in self.vertices])

    def json(self) -> str:
        """As ``carl pareto --json`` writes it."""
        return self._text

    def plot(self, ax: Any = None) -> Any:
        """Draws the front of two or three costs with Matplotlib."""
        from matplotlib import pyplot
        points = self.as_array()
        if len(self.costs) == 2:
            ax = ax if ax is not None else pyplot.gca()
            ax.plot(points[:, 0], points[:, 1], "o-")
        elif len(self.costs) == 3:
            ax = ax if ax is not None else pyplot.figure().add_subplot(projection="3d")
            ax.scatter(*points.T)
            for first, second in self.edges:
                ax.plot(*points[[first, second]].T, color="tab:blue", linewidth=1)
            ax.set_zlabel(self.costs[2])
        else:
            raise ValueError("only fronts of two or three costs can be drawn")
        ax.set_xlabel(self.costs[0])
        ax.set_ylabel(self.costs[1])
        return ax

    def _repr_svg_(self) -> str | None:
        return self._picture or None

    def __len__(self) -> int:
        return len(self.vertices)

    def __repr__(self) -> str:
        return f"<carl.Front of {', '.join(self.costs)}: {len(self)} vertices>"


def front_of(native: _native.Front, model: Model) -> Front:
    names = native.cost_names
    vertices = [Vertex(dict(zip(names, costs)), policy_of(native, model, arrays))
                for costs, _, arrays in native.vertices]
    return Front({"status": native.status, "costs": [names[i] for i in native.costs],
                  "vertices": vertices, "edges": native.edges, "faces": native.faces,
                  "distance": native.distance, "note": native.note},
                 native.json(), native.picture() if len(native.costs) in (2, 3) and vertices else "")
