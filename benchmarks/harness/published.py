"""The parts of docs/results.md and README.md that are made from the runs kept in the repository.

A part stands between two marks, which readers do not see:

  <!-- made by benchmarks/publish: claims -->
  …
  <!-- end -->

What is around it is written by hand. A test makes all parts anew and compares.
"""
from __future__ import annotations

import pathlib
import re
from typing import Callable, Sequence

from . import claims, estimate, kept, lambda_search, paper, report, stuck, targets
from .aggregate import cell, cells, compare, domain_of, solved
from .configurations import (ALL_CONFIGURATIONS, BASELINE, CONFIGURATIONS, EXTENDED_TABLE,
                             MAIN_TABLE, OF_LAMBDA_PAIRS, PAPERS_CARL, RIVALS)
from .database import Record
from .document import Block, Figure, Heading, Paragraph, Table, figures_of, markdown
from .experiment import EXPERIMENTS, wanted_of
from .instances import PAPER_ROWS, SOURCE, Row
from .plots import cumulative_coverage, scatter
from .tables import TITLES, cell_text, paper_text, seconds_text, tables

PAGES = ("README.md", "docs/results.md")
FIGURES = "results/"
"""The folder of plots beside docs/results.md."""
NOTHING = Paragraph("Not run yet.")
_PART = re.compile(r"(<!-- made by benchmarks/publish: (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)


class Runs:
    """What is kept: two experiments, each with a planner of its own. The second has runs that are
    in no table of rivals, those that differ in the search for λ*."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.default = kept.default_runs(records)
        self.everything = kept.rival_runs(records)
        self.rivals = [r for r in self.everything
                       if ALL_CONFIGURATIONS[r["configuration"]].compared]

    @property
    def names(self) -> list[str]:
        """Of the default and the rivals that have run, in the order of the paper's tables."""
        present = {r["configuration"] for r in self.rivals}
        return [name for name in (BASELINE, *RIVALS) if name in present]


def provenance(runs: Runs) -> list[Block]:
    lines = []
    for title, records in (("the default at full strength", runs.default),
                           ("the rivals, and the default beside them", runs.everything)):
        if records:
            first = records[0]
            lines.append([title, str(len(records)), first["planner"].rpartition(" ")[0],
                          f"`{first['commit']}`", f"{first['time_limit']:g} s of CPU time",
                          f"{first['memory_limit_mb']} MB"])
    if not lines:
        return []
    return [Table(["experiment", "runs", "planner", "commit", "time limit", "memory"], lines)]


SETS: dict[str, tuple[str, ...]] = {
    "the paper's main table": (BASELINE, *MAIN_TABLE),
    "the paper's extended table": EXTENDED_TABLE,
    "textbook i-dual": tuple(n for n in RIVALS if n not in (*MAIN_TABLE, *EXTENDED_TABLE)),
    "the comparison with iLAO\\*": OF_LAMBDA_PAIRS}
"""What the page is about, and whose runs that takes."""


def _is_complete(runs: Runs, names: Sequence[str]) -> bool:
    by_place = cells(runs.everything)
    return all((c := by_place.get((row.name, name))) is not None
               and (c.left or c.runs >= wanted_of(row, name))
               for row in PAPER_ROWS for name in names)


def _listed(parts: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


def _what_is_missing(runs: Runs) -> str:
    missing = [title for title, names in SETS.items() if not _is_complete(runs, names)]
    if not missing:
        return "**Every row has been run** by all that are on this page, or was left"
    return (f"**What has not been run in full: {_listed(missing)}**; claims that rest on it are "
            "open")


def state(runs: Runs) -> list[Block]:
    """Which rows have been run by whom: "5 of 6" rows of a domain, left ones included."""
    by_place = cells(runs.everything)
    lines = []
    for name in (BASELINE, *RIVALS, *OF_LAMBDA_PAIRS):
        line = [f"`{name}`"]
        for domain in TITLES:
            rows = [row for row in PAPER_ROWS if row.domain == domain]
            found = {row: by_place[row.name, name] for row in rows
                     if (row.name, name) in by_place}
            left = sum(c.left for c in found.values())
            full = sum(c.left or c.runs >= wanted_of(row, name) for row, c in found.items())
            begun = f", {len(found) - full} begun" if full < len(found) else ""
            line.append(f"{full} of {len(rows)}" + (f", {left} left" if left else "") + begun
                        if found else "–")
        lines.append(line)
    planned = {(task.configuration.name, task.instance.name)
               for name in ("paper-rivals", "paper-lambda") for task in EXPERIMENTS[name].tasks()}
    return [Paragraph(f"{_what_is_missing(runs)}. {len(runs.everything)} of at most {len(planned)} "
                      "runs are done; rows that are left make it fewer."),
            Table(["configuration", *TITLES], lines)]


def default_sentence(runs: Runs) -> list[Block]:
    own = runs.default
    if not own:
        return []
    good = [r for r in own if solved(r)]
    longest = max(own, key=lambda r: float(r["cpu_seconds"]))
    largest = max(own, key=lambda r: float(r["peak_memory_mb"]))
    rows = {r["row"] for r in own}
    return [Paragraph(
        f"**The default solves {len(good)} of {len(own)} instances** of {len(rows)} rows, in "
        f"{sum(r['cpu_seconds'] for r in own) / 60:.1f} minutes of CPU time for all of them; the "
        f"longest takes {seconds_text(longest['cpu_seconds'])} s ({longest['instance']}), the "
        f"largest {largest['peak_memory_mb']:.0f} MB ({largest['instance']}).")]


def _papers_best(row: Row) -> str:
    """Of the main table, whichever the paper prints in bold first."""
    planners = paper.figures()[row.name]
    names = [CONFIGURATIONS[name].paper or "" for name in MAIN_TABLE]
    best = min(names, key=lambda n: (-planners[n]["coverage"], planners[n].get("mean", 0.0)))
    entry = {key: value for key, value in planners[best].items() if key != "best"}
    return f"{paper_text(entry)} ({best})"


def default_table(runs: Runs) -> list[Block]:
    by_row: dict[str, list[Record]] = {}
    for record in runs.default:
        by_row.setdefault(record["row"], []).append(record)
    lines = [[row.name, cell_text(cell(own), False),
              seconds_text(max(r["cpu_seconds"] for r in own)),
              f"{max(r['peak_memory_mb'] for r in own):.0f}", _papers_best(row)]
             for row in PAPER_ROWS if (own := by_row.get(row.name))]
    return [Table(["row", f"`{BASELINE}`", "longest, s", "largest, MB",
                   "the best of the paper's main table"], lines)] if lines else []


def _percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.0f}%" if whole else "–"


def summary(runs: Runs) -> list[Block]:
    """Shares are of instances, as if every row had as many: those with 30 count no more."""
    limit = EXPERIMENTS["paper-rivals"].seconds
    lines = []
    for name in runs.names:
        own = [r for r in runs.rivals if r["configuration"] == name]
        rows = len({r["row"] for r in own})
        whole = paper.INSTANCES * rows
        now = estimate.solved_within(own, limit)
        later = estimate.extrapolated(own, limit, paper.SECONDS)
        before = estimate.hindsight(own, limit, paper.SECONDS)
        comparison = compare(runs.rivals, BASELINE, name)
        counterpart = CONFIGURATIONS[name].paper
        theirs = sum(paper.figures()[row][counterpart]["coverage"]
                     for row in {r["row"] for r in own}) if counterpart else 0
        lines.append([
            f"`{name}`", str(rows), _percent(now, whole), f"≈ {_percent(later, whole)}",
            f"({_percent(before, whole)})", _percent(theirs, whole) if counterpart else "",
            "" if name == BASELINE else report.ratio_text(runs.rivals, name),
            "" if name == BASELINE else str(sum(comparison.only_baseline.values())),
            "" if name == BASELINE else str(sum(comparison.only_other.values()))])
    if not lines:
        return []
    return [Table(["configuration", "rows run", "solved in 60 s",
                   "in 30 min, **extrapolated**", "(60 s, extrapolated from 2 s)",
                   "the paper, 30 min", f"time / `{BASELINE}` (rows)",
                   f"only `{BASELINE}` solves", "only it solves"], lines)]


def by_domain(runs: Runs) -> list[Block]:
    names = [name for name in runs.names if name != BASELINE]
    lines = []
    for domain in TITLES:
        own = [r for r in runs.rivals if domain_of(r) == domain]
        if own:
            lines.append([domain] + [report.ratio_text(own, name) for name in names])
    if not lines:
        return []
    return [Table(["domain"] + [f"`{name}`" for name in names], lines)]


def _empty(runs: Runs, names: Sequence[str]) -> list[Block]:
    return [] if _is_complete(runs, names) else [Paragraph("Empty: not run yet.")]


def main_tables(runs: Runs) -> list[Block]:
    names = [name for name in runs.names if name not in EXTENDED_TABLE]
    return [*_empty(runs, names), *tables(PAPER_ROWS, runs.rivals, names, paper.figures())]


def extended_tables(runs: Runs) -> list[Block]:
    names = [name for name in runs.names if name in EXTENDED_TABLE]
    if not names:
        return []
    return [*_empty(runs, EXTENDED_TABLE),
            *(Heading(f"{block.text}, extended", block.level) if isinstance(block, Heading)
              else block for block in tables(PAPER_ROWS, runs.rivals, names, paper.figures()))]


def lambda_statistics(runs: Runs) -> list[Block]:
    names = [name for name in runs.names if name in (BASELINE, *PAPERS_CARL)]
    return lambda_search.statistics_table(runs.rivals, names)


def plots(runs: Runs) -> list[Block]:
    """Coverage over time only when all have tried the same."""
    figures: list[Figure] = []
    if _is_complete(runs, (BASELINE, *RIVALS)):
        figures.append(cumulative_coverage(runs.rivals, runs.names))
    if BASELINE in runs.names:
        figures += [scatter(runs.rivals, name) for name in runs.names if name in MAIN_TABLE]
    return list(figures)


def target_table(runs: Runs) -> list[Block]:
    """The default at full strength where it is about the default alone."""
    return [targets.table([*targets.against_others(runs.rivals, runs.names),
                           *targets.alone(runs.default, paper.figures())])]


def readme_table(runs: Runs) -> list[Block]:
    lines = []
    own = runs.default
    if own:
        lines.append(["the default, 30 instances a row, 30 minutes",
                      str(len({r["row"] for r in own})),
                      f"**{sum(map(solved, own))} of {len(own)}**", ""])
    for name in runs.names:
        if name not in (BASELINE, *MAIN_TABLE):
            continue
        own = [r for r in runs.rivals if r["configuration"] == name]
        lines.append([CONFIGURATIONS[name].explanation if name != BASELINE
                      else "the default, on the same instances as those below, 60 seconds",
                      str(len({r["row"] for r in own})),
                      f"{sum(map(solved, own))} of {len(own)}",
                      "" if name == BASELINE else report.ratio_text(runs.rivals, name)])
    if not lines:
        return []
    return [Table(["", "rows run", "solved", "time ÷ time of the default (rows)"], lines),
            Paragraph(_readme_state(runs)),
            *stuck.sentence(runs.rivals, [n for n in runs.names if n in MAIN_TABLE])]


def _readme_state(runs: Runs) -> str:
    what = "[what has been run](docs/results.md#what-has-been-run)"
    missing = [title for title, names in SETS.items() if not _is_complete(runs, names)]
    if not missing:
        return "All rows of the paper's two tables have been run."
    if "the paper's main table" in missing:
        return f"Not all rows of the paper's main table have been run: {what}."
    return (f"All rows of the paper's main table have been run; {_listed(missing)}: not in full "
            f"yet ({what}).")


PARTS: dict[str, Callable[[Runs], list[Block]]] = {
    "provenance": provenance, "state": state, "default": default_sentence,
    "default-table": default_table, "summary": summary, "by-domain": by_domain,
    "stuck": lambda runs: stuck.table(runs.rivals, runs.names),
    "main-tables": main_tables, "extended-tables": extended_tables,
    "claims": lambda runs: [claims.table(runs.everything)],
    "lambda-statistics": lambda_statistics,
    "lambda-table": lambda runs: lambda_search.comparison(runs.everything),
    "targets": target_table,
    "slower": lambda runs: report.slower_rows(runs.rivals, runs.names) if runs.rivals else [],
    "plots": plots, "readme-table": readme_table}


def filled_in(text: str, runs: Runs) -> str:
    """A page with its parts made anew. A part that nobody makes is an error of the page."""
    def part(match: re.Match[str]) -> str:
        made = markdown(PARTS[match[2]](runs) or [NOTHING], FIGURES)
        return f"{match[1]}\n{made}\n{match[3]}"

    return _PART.sub(part, text)


def pages(records: Sequence[Record], source: pathlib.Path = SOURCE) -> dict[pathlib.Path, str]:
    """All files that are made from the runs, with their new texts."""
    runs = Runs(records)
    made = {source / page: filled_in((source / page).read_text(encoding="utf-8"), runs)
            for page in PAGES}
    for figure in figures_of(plots(runs)):
        made[source / "docs" / FIGURES / f"{figure.name}.svg"] = figure.text
    return made


def write(records: Sequence[Record], source: pathlib.Path = SOURCE) -> None:
    for path, text in pages(records, source).items():
        path.write_text(text, encoding="utf-8")
