"""The planners that are compared: a name and what it means as options of `carl solve`."""
from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Configuration:
    name: str
    options: tuple[str, ...]
    explanation: str
    paper: str | None = None
    """The same planner's name in paper_table.json, where the paper has it. Two may render one."""
    compared: bool = True
    """False: not a rival in tables of times, run for what it shows about the planner itself."""


def _as_in_the_paper(heuristic: str, *mode: str, inner: str = "cg-ilao-paper") -> tuple[str, ...]:
    return ("--outer", "coordinate", "--inner", inner, "--heuristic", heuristic, *mode)


_IDEAL_POINT = ("--heuristic-mode", "ideal-point")
_C_ROC = ("--heuristic-mode", "c-roc")

CONFIGURATIONS = {c.name: c for c in (
    Configuration("carl", (), "CARL as it is by default: cutting planes; λ-h-max, "
                              "pattern databases or landmarks, or all states if they are few"),
    Configuration("carl-paper-lmcut", _as_in_the_paper("lmcut"),
                  "CARL as in the paper: coordinate search, CG-iLAO*, λ-LM-cut", "CARL λ-LMcut"),
    Configuration("carl-paper-roc", _as_in_the_paper("roc"),
                  "CARL as in the paper: coordinate search, CG-iLAO*, λ-ROC", "CARL λ-ROC"),
    Configuration("carl-paper-ideal-lmcut", _as_in_the_paper("lmcut", *_IDEAL_POINT),
                  "CARL as in the paper, ideal-point LM-cut", "CARL ideal-point LMcut"),
    Configuration("carl-paper-ideal-roc", _as_in_the_paper("roc", *_IDEAL_POINT),
                  "CARL as in the paper, ideal-point ROC", "CARL ideal-point ROC"),
    Configuration("carl-paper-c-roc", _as_in_the_paper("roc", *_C_ROC),
                  "CARL as in the paper, C-ROC, which may miss the optimum", "CARL C-ROC"),
    Configuration("i-dual", ("--algorithm", "i-dual", "--heuristic", "lmcut", *_IDEAL_POINT),
                  "i-dual, ideal-point LM-cut", "i-dual ideal-point LMcut"),
    Configuration("i-dual-textbook",
                  ("--algorithm", "i-dual-textbook", "--heuristic", "lmcut", *_IDEAL_POINT),
                  "i-dual, ideal-point LM-cut, an LP after every step", "i-dual ideal-point LMcut"),
    Configuration("i-dual-roc", ("--algorithm", "i-dual", "--heuristic", "roc", *_IDEAL_POINT),
                  "i-dual, ideal-point ROC"),
    Configuration("i-dual-c-roc", ("--algorithm", "i-dual", "--heuristic", "roc", *_C_ROC),
                  "i-dual, C-ROC, which may miss the optimum", "i-dual C-ROC"),
    Configuration("i2-dual", ("--algorithm", "i2-dual"), "i²-dual", "i²-dual"),
    Configuration("cg-ilao-lmcut", _as_in_the_paper("lmcut"),
                  "carl-paper-lmcut, run once more beside ilao-lmcut", compared=False),
    Configuration("cg-ilao-roc", _as_in_the_paper("roc"),
                  "carl-paper-roc, run once more beside ilao-roc", compared=False),
    Configuration("ilao-lmcut", _as_in_the_paper("lmcut", inner="ilao"),
                  "Hong and Williams's search for λ*: coordinate search, iLAO*, λ-LM-cut",
                  compared=False),
    Configuration("ilao-roc", _as_in_the_paper("roc", inner="ilao"),
                  "Hong and Williams's search for λ*: coordinate search, iLAO*, λ-ROC",
                  compared=False),
    Configuration("lp", ("--algorithm", "lp"), "the occupation-measure LP over all states"),
    Configuration("carl-vi", ("--inner", "vi"), "CARL that expands all states first",
                  compared=False),
    Configuration("auto", ("--algorithm", "auto"), "chooses the algorithm by the problem"),
)}

INNER_ALGORITHMS = ("vi", "cg-ilao", "ilao", "lrtdp")
FACTORED_HEURISTICS = ("hmax", "landmarks", "lmcut", "roc", "pdb", "zero")
EXPLICIT_HEURISTICS = ("dijkstra", "zero")
OTHER_ALGORITHMS = ("lp", "i-dual", "i2-dual")
OWN = "own-"
"""What the names of our own options begin with."""


def _own_options() -> dict[str, Configuration]:
    found = [Configuration(f"{OWN}{inner}-{heuristic}",
                           ("--inner", inner, "--heuristic", heuristic),
                           f"CARL with --inner {inner} --heuristic {heuristic}", compared=False)
             for inner in INNER_ALGORITHMS
             for heuristic in dict.fromkeys(FACTORED_HEURISTICS + EXPLICIT_HEURISTICS)]
    found += [Configuration(f"{OWN}{algorithm}", ("--algorithm", algorithm),
                            f"--algorithm {algorithm}", compared=False)
              for algorithm in OTHER_ALGORITHMS]
    return {c.name: c for c in found}


OWN_OPTIONS = _own_options()
"""What a user could choose in place of the default. They are held to the default's own time (see
regret.py), so their runs say nothing in other tables."""


def own_options_for(is_explicit: bool) -> tuple[str, ...]:
    """Those that can solve such a model: heuristics on facts, and i²-dual, need a factored one."""
    heuristics = EXPLICIT_HEURISTICS if is_explicit else FACTORED_HEURISTICS
    others = OTHER_ALGORITHMS[:-1] if is_explicit else OTHER_ALGORITHMS
    inside = (f"{inner}-{heuristic}" for inner in INNER_ALGORITHMS for heuristic in heuristics)
    return tuple(OWN + name for name in (*inside, *others))


ALL_CONFIGURATIONS = CONFIGURATIONS | OWN_OPTIONS

BASELINE = "carl"
"""What the others are compared with."""

MAIN = ("carl", "carl-paper-lmcut", "carl-paper-roc", "i-dual", "i2-dual")

MAIN_TABLE = ("carl-paper-roc", "carl-paper-lmcut", "i-dual-c-roc", "i-dual", "i2-dual")
"""The columns of the paper's table of main results, and what its extended table adds."""
EXTENDED_TABLE = ("carl-paper-ideal-roc", "carl-paper-c-roc", "carl-paper-ideal-lmcut")
RIVALS = (*MAIN_TABLE, "i-dual-textbook", *EXTENDED_TABLE)

PAPERS_CARL = ("carl-paper-lmcut", "carl-paper-roc")

LAMBDA_PAIRS = {"cg-ilao-lmcut": "ilao-lmcut", "cg-ilao-roc": "ilao-roc"}
"""Two that differ only in what solves scalarised problems: CG-iLAO* or iLAO*. The first are what
PAPERS_CARL are, under names of their own, so that both of a pair are of one machine and one time."""
OF_LAMBDA_PAIRS = tuple(name for pair in LAMBDA_PAIRS.items() for name in pair)
