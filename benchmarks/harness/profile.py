"""benchmarks/profile: in which phase of its work a planner spends its time, by the functions that a
profiler finds it in."""
from __future__ import annotations

import argparse
import functools
import pathlib
import re
import sys
from collections import defaultdict
from typing import Iterable, Sequence

from .command import INTERRUPTED, USAGE, heed_signals, positive, seconds
from .configurations import BASELINE, CONFIGURATIONS
from .document import Table, markdown, plain
from .experiment import EXPERIMENTS, rows_matching
from .instances import SOURCE, Instance, Row
from .planner import ANSWERED, Limits, Planner, PlannerError, Task
from .profilers import Frame, Profiler, ProfilerError, Sample, find_profiler

SYSTEM, OTHER = "system", "other"
PHASES = ("parse", "ground", "expand", "heuristic", "backups", "λ search", "evaluation",
          "extraction", SYSTEM, OTHER)

# What a function belongs to, by the beginning of its name: the first pattern decides, so what is
# more special comes first. Functions that are in no list work for their callers.
_PATTERNS: tuple[tuple[str, str], ...] = (
    ("heuristic", r"heuristics::|ssp::ScalarisedSsp::evaluate"),
    ("expand", r"(TaskModel|ExplicitModel|Cssp)::(expand|successor|cost|forbids|is_)|Expansion"),
    ("expand", r"task::(StateRegistry|StateLayout|SuccessorGenerator::(visit|child))"),
    ("expand", r"ssp::(SearchGraph|expand_|proper_region|ProperRegion|\w*zero_cost_loop)"),
    ("expand", r"ssp::(\(anonymous namespace\)::FreePart|ScalarisedSsp::(learn_|expand|hopeful))"),
    ("extraction", r"cssp::(TiedSupport|policy_of_flow|set_policy|set_mixture|add_mixture_component)"),
    ("extraction", r"cssp::\(anonymous namespace\)::in_terms_of_actions|(io::)?write_"),
    ("extraction", r"ssp::(decompose|MixturePart)"),
    ("evaluation", r"ssp::(\w*envelope|Policy|evaluate|Evaluation|identity_minus|transposed)"),
    ("evaluation", r"ssp::(GaussSeidel|sound_lower_bound|exact_lower_bound)|policy::"),
    ("evaluation", r"ssp::\(anonymous namespace\)::(Repair|BackwardGraph|Iteration|RowBuilder)\b"),
    ("backups", r"ssp::"),
    ("λ search", r"cssp::|lp::"),
    ("ground", r"task::|TaskModel::(TaskModel|compile)|make_task_model"),
    ("parse", r"pddl::|io::|load|ExplicitBuilder|InternIndex|InternTable"),
)
_COMPILED = tuple((phase, re.compile(f"carl::({pattern})")) for phase, pattern in _PATTERNS)
_SYSTEM_FILE = re.compile(r"\[|ld-linux|lib(c|m|stdc\+\+|gcc_s)\.")


@functools.cache
def _phase_of_function(function: str) -> str | None:
    return next((phase for phase, pattern in _COMPILED if pattern.match(function)), None)


def phase_of(stack: Sequence[Frame]) -> str:
    """That of the innermost function that has one: memory is allocated, copied and paged in, and
    linear programs are solved, for someone. What nobody asked for is the system's, who starts and
    ends the process, or other."""
    for frame in stack:
        if phase := _phase_of_function(frame.function):
            return phase
    return SYSTEM if stack and _SYSTEM_FILE.match(stack[0].file) else OTHER


class Profile:
    """What some runs took, together."""

    def __init__(self) -> None:
        self.runs = 0
        self.samples = 0
        self.costs: dict[str, float] = dict.fromkeys(PHASES, 0.0)
        self.functions: dict[tuple[str, str], float] = defaultdict(float)
        """Per phase and the function that was running."""

    def add_run(self, samples: Sequence[Sample]) -> None:
        self.runs += 1
        self.samples += len(samples)
        for sample in samples:
            phase = phase_of(sample.stack)
            self.costs[phase] += sample.cost
            if sample.stack:
                self.functions[phase, sample.stack[0].function] += sample.cost

    def add(self, other: Profile) -> None:
        self.runs += other.runs
        self.samples += other.samples
        for phase, cost in other.costs.items():
            self.costs[phase] += cost
        for function, cost in other.functions.items():
            self.functions[function] += cost

    @property
    def total(self) -> float:
        return sum(self.costs.values())

    def share(self, cost: float) -> str:
        return f"{100 * cost / self.total:.1f}%" if cost else "–"


def together(profiles: Iterable[Profile]) -> Profile:
    result = Profile()
    for profile in profiles:
        result.add(profile)
    return result


def table(profiles: dict[str, Profile], parts: str, unit: str) -> Table:
    """A line per domain and one for all."""
    lines = dict(profiles)
    if len(profiles) > 1:
        lines["all"] = together(profiles.values())
    return Table(["domain", "runs", parts, unit, *PHASES],
                 [[name, str(p.runs), f"{p.samples:,}", f"{p.total:.2f}",
                   *map(p.share, p.costs.values())] for name, p in lines.items()])


def heaviest(profile: Profile, count: int) -> Table:
    """The functions that were running most in each phase, with their shares of everything."""
    order = sorted(profile.functions.items(), key=lambda item: -item[1])
    lines: list[list[str]] = []
    for phase in PHASES:
        functions = [(function, cost) for (of, function), cost in order if of == phase]
        lines += [[phase, profile.share(cost), f"`{function}`"]
                  for function, cost in functions[:count]]
    return Table(["phase", "share", "function"], lines, prose=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="benchmarks/profile", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Runs the planner under a profiler and says, per domain, which share of its\n"
                    "time goes into which phase of its work.",
        epilog="Time belongs to the phase of the innermost function that has one: copying memory,\n"
               "allocating it, page faults and linear programs to the phase that asks for them.\n"
               "What the compiler inlined counts as part of its caller, and the release build\n"
               "inlines across files: the borders between phases are a little blurred there.\n"
               "'system' is starting and ending the process, 'other' mostly its command line.\n"
               "The runs of a domain are added up, so that the longest count most; a share of few\n"
               "samples means little. perf itself adds a tenth to the times.\n\n"
               "exit status: 0 all well; 2 bad usage, no profiler, or a planner that fails;\n"
               "130 interrupted")
    parser.add_argument("--rows", metavar="GLOB",
                        help="rows such as 'sar(4,*' or 'ctw*' [those of the set medium]")
    parser.add_argument("--config", choices=CONFIGURATIONS, default=BASELINE, metavar="NAME",
                        help="a configuration of benchmarks/run [%(default)s]")
    parser.add_argument("--limit", type=seconds, metavar="SECONDS", default=60,
                        help="per run, by the clock without a profiler [%(default)s]")
    parser.add_argument("--functions", type=positive, metavar="N",
                        help="list the N functions that take most in each phase, too")
    parser.add_argument("--markdown", action="store_true", help="print Markdown tables")
    parser.add_argument("--profiler", choices=("perf", "valgrind"),
                        help="[perf if it works, otherwise valgrind, which is 50 times slower]")
    parser.add_argument("--frequency", type=positive, metavar="HZ", default=5000,
                        help="samples per second of perf [%(default)s]")
    parser.add_argument("--planner", type=pathlib.Path, metavar="FILE",
                        default=SOURCE / "build/release/carl", help="the binary [%(default)s]")
    parser.add_argument("--results", type=pathlib.Path, metavar="DIR",
                        default=SOURCE / "build/benchmarks",
                        help="where the instances are kept [%(default)s]")
    return parser


def _measure(profiler: Profiler, planner: Planner, rows: Sequence[Row],
             arguments: argparse.Namespace) -> dict[str, Profile]:
    """By domain."""
    limits = Limits(arguments.limit * profiler.slowdown)
    profiles: dict[str, Profile] = defaultdict(Profile)
    for number, row in enumerate(rows, start=1):
        task = Task(CONFIGURATIONS[arguments.config], Instance(row, row.seeds(1, 1)[0]), limits)
        problem = planner.problem_files(task.instance, arguments.results / "instances")
        status, samples = profiler.run(planner.solve_command(task, problem))
        if status not in ANSWERED:
            raise PlannerError(f"{task.instance.name}: exit status {status}; what is wrong is "
                               f"shown by benchmarks/run --rows '{row.name}'")
        profiles[row.domain].add_run(samples)
        note = ", ended by a limit" if status == 3 else ""
        print(f"[{number}/{len(rows)}] {task.instance.name}: "
              f"{sum(s.cost for s in samples):.2f} {profiler.unit}{note}", file=sys.stderr)
    return profiles


def main(argv: Sequence[str] | None = None) -> int:
    parser = _parser()
    arguments = parser.parse_args(argv)
    rows = (EXPERIMENTS["medium"].rows if arguments.rows is None
            else rows_matching(arguments.rows))
    if not rows:
        parser.error(f"no row matches '{arguments.rows}'")
    heed_signals()
    try:
        planner = Planner(arguments.planner)
        profiler = find_profiler(arguments.frequency, arguments.profiler)
        profiles = _measure(profiler, planner, rows, arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
    except (PlannerError, ProfilerError) as error:
        print(f"benchmarks/profile: {error}", file=sys.stderr)
        return USAGE
    tables = [table(profiles, profiler.parts, profiler.unit)]
    if arguments.functions:
        tables.append(heaviest(together(profiles.values()), arguments.functions))
    print(markdown(tables) if arguments.markdown else plain(tables), end="")
    return 0
