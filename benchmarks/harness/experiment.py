"""What to run: named sets of configurations, rows, seeds and limits, which the command line may
narrow or change."""
from __future__ import annotations

import fnmatch
from dataclasses import dataclass

from .configurations import CONFIGURATIONS, MAIN
from .instances import EXTENDED_ROWS, PAPER_ROWS, SMALL_ROWS, ALL_ROWS, Instance, Row
from .oracles import ORACLES
from .planner import Task


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

    def instances(self) -> list[Instance]:
        if self.oracles_only:
            return [i for row in self.rows for i in known_instances(row)]
        return [Instance(row, seed) for row in self.rows for seed in row.seeds(*self.seeds)]

    def tasks(self) -> list[Task]:
        """All configurations of an instance in turn, so that answers can be compared early."""
        return [Task(CONFIGURATIONS[name], instance)
                for instance in self.instances() for name in self.configurations]


def known_instances(row: Row) -> list[Instance]:
    if not row.seed_is_problem:
        return [Instance(row, 1)] if row.name in ORACLES else []
    names = (name.rpartition("#") for name in ORACLES)
    return [Instance(row, int(seed)) for name, _, seed in names if name == row.name]


_QUICK_ROWS = SMALL_ROWS + tuple(ALL_ROWS[name] for name in (
    "sar(4,3,.75)", "elevators(1,1,1)", "elevators(1,1,2)", "elevators(1,2,1)", "exbw(1,5,.1)",
    "exbw(7,8,.5)", "ctw(4,4,2)"))

EXPERIMENTS = {
    "quick": Experiment("small problems of known optimum, under 5 minutes on one core",
                        _QUICK_ROWS, (*MAIN, "lp"), (1, 1), 5, oracles_only=True),
    "medium": Experiment("the paper's 43 rows, one instance each, 60 s limit",
                         PAPER_ROWS, MAIN, (1, 1), 60),
    "full": Experiment("the paper's 43 rows, 30 instances each, its limits: for clusters",
                       PAPER_ROWS, (*MAIN, "i-dual-c-roc"), (1, 30), 1800),
    "extended": Experiment("larger problems than the paper's, one instance each, 10 min limit",
                           EXTENDED_ROWS, MAIN, (1, 1), 600),
}

ONE_OF_EACH = Experiment("what --rows chooses from when no set is named", tuple(ALL_ROWS.values()),
                         MAIN, (1, 1), 1800)


def rows_matching(pattern: str) -> tuple[Row, ...]:
    """Of all rows, known by name; parentheses and commas need no quotes in the pattern itself."""
    return tuple(row for name, row in ALL_ROWS.items() if fnmatch.fnmatchcase(name, pattern))
