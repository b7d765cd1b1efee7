"""The problems: rows of parameters as in the paper's table, each with many instances.

In some rows the seed chooses the problem; in the others the problem is fixed and the seed is handed
to the planner, which shuffles its actions by it. An instance is named like its row and seed,
`sar(4,3,.75)#7`.
"""
from __future__ import annotations

import re
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Row:
    name: str
    domain: str
    parameters: tuple[tuple[str, str], ...]
    seed_is_problem: bool
    """True: the seed goes to the generator; False: to the planner."""
    infeasible_seeds: frozenset[int] = field(default=frozenset())
    """Seeds left out because no policy meets the bounds."""

    def seeds(self, first: int, last: int) -> list[int]:
        """The seeds of the first-th to the last-th feasible instance, counted from 1."""
        found: list[int] = []
        seed = 0
        while len(found) < last:
            seed += 1
            if seed not in self.infeasible_seeds:
                found.append(seed)
        return found[first - 1:]


@dataclass(frozen=True)
class Instance:
    row: Row
    seed: int

    @property
    def name(self) -> str:
        return f"{self.row.name}#{self.seed}"

    @property
    def problem(self) -> str:
        """Instances of the same problem must have the same optimum."""
        return self.name if self.row.seed_is_problem else self.row.name

    @property
    def file_name(self) -> str:
        return re.sub(r"[^A-Za-z0-9.]+", "-", self.problem).strip("-") + ".pddl"

    def generate_arguments(self) -> list[str]:
        arguments = ["generate", self.row.domain]
        for name, value in self.row.parameters:
            arguments += ["--param", f"{name}={value}"]
        if self.row.seed_is_problem:
            arguments += ["--seed", str(self.seed)]
        return arguments

    def solve_arguments(self) -> list[str]:
        return [] if self.row.seed_is_problem else ["--seed", str(self.seed)]


def sar(n: int, d: int, r: str) -> Row:
    return Row(f"sar({n},{d},{r})", "sar", (("n", str(n)), ("d", str(d)), ("r", "0" + r)), True)


def elevators(e: int, w: int, h: int, infeasible: tuple[int, ...] = ()) -> Row:
    return Row(f"elevators({e},{w},{h})", "elevators",
               (("e", str(e)), ("w", str(w)), ("h", str(h))), True, frozenset(infeasible))


def undecided_elevators(e: int, w: int, h: int) -> Row:
    return Row(f"elevators-undecided({e},{w},{h})", "elevators",
               (("e", str(e)), ("w", str(w)), ("h", str(h)), ("destinations", "2")), True)


def random_exbw(blocks: int, c: str) -> Row:
    return Row(f"exbw-random({blocks},{c})", "exbw",
               (("id", "random"), ("blocks", str(blocks)), ("c", c)), True)


def exbw(identifier: str, blocks: int, c: str) -> Row:
    return Row(f"exbw({identifier},{blocks},{c})", "exbw", (("id", identifier), ("c", c)), False)


def parc(f: str, u: str, sheets: str = "BBCC") -> Row:
    name = f"parc({f},{u})" if sheets == "BBCC" else f"parc-{sheets}({f},{u})"
    return Row(name, "parc", (("f", f), ("u", u), ("sheets", sheets)), False)


def ctw(n: int, d: int, c: int, variant: str = "plain") -> Row:
    name = "ctw" if variant == "plain" else f"ctw-{variant}"
    return Row(f"{name}({n},{d},{c})", "ctw",
               (("n", str(n)), ("d", str(d)), ("c", str(c)), ("variant", variant)), False)


PAPER_ROWS: tuple[Row, ...] = (
    sar(4, 3, ".75"), sar(4, 4, ".75"), sar(5, 3, ".50"), sar(5, 3, ".75"), sar(5, 4, ".50"),
    sar(5, 4, ".75"),
    elevators(1, 1, 1, infeasible=(18, 25, 30)), elevators(1, 1, 2), elevators(1, 2, 1),
    elevators(1, 2, 2), elevators(2, 1, 1, infeasible=(15, 18, 31, 32)), elevators(2, 1, 2),
    elevators(2, 2, 1),
    exbw("1", 5, ".1"), exbw("2", 5, ".07"), exbw("3", 6, ".91"), exbw("4", 6, ".16"),
    exbw("5", 7, ".01"), exbw("6", 8, ".3"), exbw("7", 8, ".5"), exbw("8", 8, ".63"),
    exbw("9", 8, ".4"),
    *(parc(f, u) for f in ("0.0", "0.2", "0.4", "0.6", "0.8", "1.0") for u in ("1", "inf")),
    *(ctw(4, d, c) for d in (4, 5, 6) for c in (2, 4, 6)))

# Small problems whose optima are known from programs that share no code with the planner.
SMALL_ROWS: tuple[Row, ...] = (
    sar(3, 2, ".75"), sar(3, 3, ".50"), sar(3, 3, ".75"),
    *(exbw(f"t{n}", n, c) for n, c in ((2, ".05"), (2, "0"), (3, ".05"), (4, ".2"), (4, ".1"),
                                       (4, ".05"))),
    parc("0.2", "1", "BC"), parc("0.2", "inf", "BC"),
    ctw(2, 2, 2), ctw(2, 4, 2), ctw(3, 3, 4), ctw(3, 6, 2),
    ctw(2, 2, 2, "q"), ctw(2, 2, 3, "q"))

# Beyond the paper's sizes, chosen by measurement; see README.md.
EXTENDED_ROWS: tuple[Row, ...] = (
    sar(6, 5, ".50"), sar(6, 5, ".75"), sar(8, 6, ".75"), sar(8, 12, ".75"),
    elevators(2, 2, 2), elevators(2, 3, 3), elevators(3, 2, 2),
    undecided_elevators(1, 2, 2), undecided_elevators(2, 1, 2),
    random_exbw(9, "1"), random_exbw(10, "1"),
    parc("0.2", "1", "BBCCB"), parc("0.2", "1", "BBCCBC"),
    ctw(5, 5, 4), ctw(6, 6, 4), ctw(8, 8, 2), ctw(5, 5, 3, "q"), ctw(6, 6, 3, "q"))

# Between and beyond these, so that each domain has a series from some hundred states to millions.
GROWING_ROWS: tuple[Row, ...] = (
    sar(4, 4, ".50"), sar(5, 4, ".40"), sar(5, 4, ".60"), sar(5, 8, ".75"), sar(7, 6, ".75"),
    sar(8, 8, ".75"), sar(8, 10, ".75"), sar(8, 14, ".75"),
    elevators(1, 3, 2), elevators(1, 2, 3), elevators(2, 3, 1),
    *(random_exbw(blocks, "1") for blocks in (4, 5, 6)), random_exbw(7, ".05"),
    *(parc("0.2", "1", sheets) for sheets in ("BB", "BBC", "BBB", "BBBC", "BBBB")),
    ctw(3, 3, 2), ctw(3, 4, 2), ctw(5, 5, 2), ctw(5, 6, 2), ctw(6, 5, 2), ctw(6, 6, 2))

ALL_ROWS: dict[str, Row] = {
    r.name: r for r in PAPER_ROWS + SMALL_ROWS + EXTENDED_ROWS + GROWING_ROWS}


def instance_named(name: str) -> Instance:
    row, _, seed = name.rpartition("#")
    return Instance(ALL_ROWS[row], int(seed))
