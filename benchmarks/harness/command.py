"""The command line of benchmarks/run."""
from __future__ import annotations

import argparse
import collections
import dataclasses
import pathlib
import signal
import sys
from typing import Any, Sequence

from . import cluster, database, regret_runs, verdict
from .configurations import (ALL_CONFIGURATIONS, BASELINE, CONFIGURATIONS, INNER_ALGORITHMS,
                             OTHER_ALGORITHMS, OWN, OWN_OPTIONS)
from .database import Record
from .experiment import EXPERIMENTS, ONE_OF_EACH, Experiment, rows_matching
from .instances import SOURCE
from .planner import ERRORS, Limits, Planner, PlannerError
from .runner import Runner

WRONG, USAGE, INTERRUPTED = 1, 2, 130


def _seeds(text: str) -> tuple[int, int]:
    first, _, last = text.partition("-")
    try:
        seeds = int(first), int(last or first)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not like 3 or 1-30") from None
    if not 1 <= seeds[0] <= seeds[1]:
        raise argparse.ArgumentTypeError(f"'{text}': from 1 on, the smaller one first")
    return seeds


def _configurations(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    for name in names:
        if name not in ALL_CONFIGURATIONS:
            raise argparse.ArgumentTypeError(
                f"no configuration named '{name}'; there are {', '.join(ALL_CONFIGURATIONS)}")
    return names


def positive(text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number above 0")
    return value


def seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0
    if not 0 < value < 1e9:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of seconds above 0")
    return value


def _parser() -> argparse.ArgumentParser:
    sets = "\n".join(f"  {name:<9} {e.explanation}" for name, e in EXPERIMENTS.items())
    configurations = "\n".join(f"  {c.name:<17} {c.explanation}" for c in CONFIGURATIONS.values())
    own = (f"  {OWN}INNER-HEURISTIC with INNER one of {', '.join(INNER_ALGORITHMS)}, and\n"
           f"  {', '.join(OWN + name for name in OTHER_ALGORITHMS)}: "
           "our own options, of the set regret")
    parser = argparse.ArgumentParser(
        prog="benchmarks/run", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Runs planners on benchmark problems, keeps the results and checks them.\n"
                    "Runs that are known already are not repeated: after an interruption the same\n"
                    "command goes on where it was.",
        epilog=f"sets:\n{sets}\n\nconfigurations:\n{configurations}\n{own}\n\n"
               "exit status: 0 all well; 1 a wrong answer, or a planner that failed; 2 bad usage;\n"
               "130 interrupted")
    parser.add_argument("set", nargs="?", choices=EXPERIMENTS, metavar="SET",
                        help="which experiment; may be left out if there is --rows")
    parser.add_argument("--rows", metavar="GLOB", help="rows to run, such as 'sar(4,*' or 'ctw*'")
    parser.add_argument("--configs", type=_configurations, metavar="A,B,…")
    parser.add_argument("--seeds", type=_seeds, metavar="A-B",
                        help="the A-th to the B-th feasible instance of each row")
    parser.add_argument("--limit", type=seconds, metavar="SECONDS", help="per run")
    parser.add_argument("--cpu-time", action="store_true",
                        help="the limit is on CPU time instead of the clock: for busy machines")
    parser.add_argument("--memory", type=positive, metavar="MB", default=Limits.memory_mb,
                        help="per run [%(default)s]")
    parser.add_argument("--grace", type=seconds, metavar="SECONDS", default=Limits.grace,
                        help="how long after 1.1 times its limit a planner is killed "
                             "[%(default)s]")
    parser.add_argument("--jobs", type=positive, metavar="N",
                        help="runs at a time; more than one disturbs their times [1; on a "
                             "cluster as many as it likes]")
    parser.add_argument("--fresh", action="store_true",
                        help="repeat also what is known; without it, --resume, the default")
    parser.add_argument("--resume", action="store_false", dest="fresh", help=argparse.SUPPRESS)
    parser.add_argument("--planner", type=pathlib.Path, metavar="FILE",
                        default=SOURCE / "build/release/carl", help="the binary [%(default)s]")
    parser.add_argument("--results", type=pathlib.Path, metavar="DIR",
                        default=SOURCE / "build/benchmarks",
                        help="where results.jsonl and the instances are kept [%(default)s]")
    parser.add_argument("--list", action="store_true", help="say what would be run, and stop")
    slurm = parser.add_argument_group("on a cluster")
    slurm.add_argument("--slurm", action="store_true",
                       help="submit the runs as job arrays (sbatch), then stop")
    slurm.add_argument("--sbatch-options", metavar="TEXT", default="",
                       help="more options for sbatch, such as '--partition=long'")
    slurm.add_argument("--collect", action="store_true",
                       help="add what such jobs have finished to the results, and check them")
    slurm.add_argument("--task", type=cluster.task_reference, metavar="DIR:N",
                       help=argparse.SUPPRESS)  # what a job runs
    return parser


def _experiment(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> Experiment:
    if arguments.set is None and arguments.rows is None:
        parser.error("name a set or --rows; --help lists the sets")
    experiment = EXPERIMENTS[arguments.set] if arguments.set else ONE_OF_EACH
    if arguments.slurm and experiment.held_to_default:
        parser.error(f"{arguments.set} cannot be submitted: what is run depends on what came out")
    changes: dict[str, Any] = {}
    if arguments.rows is not None:
        rows = rows_matching(arguments.rows)
        if arguments.set is not None:
            rows = tuple(row for row in rows if row in experiment.rows)
        if not rows:
            parser.error(f"no row matches '{arguments.rows}'")
        changes["rows"] = rows
    if arguments.configs:
        names = arguments.configs
        if experiment.held_to_default:
            others = [name for name in names if name not in (BASELINE, *OWN_OPTIONS)]
            if others:
                parser.error(f"{arguments.set} is about our own options, {OWN}…: not "
                             f"{', '.join(others)}, whose runs are for other tables")
            names = tuple(dict.fromkeys((BASELINE, *names)))
        changes["configurations"] = names
    if arguments.seeds:
        changes |= {"seeds": arguments.seeds, "oracles_only": False, "more_seeds": ()}
    if arguments.limit:
        changes["seconds"] = arguments.limit
    return dataclasses.replace(experiment, **changes)


def _is_mistake(record: Record) -> bool:
    return record["status"] in ERRORS


def conclude(records: Sequence[Record]) -> int:
    """Prints the summary and all that is wrong; the exit status."""
    print()
    names = dict.fromkeys(record["configuration"] for record in records)
    for name in names:
        counts = collections.Counter(r["status"] for r in records if r["configuration"] == name)
        print(f"{name:<17} " + ", ".join(f"{n} {status}" for status, n in counts.most_common()))
    return report_mistakes(records)


def report_mistakes(records: Sequence[Record]) -> int:
    """Prints all that is wrong; the exit status."""
    failed: dict[tuple[str, str], Record] = {}
    for record in filter(_is_mistake, records):
        failed.setdefault((record["configuration"], record["status"]), record)
    for (name, status), record in failed.items():
        note = (record.get("note") or "no reason given").splitlines()[0]
        print(f"ERROR: {name}: {status}, first on {record['instance']}: {note}", file=sys.stderr)
    wrong = verdict.check(records)
    for sentence in wrong:
        print(f"WRONG ANSWER: {sentence}", file=sys.stderr)
    if wrong:
        print(f"{len(wrong)} disagreement(s): do not trust these results.", file=sys.stderr)
    return WRONG if wrong or failed else 0


def _run_here(arguments: argparse.Namespace, planner: Planner, experiment: Experiment,
              limits: Limits) -> int:
    with Runner(planner, arguments.results, arguments.jobs or 1, arguments.fresh) as runner:
        if experiment.held_to_default:
            regret_runs.run(experiment, runner, limits)
            return report_mistakes(runner.records)
        runner.run(experiment.tasks(limits), tries=experiment.tries)
        return conclude(runner.records)


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def heed_signals() -> None:
    """Asking it to end is as good as Ctrl-C, which shells take from commands in the background."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupt)


def main(argv: Sequence[str] | None = None) -> int:
    parser = _parser()
    arguments = parser.parse_args(argv)
    heed_signals()
    try:
        if arguments.task is not None:
            return cluster.run_task(*arguments.task)
        if arguments.collect:
            return conclude(cluster.collect(arguments.results))
        experiment = _experiment(parser, arguments)
        if arguments.list:
            for task in experiment.tasks():
                print(task.configuration.name, task.instance.name)
            return 0
        planner = Planner(arguments.planner)
        limits = Limits(experiment.seconds, arguments.memory, arguments.grace,
                        arguments.cpu_time or experiment.cpu_time)
        if arguments.slurm:
            return cluster.submit(arguments.results, planner, experiment.tasks(limits), limits,
                                  arguments.jobs, arguments.sbatch_options, arguments.fresh)
        return _run_here(arguments, planner, experiment, limits)
    except KeyboardInterrupt:
        return INTERRUPTED
    except (PlannerError, database.DatabaseBusy, cluster.ClusterError) as error:
        print(f"benchmarks/run: {error}", file=sys.stderr)
        return USAGE
