"""What to run: named sets of configurations, rows, seeds and limits, which the command line may
narrow or change."""
from __future__ import annotations

import fnmatch
from dataclasses import dataclass

from . import paper
from .aggregate import TRIES
from .configurations import (ALL_CONFIGURATIONS, BASELINE, MAIN, OF_LAMBDA_PAIRS, OWN_OPTIONS,
                             RIVALS, own_options_for)
from .instances import (ALL_ROWS, COMPETITION_ROWS, EXPLICIT_ROWS, EXTENDED_ROWS, PAPER_ROWS,
                        SMALL_ROWS, Instance, Row)
from .oracles import ORACLES
from .planner import Limits, Task


@dataclass(frozen=True)
class Experiment:
    explanation: str
    rows: tuple[Row, ...]
    configurations: tuple[str, ...]
    seeds: tuple[int, int]
    """The first to the last feasible instance of each row."""
    seconds: float
    oracles_only: bool = False
    """Instances whose optimum is known, whatever their seeds."""
    left_out: frozenset[tuple[str, str]] = frozenset()
    """Configurations and rows: runs that could only reach a limit, or be refused."""
    cpu_time: bool = False
    """The limit is on CPU time, whatever the command line says."""
    held_to_default: bool = False
    """The default runs first, and the others get no more time than its own allows them: see
    regret.py."""
    more_seeds: tuple[tuple[str, int], ...] = ()
    """Rows with more instances than the others, and how many."""
    tries: int = 0
    """A configuration whose first so many instances of a row run out of time is not tried on the
    others: see patience.py. 0: it is."""
    quick_first: bool = False
    """By the paper's times, so that whoever stops early has most of the runs."""

    def instances(self) -> list[Instance]:
        if self.oracles_only:
            return [i for row in self.rows for i in known_instances(row)]
        last = dict(self.more_seeds)
        return [Instance(row, seed) for row in self.rows
                for seed in row.seeds(self.seeds[0], last.get(row.name, self.seeds[1]))]

    def tasks(self, limits: Limits = Limits()) -> list[Task]:
        """All configurations of an instance in turn, so that answers can be compared early; or, if
        the quick ones come first, all instances of a row by one configuration, then the next."""
        tasks = [Task(ALL_CONFIGURATIONS[name], instance, limits)
                 for instance in self.instances() for name in self.configurations
                 if (name, instance.row.name) not in self.left_out]
        if self.quick_first:
            tasks.sort(key=lambda t: _expected(t.instance.row, t.configuration.name))
        return tasks


def _expected(row: Row, configuration: str) -> tuple[float, str, str]:
    """The default is what all others are compared with, and comes first."""
    seconds = paper.expected_seconds(row, configuration) if configuration != BASELINE else 0.0
    return seconds, row.name, configuration


def known_instances(row: Row) -> list[Instance]:
    if not row.seed_is_problem:
        return [Instance(row, 1)] if row.name in ORACLES else []
    names = (name.rpartition("#") for name in ORACLES)
    return [Instance(row, int(seed)) for name, _, seed in names if name == row.name]


_QUICK_ROWS = SMALL_ROWS + tuple(ALL_ROWS[name] for name in (
    "sar(4,3,.75)", "elevators(1,1,1)", "elevators(1,1,2)", "elevators(1,2,1)", "exbw(1,5,.1)",
    "exbw(7,8,.5)", "ctw(4,4,2)"))

# Series of growing instances; of the second part not all states can be expanded.
_EXPANDED_ROWS = (
    "sar(3,3,.75)", "sar(4,4,.50)", "sar(4,4,.75)", "sar(5,4,.40)", "sar(5,4,.50)",
    "sar(5,4,.60)", "sar(5,4,.75)",
    "elevators(1,1,1)", "elevators(1,1,2)", "elevators(1,2,2)", "elevators(1,3,2)",
    "elevators(1,2,3)", "elevators(2,2,1)", "elevators(2,1,2)", "elevators(2,3,1)",
    "elevators(2,2,2)",
    "exbw(t3,3,.05)", "exbw(t4,4,.1)", "exbw-random(4,1)", "exbw(1,5,.1)", "exbw(2,5,.07)",
    "exbw-random(5,1)", "exbw(3,6,.91)", "exbw-random(6,1)",
    "parc-BC(0.2,1)", "parc-BB(0.2,1)", "parc-BBC(0.2,1)", "parc-BBB(0.2,1)", "parc(0.2,1)",
    "parc-BBBC(0.2,1)", "parc-BBBB(0.2,1)", "parc-BBCCB(0.2,1)",
    "ctw(2,2,2)", "ctw(3,3,2)", "ctw(3,4,2)", "ctw(4,4,2)", "ctw(4,5,2)", "ctw(4,6,2)",
    "ctw(5,5,2)", "ctw(5,6,2)", "ctw(6,5,2)", "ctw(6,6,2)")
_SEARCHED_ROWS = (
    "sar(5,8,.75)", "sar(7,6,.75)", "sar(8,6,.75)", "sar(8,8,.75)", "sar(8,10,.75)",
    "sar(8,12,.75)", "sar(8,14,.75)",
    "exbw(4,6,.16)", "exbw(5,7,.01)", "exbw(6,8,.3)", "exbw(7,8,.5)", "exbw(8,8,.63)",
    "exbw(9,8,.4)", "exbw-random(7,.05)")

REGRET_GROUPS: dict[str, tuple[Row, ...]] = {
    "The paper's rows": PAPER_ROWS,
    "Larger": (ALL_ROWS["ctw(8,8,2)"],),
    "In the style of the competitions": COMPETITION_ROWS,
    "Explicit models": EXPLICIT_ROWS}
_REGRET_ROWS = tuple(row for rows in REGRET_GROUPS.values() for row in rows)

_ONE_LIFT = tuple((row.name, 30) for row in PAPER_ROWS if row.name.startswith("elevators(1,"))

EXPERIMENTS = {
    "quick": Experiment("small problems of known optimum, under 5 minutes on one core",
                        _QUICK_ROWS, (*MAIN, "lp"), (1, 1), 5, oracles_only=True),
    "medium": Experiment("the paper's 43 rows, one instance each, 60 s limit",
                         PAPER_ROWS, MAIN, (1, 1), 60),
    "paper-default": Experiment("the default on the paper's 43 rows, 30 instances each, 30 min of "
                                "CPU time", PAPER_ROWS, (BASELINE,), (1, 30), 1800, cpu_time=True),
    "paper-rivals": Experiment("all columns of the paper's tables and the default, 5 instances a "
                               "row (30 with one lift), 60 s of CPU time",
                               PAPER_ROWS, (BASELINE, *RIVALS), (1, 5), 60, cpu_time=True,
                               more_seeds=_ONE_LIFT, tries=TRIES, quick_first=True),
    "paper-lambda": Experiment("CG-iLAO* against iLAO* in the search for λ*, 5 instances a row, "
                               "60 s of CPU time",
                               PAPER_ROWS, OF_LAMBDA_PAIRS, (1, 5), 60, cpu_time=True, tries=TRIES,
                               quick_first=True),
    "full": Experiment("the paper's 43 rows, 30 instances each, its limits: for clusters",
                       PAPER_ROWS, (*MAIN, "i-dual-c-roc"), (1, 30), 1800),
    "extended": Experiment("larger problems than the paper's, one instance each, 10 min limit",
                           EXTENDED_ROWS, MAIN, (1, 1), 600),
    "scaling": Experiment("growing instances of every domain, under 20 minutes on one core",
                          tuple(ALL_ROWS[name] for name in _EXPANDED_ROWS + _SEARCHED_ROWS),
                          ("carl", "carl-vi"), (1, 1), 60,
                          left_out=frozenset(("carl-vi", name) for name in _SEARCHED_ROWS)),
    "regret": Experiment("the default against all our own options, which get at most half its time",
                         _REGRET_ROWS, (BASELINE, *OWN_OPTIONS), (1, 1), 60,
                         left_out=frozenset((name, row.name) for row in _REGRET_ROWS
                                            for name in OWN_OPTIONS
                                            if name not in own_options_for(row.is_explicit)),
                         cpu_time=True, held_to_default=True),
}


def wanted_of(row: Row, configuration: str) -> int:
    """How many instances of one of the paper's rows a planner of its tables is to try."""
    name = "paper-lambda" if configuration in OF_LAMBDA_PAIRS else "paper-rivals"
    experiment = EXPERIMENTS[name]
    return dict(experiment.more_seeds).get(row.name, experiment.seeds[1])


ONE_OF_EACH = Experiment("what --rows chooses from when no set is named", tuple(ALL_ROWS.values()),
                         MAIN, (1, 1), 1800)


def rows_matching(pattern: str) -> tuple[Row, ...]:
    """Of all rows, known by name; parentheses and commas need no quotes in the pattern itself."""
    return tuple(row for name, row in ALL_ROWS.items() if fnmatch.fnmatchcase(name, pattern))
