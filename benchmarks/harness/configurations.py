"""The planners that are compared: a name and what it means as options of `carl solve`."""
from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Configuration:
    name: str
    options: tuple[str, ...]
    explanation: str
    paper: str | None = None
    """The same planner's name in paper_table.json, where the paper has it."""
    compared: bool = True
    """False: not a rival in tables of times, run for what it shows about the planner itself."""


CONFIGURATIONS = {c.name: c for c in (
    Configuration("carl", (), "CARL as it is by default: cutting planes; λ-h-max, "
                              "pattern databases or landmarks, or all states if they are few"),
    Configuration("carl-paper-lmcut", ("--outer", "coordinate", "--inner", "cg-ilao-paper",
                                       "--heuristic", "lmcut"),
                  "CARL as in the paper: coordinate search, CG-iLAO*, λ-LM-cut", "CARL λ-LMcut"),
    Configuration("carl-paper-roc", ("--outer", "coordinate", "--inner", "cg-ilao-paper",
                                     "--heuristic", "roc"),
                  "CARL as in the paper: coordinate search, CG-iLAO*, λ-ROC", "CARL λ-ROC"),
    Configuration("i-dual", ("--algorithm", "i-dual", "--heuristic", "lmcut",
                             "--heuristic-mode", "ideal-point"),
                  "i-dual, ideal-point LM-cut", "i-dual ideal-point LMcut"),
    Configuration("i-dual-roc", ("--algorithm", "i-dual", "--heuristic", "roc",
                                 "--heuristic-mode", "ideal-point"),
                  "i-dual, ideal-point ROC"),
    Configuration("i-dual-c-roc", ("--algorithm", "i-dual", "--heuristic", "roc",
                                   "--heuristic-mode", "c-roc"),
                  "i-dual, C-ROC", "i-dual C-ROC"),
    Configuration("i2-dual", ("--algorithm", "i2-dual"), "i²-dual", "i²-dual"),
    Configuration("lp", ("--algorithm", "lp"), "the occupation-measure LP over all states"),
    Configuration("carl-vi", ("--inner", "vi"), "CARL that expands all states first",
                  compared=False),
    Configuration("auto", ("--algorithm", "auto"), "chooses the algorithm by the problem"),
)}

BASELINE = "carl"
"""What the others are compared with."""

MAIN = ("carl", "carl-paper-lmcut", "carl-paper-roc", "i-dual", "i2-dual")
