"""Results: what a solve has found, and what can be done with it."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any

from . import _native, _html
from .model import Model
from .policy import Policy, policy_of
from .simulation import Simulation, simulation_of
from .sweep import Sweep


@dataclass(frozen=True)
class Component:
    """A deterministic policy of a mixture: draw one of them by its weight, and follow it."""

    weight: float
    costs: dict[str, float]
    policy: Policy | None
    """Only if ``solve(mixture=True)`` asked for it."""


@dataclass(frozen=True)
class Check:
    """What an independent check says of a policy: it shares no code with the solvers."""

    holds: bool
    costs: dict[str, float] | None
    findings: list[dict[str, Any]]
    details: dict[str, Any]
    """All of it, as ``carl check --json`` writes it."""

    def __bool__(self) -> bool:
        return self.holds


class Result:
    """The answer of a solve.

    ``status`` is "optimal", "infeasible", "no-proper-policy", "limit" or "interrupted".
    ``objective`` is the exact primary cost of the policy, ``costs`` all of its expected costs,
    ``lower_bound`` what no policy can go below, ``gap`` the relative difference of the two,
    ``shadow_prices`` what one more unit of a bound would save. ``deterministic_costs`` are those of the best
    policy without coins that was met, if any keeps the bounds. ``reasons`` says in sentences why
    there is no solution and what would help. A result can be pickled; what needs the model
    (``check``, ``simulate``, ``certificate``, ``report``) is then left behind.
    """

    status: str
    objective: float | None
    costs: dict[str, float] | None
    lower_bound: float | None
    gap: float | None
    bounds: dict[str, float]
    shadow_prices: dict[str, float]
    policy: Policy
    mixture: list[Component]
    deterministic_costs: dict[str, float] | None
    statistics: dict[str, Any]
    reasons: list[str]
    note: str

    def __init__(self, fields: dict[str, Any], native: _native.Result | None,
                 model: Model | None) -> None:
        self.__dict__.update(fields)
        self._native = native
        self._model = model

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items()
                if key not in ("_native", "_model")}

    def __setstate__(self, fields: dict[str, Any]) -> None:
        self.__dict__.update(fields)
        self._native = None
        self._model = None

    @property
    def is_optimal(self) -> bool:
        return self.status == "optimal"

    def _with_model(self) -> _native.Result:
        if self._native is None:
            raise RuntimeError("this result has been unpickled and has no model any more; solve "
                               "again to check or execute its policy")
        return self._native

    def _with_policy(self) -> _native.Result:
        native = self._with_model()
        if self.costs is None:
            raise RuntimeError(f"there is no policy: the status is {self.status!r}")
        return native

    def check(self, *, exact: bool = False, time_limit: float | None = None) -> Check:
        """Judges the policy without the solvers: closed, proper, its exact costs, bounds met.

        ``exact`` asks for costs in rational arithmetic as well.
        """
        details = json.loads(self._with_policy().check(exact, _limited(time_limit)))
        costs = {entry["cost"]: entry["value"] for entry in details.get("costs", [])}
        return Check(bool(details["holds"]), costs or None, details.get("findings", []), details)

    def certificate(self, path: str | os.PathLike[str] | None = None, *, verify: bool = True,
                    time_limit: float | None = None) -> dict[str, Any]:
        """The proof of the answer, and with ``verify`` what its checker says of it.

        ``path`` writes it to a file, for ``carl check --certificate``. Raises
        :class:`carl.NoCertificate` if there is none, after a limit for example.
        """
        text, report = self._with_model().certificate(verify, _limited(time_limit))
        if path is not None:
            with open(path, "w", encoding="utf-8") as out:
                out.write(text)
        return {"certificate": json.loads(text), "check": json.loads(report) if report else None}

    def explain(self, *states: Any, most_visited: int = 0, ranges: bool = True,
                time_limit: float | None = None) -> dict[str, Any]:
        """Why the policy does what it does, as ``carl explain --json`` says it.

        For each of the states (the initial one if none is given, and so many of the most visited):
        what each action would cost in every respect, what is lost by it, what would be best without
        the bounds and which of them makes the difference. ``ranges``: how far each bound can be
        moved before its price changes.
        """
        native = self._with_policy()
        names = [native.state_name(self.policy.number(state)) for state in states]
        found: dict[str, Any] = json.loads(
            native.explain(names, most_visited, ranges, _limited(time_limit)))
        return found

    def simulate(self, runs: int = 10_000, *, seed: int = 1, threads: int = 0,
                 max_steps: int = 1_000_000, time_limit: float | None = None) -> Simulation:
        """Executes the policy: what single runs are like, and how often they keep to the bounds."""
        found = self._with_policy().simulate(runs, seed, threads, max_steps, _limited(time_limit))
        return simulation_of(found, list(self.costs or {}), self.bounds)

    def report(self, path: str | os.PathLike[str], *, title: str = "", sweep: Sweep | None = None,
               time_limit: float | None = None) -> None:
        """Writes a page that shows the solution in any browser."""
        page = self._with_model().report(title or "A problem", sweep.json() if sweep else "",
                                         _limited(time_limit))
        with open(path, "w", encoding="utf-8") as out:
            out.write(page)

    def json(self) -> str:
        """As ``carl solve --json`` writes it."""
        return self._with_model().json()

    def policy_json(self) -> str:
        """As ``carl solve --policy`` writes it, for ``carl check`` and ``carl simulate``."""
        return self._with_policy().policy_json()

    def to_networkx(self) -> Any:
        """The policy as a graph: see :meth:`Policy.to_networkx`."""
        self._with_policy()
        return self.policy.to_networkx()

    def __str__(self) -> str:
        return _html.as_text(self)

    def __repr__(self) -> str:
        value = "" if self.objective is None else f", objective {self.objective:.6g}"
        return f"<carl.Result: {self.status}{value}>"

    def _repr_html_(self) -> str:
        return _html.as_cards(self)


def result_of(native: _native.Result, model: Model) -> Result:
    names = native.cost_names
    bounds = native.bounds
    text = json.loads(native.json())
    costs = native.costs

    def by_cost(values: list[float]) -> dict[str, float]:
        return dict(zip(names, values))

    mixture = [Component(weight, by_cost(own), policy_of(native, model, arrays) if len(arrays["states"]) else None)
               for weight, own, arrays in native.mixture]
    multipliers = native.multipliers
    return Result({
        "status": native.status,
        "objective": None if costs is None else costs[0],
        "costs": None if costs is None else by_cost(costs),
        "lower_bound": native.lower_bound,
        "gap": native.gap,
        "bounds": dict(bounds),
        "shadow_prices": {cost: price for (cost, _), price in zip(bounds, multipliers)},
        "policy": policy_of(native, model, native.policy, native.transitions),
        "mixture": mixture,
        "statistics": text.get("statistics", {}),
        "deterministic_costs": None if native.deterministic_costs is None
        else by_cost(native.deterministic_costs),
        "reasons": native.reasons,
        "note": native.note,
    }, native, model)


def _limited(time_limit: float | None) -> _native.Call:
    call = _native.Call()
    call.time_limit = time_limit
    return call
