"""Tables of planners on rows: solved instances and mean times, the paper's own figures beside
ours."""
from __future__ import annotations

from typing import Sequence

from . import paper
from .aggregate import Cell, best, cells
from .configurations import CONFIGURATIONS
from .database import Record
from .document import Block, Heading, Table
from .instances import Row

LEFT = "†"
"""Marks rows that were left after the first instances."""

TITLES = {"sar": "Search and rescue (n, d, r)", "elevators": "Elevators (e, w, h)",
          "exbw": "Exploding blocks world (id, N, c)", "parc": "PARC printer (f, u)",
          "ctw": "Constrained triangle tireworld (n, d, c)"}


def seconds_text(seconds: float) -> str:
    return f"{seconds:.2f}" if seconds < 10 else f"{seconds:.1f}"


def cell_text(cell: Cell | None, bold: bool) -> str:
    if cell is None:
        return ""
    text = f"{cell.coverage}/{cell.runs}"
    if cell.mean is not None:
        text += f" · {seconds_text(cell.mean)}"
    if cell.half_width is not None:
        text += f" ± {seconds_text(cell.half_width)}"
    if cell.open:
        text += f" (+{cell.open} open)"
    if cell.left:
        text += f" {LEFT}"
    return f"**{text}**" if bold else text


def paper_text(entry: paper.Entry) -> str:
    text = str(entry["coverage"])
    if "mean" in entry:
        text += f" · {entry['mean']:.1f}"
    if "ci" in entry:
        text += f" ± {entry['ci']:.1f}"
    return f"**{text}**" if entry.get("best") else text


def row_table(rows: Sequence[Row], records: Sequence[Record], names: Sequence[str],
              figures: paper.Figures) -> Table:
    """A planner that the paper has as well gets a second column with the paper's figures."""
    by_place = cells(records)
    counterparts = _counterparts(names) if figures else {}
    header = ["row"]
    for name in names:
        header.append(f"`{name}`")
        if name in counterparts:
            header.append("the paper's")
    lines = []
    for row in rows:
        ours = {name: by_place[row.name, name] for name in names if (row.name, name) in by_place}
        winners = best(ours) if len(ours) > 1 else set()
        line = [row.name]
        for name in names:
            line.append(cell_text(ours.get(name), name in winners))
            if name in counterparts:
                line.append(paper_text(figures[row.name][counterparts[name]]))
        lines.append(line)
    return Table(header, lines)


def _counterparts(names: Sequence[str]) -> dict[str, str]:
    """The paper's name for a planner; of several that render the same one only for the first."""
    first: dict[str, str] = {}
    for name in names:
        if counterpart := CONFIGURATIONS[name].paper:
            first.setdefault(counterpart, name)
    return {name: counterpart for counterpart, name in first.items()}


def tables(rows: Sequence[Row], records: Sequence[Record], names: Sequence[str],
           figures: paper.Figures) -> list[Block]:
    """One table per domain, of the rows that were run."""
    run = {r["row"] for r in records}
    blocks: list[Block] = []
    for domain, title in TITLES.items():
        present = [row for row in rows if row.domain == domain and row.name in run]
        if present:
            blocks += [Heading(title, 3), row_table(present, records, names, figures)]
    return blocks
