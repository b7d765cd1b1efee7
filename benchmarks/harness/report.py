"""The report: the paper's table with its own figures beside ours, ratios, and plots."""
from __future__ import annotations

import argparse
import json
import pathlib
import sys
from typing import Any, Iterable, Sequence

from . import database, regret, scaling, targets, verdict
from .aggregate import (PHASES, WORTH_COMPARING, Cell, best, cells, compare, domain_of,
                        phase_seconds, solved)
from .configurations import ALL_CONFIGURATIONS, BASELINE, CONFIGURATIONS, OWN_OPTIONS
from .database import Record
from .document import Block, Figure, Heading, Paragraph, Table, write
from .instances import ALL_ROWS, EXTENDED_ROWS, PAPER_ROWS, SMALL_ROWS, SOURCE, Row
from .planner import ERRORS
from .plots import cumulative_coverage, phases, scalarised_problems, scatter

PAPER_TABLE = pathlib.Path(__file__).resolve().parent.parent / "paper_table.json"
TITLES = {"sar": "Search and rescue (n, d, r)", "elevators": "Elevators (e, w, h)",
          "exbw": "Exploding blocks world (id, N, c)", "parc": "PARC printer (f, u)",
          "ctw": "Constrained triangle tireworld (n, d, c)"}


def runs_of_rows(records: Iterable[Record], all_planners: bool = False) -> list[Record]:
    """All that are of rows that there are, of the planner that ran last."""
    known = [r for r in records if r["row"] in ALL_ROWS]
    if known and not all_planners:
        known = [r for r in known if r["planner"] == known[-1]["planner"]]
    return known


def chosen_runs(records: Iterable[Record], all_planners: bool = False,
                limit: float | None = None) -> list[Record]:
    """One run of every configuration on every instance, in the order of the rows: of the planner
    that ran last, with the largest time limit, and of several such the last."""
    known = runs_of_rows((r for r in records if limit in (None, r["time_limit"])), all_planners)
    chosen: dict[tuple[str, str], Record] = {}
    for record in known:
        place = record["configuration"], record["instance"]
        if place not in chosen or record["time_limit"] >= chosen[place]["time_limit"]:
            chosen[place] = record
    order = {name: i for i, name in enumerate(ALL_ROWS)}
    return sorted(chosen.values(), key=lambda r: order[r["row"]])


def configurations_in(records: Iterable[Record]) -> list[str]:
    present = {r["configuration"] for r in records}
    return [name for name in ALL_CONFIGURATIONS if name in present]


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
    return f"**{text}**" if bold else text


def paper_text(entry: dict[str, Any]) -> str:
    text = str(entry["coverage"])
    if "mean" in entry:
        text += f" · {entry['mean']:.1f}"
    if "ci" in entry:
        text += f" ± {entry['ci']:.1f}"
    return f"**{text}**" if entry.get("best") else text


def paper_figures() -> dict[str, dict[str, dict[str, Any]]]:
    table = json.loads(PAPER_TABLE.read_text(encoding="utf-8"))
    return {row["row"]: row["planners"] for row in table["rows"]}


def row_table(rows: Sequence[Row], records: Sequence[Record], names: Sequence[str],
              paper: dict[str, dict[str, dict[str, Any]]]) -> Table:
    """A planner that the paper has as well gets a second column with the paper's figures."""
    by_place = cells(records)
    header = ["row"]
    for name in names:
        header.append(f"`{name}`")
        if paper and CONFIGURATIONS[name].paper:
            header.append("the paper's")
    lines = []
    for row in rows:
        ours = {name: by_place[row.name, name] for name in names if (row.name, name) in by_place}
        winners = best(ours) if len(ours) > 1 else set()
        line = [row.name]
        for name in names:
            line.append(cell_text(ours.get(name), name in winners))
            counterpart = CONFIGURATIONS[name].paper
            if paper and counterpart:
                line.append(paper_text(paper[row.name][counterpart]))
        lines.append(line)
    return Table(header, lines)


def tables(rows: Sequence[Row], records: Sequence[Record], names: Sequence[str],
           paper: dict[str, dict[str, dict[str, Any]]]) -> list[Block]:
    """One table per domain, of the rows that were run."""
    run = {r["row"] for r in records}
    blocks: list[Block] = []
    for domain, title in TITLES.items():
        present = [row for row in rows if row.domain == domain and row.name in run]
        if present:
            blocks += [Heading(title, 3), row_table(present, records, names, paper)]
    return blocks


def _ratio_text(records: Sequence[Record], other: str) -> str:
    comparison = compare(records, BASELINE, other)
    mean = comparison.geometric_mean
    return "–" if mean is None else f"{mean:.2f} ({len(comparison.ratios)})"


def summary(records: Sequence[Record], names: Sequence[str]) -> list[Block]:
    rows = []
    for name in names:
        own = [r for r in records if r["configuration"] == name]
        comparison = compare(records, BASELINE, name)
        rows.append([f"`{name}`", f"{sum(map(solved, own))} of {len(own)}",
                     "" if name == BASELINE else _ratio_text(records, name),
                     "" if name == BASELINE else str(sum(comparison.only_baseline.values())),
                     "" if name == BASELINE else str(sum(comparison.only_other.values()))])
    blocks: list[Block] = [
        Table(["configuration", "solved", f"time / `{BASELINE}` (rows)",
               f"only `{BASELINE}` solves", "only it solves"], rows),
        Paragraph(f"Time / `{BASELINE}` is the geometric mean, over the rows of which both solve "
                  f"an instance and for which the slower takes at least {WORTH_COMPARING} s, of "
                  f"its mean CPU time divided by that of `{BASELINE}`, on the instances both "
                  f"solve: above 1, `{BASELINE}` is faster. The number of such rows is in "
                  "parentheses.")]
    others = [name for name in names if name != BASELINE]
    domains = list(dict.fromkeys(domain_of(r) for r in records))
    if BASELINE in names and others:
        by_domain = [[domain] + [_ratio_text([r for r in records if domain_of(r) == domain], name)
                                 for name in others] for domain in domains]
        blocks += [Paragraph("The same per domain:"),
                   Table(["domain"] + [f"`{name}`" for name in others], by_domain)]
    return blocks


def slower_rows(records: Sequence[Record], names: Sequence[str]) -> list[Block]:
    """Where the baseline loses, said in so many words."""
    lines = []
    for name in names:
        comparison = compare(records, BASELINE, name)
        lines += [[row, f"`{name}`", f"{1 / ratio:.2f} times as fast"]
                  for row, ratio in comparison.slower_baseline().items()]
        lines += [[row, f"`{name}`", f"solves {count} that `{BASELINE}` does not"]
                  for row, count in comparison.only_other.items()]
    if not lines:
        return [Paragraph(f"On no row that counts is `{BASELINE}` slower than another "
                          "configuration, and no other solves more.")]
    order = {name: i for i, name in enumerate(ALL_ROWS)}
    lines.sort(key=lambda line: order[line[0]])
    return [Table(["row", "better", f"than `{BASELINE}`"], lines)]


def profile(records: Sequence[Record]) -> list[Block]:
    """Where the baseline's time goes, by its own account."""
    lines = []
    sums = phase_seconds(records)
    for domain in dict.fromkeys(map(domain_of, records)):
        parts = sums.get((domain, BASELINE), {})
        total = sum(parts.values())
        if total > 0:
            lines.append([domain, seconds_text(total)]
                         + [f"{100 * parts[phase] / total:.0f}%" for phase in PHASES])
    if not lines:
        return []
    return [Heading(f"Where the time of `{BASELINE}` goes"),
            Table(["domain", "seconds", *PHASES], lines),
            Paragraph("Sums over the solved instances of a domain, so that the longest count most, "
                      "and the shares of the phases. “search” is all between grounding and the "
                      "policy but heuristics: expanding states, backups, multipliers.")]


def _targets(records: Sequence[Record], names: Sequence[str]) -> list[Block]:
    if BASELINE not in names:
        return []
    return [Heading("Targets"),
            Paragraph("Of the runs of this report on the paper's rows. Ratios are of mean CPU "
                      "times over the instances both solve, of rows where the slower takes at "
                      f"least {WORTH_COMPARING} s; means of ratios are geometric."),
            targets.table(records, names, paper_figures())]


def _time_limit(record: Record) -> str:
    return f"{record['time_limit']:g} s{' of CPU time' if record.get('clock') == 'cpu' else ''}"


def provenance(records: Sequence[Record]) -> Block:
    def listed(name: str, unit: str = "") -> str:
        return ", ".join(f"{value}{unit}" for value in sorted({r[name] for r in records}))

    # Our own options have other limits on every instance.
    with_limit = [r for r in records if r["configuration"] not in OWN_OPTIONS] or records
    return Paragraph(
        f"{len(records)} runs; planner {listed('planner')}; limits per run "
        f"{', '.join(sorted({_time_limit(r) for r in with_limit}))} and "
        f"{listed('memory_limit_mb', ' MB')}, one process each.")


def failures(records: Sequence[Record]) -> list[Block]:
    blocks: list[Block] = [Paragraph(f"WRONG ANSWER: {sentence}", alarm=True)
                           for sentence in verdict.check(records)]
    for name in configurations_in(records):
        failed = [r for r in records if r["configuration"] == name and r["status"] in ERRORS]
        if failed:
            note = (failed[0].get("note") or "no reason given").splitlines()[0]
            blocks.append(Paragraph(f"{name} failed on {len(failed)} instances, first on "
                                    f"{failed[0]['instance']}: {note}", alarm=True))
    return blocks


def _paper_section(records: Sequence[Record], names: Sequence[str]) -> list[Block]:
    return [
        Heading("The paper's table"),
        Paragraph("Solved instances of those run, and the mean CPU seconds over the solved ones "
                  "with the half-width of the 95% confidence interval. Bold: most coverage, and "
                  "not clearly slower than the fastest of these. Beside a planner that the paper "
                  "has too stand its figures: instances solved of 30 within 30 minutes and 4 GB, "
                  "mean seconds (Schmalz and Trevizan, “Solving Constrained Stochastic Shortest "
                  "Path Problems with Scalarisation”, ECAI 2025). The instances are our own "
                  "reconstructions and the machines differ: compare within a column pair the "
                  "pattern, not the seconds."),
        *tables(PAPER_ROWS, records, names, paper_figures())]


def _plots(records: Sequence[Record], names: Sequence[str]) -> list[Block]:
    figures: list[Figure | None] = [cumulative_coverage(records, names)]
    if BASELINE in names:
        figures += [scatter(records, name) for name in names if name != BASELINE]
    figures += [phases(records, names), scalarised_problems(records)]
    return [Heading("Plots"), *(figure for figure in figures if figure is not None)]


def blocks_of(records: Sequence[Record]) -> list[Block]:
    """The page about these runs, one of every configuration on every instance."""
    alarms = failures(records)
    blocks: list[Block] = [Heading("Benchmark results", 1), provenance(records), *alarms]
    if not alarms:
        blocks.append(Paragraph("All answers agree with each other and with the known optima."))
    # A planner that cannot run a configuration has no times to show.
    records = [r for r in records if r["status"] not in ERRORS]
    compared = [r for r in records if ALL_CONFIGURATIONS[r["configuration"]].compared]
    return [*blocks, *_comparison(compared), *scaling.section(records)]


def _comparison(records: Sequence[Record]) -> list[Block]:
    names = configurations_in(records)
    if not names:
        return []
    paper_names = {row.name for row in PAPER_ROWS}
    paper_records = [r for r in records if r["row"] in paper_names]
    shown = paper_records or records
    blocks: list[Block] = [
        Heading("Summary"), *summary(shown, configurations_in(shown)),
        Heading(f"Where `{BASELINE}` is slower"), *slower_rows(shown, configurations_in(shown))]
    if paper_records:
        blocks += _targets(paper_records, configurations_in(paper_records))
    blocks += profile(shown)
    if paper_records:
        blocks += _paper_section(records, names)
    for title, rows in (("Larger problems", EXTENDED_ROWS), ("Small problems", SMALL_ROWS)):
        section = tables(rows, records, names, {})
        if section:
            blocks += [Heading(title), *section]
    return blocks + _plots(shown, configurations_in(shown))


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="benchmarks/report",
        description="Turns the results of benchmarks/run into report.md and report.html.")
    parser.add_argument("--results", type=pathlib.Path, metavar="DIR",
                        default=SOURCE / "build/benchmarks",
                        help="where results.jsonl is [%(default)s]")
    parser.add_argument("--output", type=pathlib.Path, metavar="DIR",
                        help="where the pages go [DIR/report]")
    parser.add_argument("--limit", type=float, metavar="SECONDS",
                        help="only runs with this time limit [the largest of each instance]")
    parser.add_argument("--all-planners", action="store_true",
                        help="also results of other builds than the one that ran last")
    arguments = parser.parse_args(argv)
    path = arguments.results / "results.jsonl"
    everything = list(database.read(path))
    records = chosen_runs(everything, arguments.all_planners, arguments.limit)
    if not records:
        print(f"benchmarks/report: {path}: no results there; benchmarks/run makes them",
              file=sys.stderr)
        return 2
    output = arguments.output or arguments.results / "report"
    of_options = regret.section(runs_of_rows(everything, arguments.all_planners))
    write(output, "Benchmark results", [*blocks_of(records), *of_options])
    print(f"{output}/report.md, {output}/report.html")
    return 1 if verdict.check(records) else 0
