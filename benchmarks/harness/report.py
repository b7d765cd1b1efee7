"""The report: the paper's table with its own figures beside ours, ratios, and plots."""
from __future__ import annotations

import argparse
import pathlib
import sys
from typing import Iterable, Sequence

from . import claims, database, kept, lambda_search, paper, regret, scaling, targets, verdict
from .aggregate import (FEW, PHASES, WORTH_COMPARING, compare, domain_of, phase_seconds, solved)
from .configurations import (ALL_CONFIGURATIONS, BASELINE, EXTENDED_TABLE, MAIN_TABLE, OWN_OPTIONS,
                             PAPERS_CARL)
from .database import Record
from .document import Block, Figure, Heading, Paragraph, Table, write
from .instances import ALL_ROWS, EXTENDED_ROWS, PAPER_ROWS, SMALL_ROWS, SOURCE
from .planner import ERRORS
from .plots import cumulative_coverage, phases, scalarised_problems, scatter
from .tables import LEFT, seconds_text, tables


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


def ratio_text(records: Sequence[Record], other: str) -> str:
    comparison = compare(records, BASELINE, other)
    mean = comparison.geometric_mean
    return "–" if mean is None else f"{mean:.2f} ({rows_text(len(comparison.ratios))})"


def rows_text(count: int) -> str:
    """How much a mean rests on."""
    return f"{count}: few" if count < FEW else str(count)


def summary(records: Sequence[Record], names: Sequence[str]) -> list[Block]:
    rows = []
    for name in names:
        own = [r for r in records if r["configuration"] == name]
        comparison = compare(records, BASELINE, name)
        rows.append([f"`{name}`", f"{sum(map(solved, own))} of {len(own)}",
                     "" if name == BASELINE else ratio_text(records, name),
                     "" if name == BASELINE else str(sum(comparison.only_baseline.values())),
                     "" if name == BASELINE else str(sum(comparison.only_other.values()))])
    blocks: list[Block] = [
        Table(["configuration", "solved", f"time / `{BASELINE}` (rows)",
               f"only `{BASELINE}` solves", "only it solves"], rows),
        Paragraph(f"Time / `{BASELINE}` is the geometric mean, over the rows of which both solve "
                  f"an instance and for which the slower takes at least {WORTH_COMPARING} s, of "
                  f"its mean CPU time divided by that of `{BASELINE}`, on the instances both "
                  f"solve: above 1, `{BASELINE}` is faster. The number of such rows is in "
                  f"parentheses; a mean of fewer than {FEW} says little.")]
    others = [name for name in names if name != BASELINE]
    domains = list(dict.fromkeys(domain_of(r) for r in records))
    if BASELINE in names and others:
        by_domain = [[domain] + [ratio_text([r for r in records if domain_of(r) == domain], name)
                                 for name in others] for domain in domains]
        blocks += [Paragraph("The same per domain:"),
                   Table(["domain"] + [f"`{name}`" for name in others], by_domain)]
    return blocks


def slower_rows(records: Sequence[Record], names: Sequence[str]) -> list[Block]:
    """Where the baseline loses, said in so many words."""
    lines = []
    counted: set[str] = set()
    for name in names:
        if name == BASELINE:
            continue
        comparison = compare(records, BASELINE, name)
        counted |= comparison.ratios.keys()
        lines += [[row, f"`{name}`", f"{1 / ratio:.2f} times as fast"]
                  for row, ratio in comparison.slower_baseline().items()]
        lines += [[row, f"`{name}`", f"solves {count} that `{BASELINE}` does not"]
                  for row, count in comparison.only_other.items()]
    if not lines and not counted:
        return [Paragraph("There is no row yet that another configuration has run and that takes "
                          "long enough to count.")]
    if not lines:
        return [Paragraph(f"On no row that counts ({len(counted)} do) is `{BASELINE}` slower than "
                          "another configuration, and no other solves more.")]
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
            targets.table([*targets.against_others(records, names),
                           *targets.alone(records, paper.figures())])]


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
    main = [name for name in names if name not in EXTENDED_TABLE]
    extended = [name for name in names if name in EXTENDED_TABLE]
    blocks: list[Block] = [
        Heading("The paper's table"),
        Paragraph("Solved instances of those run, and the mean CPU seconds over the solved ones "
                  "with the half-width of the 95% confidence interval. Bold: most coverage, and "
                  "not clearly slower than the fastest of these. Beside a planner that the paper "
                  "has too stand its figures: instances solved of 30 within 30 minutes and 4 GB, "
                  "mean seconds (Schmalz and Trevizan, “Solving Constrained Stochastic Shortest "
                  "Path Problems with Scalarisation”, ECAI 2025). The instances are our own "
                  "reconstructions and the machines differ: compare within a column pair the "
                  f"pattern, not the seconds. {LEFT}: the first instances ran out of time or "
                  "memory, and no more were tried."),
        *tables(PAPER_ROWS, records, main, paper.figures())]
    if extended:
        blocks += [Heading("The paper's extended table"),
                   *tables(PAPER_ROWS, records, extended, paper.figures())]
    return blocks


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
    return [*blocks, *_comparison(compared), *_claims(records), *_multipliers(records),
            *scaling.section(records)]


def _claims(records: Sequence[Record]) -> list[Block]:
    """Of those who have run what the paper's main table has."""
    if not set(MAIN_TABLE) <= set(configurations_in(records)):
        return []
    return [Heading("The paper's claims"),
            Paragraph("CARL is as in the paper here; the default has no part in this."),
            claims.table(records)]


def _multipliers(records: Sequence[Record]) -> list[Block]:
    names = [name for name in (BASELINE, *PAPERS_CARL) if name in configurations_in(records)]
    blocks = [*lambda_search.statistics_table(records, names), *lambda_search.comparison(records)]
    return [Heading("The search for λ*"), *blocks] if blocks else []


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


def _kept_runs() -> list[Record]:
    """Of one experiment: the other may be of another planner."""
    records = kept.read()
    return kept.rival_runs(records) or kept.default_runs(records)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="benchmarks/report",
        description="Turns the results of benchmarks/run into report.md and report.html.")
    parser.add_argument("--results", type=pathlib.Path, metavar="DIR",
                        default=SOURCE / "build/benchmarks",
                        help="where results.jsonl is [%(default)s]")
    parser.add_argument("--kept", action="store_true",
                        help="of the runs kept in the repository: the rivals if there are any, "
                             "else the default")
    parser.add_argument("--output", type=pathlib.Path, metavar="DIR",
                        help="where the pages go [DIR/report]")
    parser.add_argument("--limit", type=float, metavar="SECONDS",
                        help="only runs with this time limit [the largest of each instance]")
    parser.add_argument("--all-planners", action="store_true",
                        help="also results of other builds than the one that ran last")
    arguments = parser.parse_args(argv)
    path = kept.FILE if arguments.kept else arguments.results / "results.jsonl"
    everything = _kept_runs() if arguments.kept else list(database.read(path))
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
