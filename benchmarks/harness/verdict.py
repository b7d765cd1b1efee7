"""Are the answers right? Every answer is held against itself, all others, and known optima.

Whoever returns a policy shows that the optimum is at most its cost, and whoever returns a lower
bound that it is at least that: one planner's bound above another's cost convicts one of them. This
also judges runs that reached a limit. Instances of one problem (seeds that only shuffle actions)
are compared with each other too.
"""
from __future__ import annotations

from collections import defaultdict
from typing import Iterable

from .database import Record
from .oracles import ORACLES, TOLERANCE

GAP = 1e-4
"""Relative gap within which a planner may call a policy optimal: the default of `carl solve`."""
ROUNDING = 1e-6
"""Relative: what arithmetic may take from a certified value or bound."""


def _slack(value: float, relative: float) -> float:
    return relative * max(1.0, abs(value))


def _who(record: Record) -> str:
    return f"{record['configuration']} on {record['instance']}"


def check_record(record: Record) -> list[str]:
    """What is wrong with an answer in itself."""
    wrong = []
    objective, lower = record.get("objective"), record.get("lower_bound")
    if record["status"] == "optimal":
        if objective is None or lower is None:
            return [f"{_who(record)}: optimal, but without a cost or a lower bound"]
        if objective - lower > _slack(objective, GAP + ROUNDING):
            wrong.append(f"{_who(record)}: optimal, but {objective:.9g} is too far above its own "
                         f"lower bound {lower:.9g}")
    if objective is not None and lower is not None and lower > objective + _slack(objective,
                                                                                  ROUNDING):
        wrong.append(f"{_who(record)}: its lower bound {lower:.9g} is above its cost "
                     f"{objective:.9g}")
    for constraint in record.get("constraints", ()) if objective is not None else ():
        value, bound = constraint.get("value"), constraint["bound"]
        if value is not None and value > bound + _slack(bound, ROUNDING):
            wrong.append(f"{_who(record)}: {constraint['cost']} is {value:.9g}, above its bound "
                         f"{bound:g}")
    return wrong


def _check_oracle(record: Record) -> list[str]:
    oracle = ORACLES.get(record["problem"])
    if oracle is None:
        return []
    if record["status"] in ("infeasible", "no-proper-policy"):
        return [f"{_who(record)}: says {record['status']}, but a policy of cost {oracle.upper:.9g} "
                "is known"]
    wrong = []
    objective, lower = record.get("objective"), record.get("lower_bound")
    slack = _slack(oracle.upper, TOLERANCE)
    if lower is not None and lower > oracle.upper + slack:
        wrong.append(f"{_who(record)}: its lower bound {lower:.9g} is above the known cost "
                     f"{oracle.upper:.9g}")
    if objective is not None and oracle.is_optimum and objective < oracle.upper - slack:
        wrong.append(f"{_who(record)}: its cost {objective:.9g} is below the known optimum "
                     f"{oracle.upper:.9g}")
    if record["status"] == "optimal" and objective is not None and (
            objective > oracle.upper + slack + _slack(oracle.upper, GAP)):
        wrong.append(f"{_who(record)}: optimal at {objective:.9g}, but {oracle.upper:.9g} is known")
    return wrong


def _compare(records: list[Record]) -> list[str]:
    """Disagreements among the answers to one problem."""
    with_policy = [r for r in records if r.get("objective") is not None]
    with_bound = [r for r in records if r.get("lower_bound") is not None]
    wrong = []
    if with_policy and with_bound:
        cheapest = min(with_policy, key=lambda r: float(r["objective"]))
        highest = max(with_bound, key=lambda r: float(r["lower_bound"]))
        cost, bound = cheapest["objective"], highest["lower_bound"]
        if cheapest is not highest and bound > cost + _slack(cost, ROUNDING):
            wrong.append(f"{_who(highest)} has a lower bound of {bound:.9g}, but {_who(cheapest)} "
                         f"has a policy of cost {cost:.9g}")
    statuses = {r["status"]: r for r in records
                if r["status"] in ("optimal", "infeasible", "no-proper-policy")}
    if len(statuses) > 1:
        wrong.append("; ".join(f"{_who(record)} says {status}"
                               for status, record in sorted(statuses.items())))
    return wrong


def check(records: Iterable[Record]) -> list[str]:
    """One sentence for everything that is wrong."""
    by_problem: dict[str, list[Record]] = defaultdict(list)
    wrong = []
    for record in records:
        by_problem[record["problem"]].append(record)
        wrong += check_record(record) + _check_oracle(record)
    for group in by_problem.values():
        wrong += _compare(group)
    return wrong
