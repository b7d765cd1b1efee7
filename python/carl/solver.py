"""Solvers: a problem with all that has been learnt of it."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from typing import Any

from . import _native
from .front import Front, front_of
from .model import Description, Model, as_model
from .result import Result, result_of
from .sweep import Sweep, sweep_of

ProgressListener = Callable[[dict[str, Any]], None]


class Bounds(MutableMapping[str, float]):
    """The bounds of a solver, by the name of their cost.

    Assigning changes or adds a bound, ``del`` lifts it; 0 forbids every action with any of that
    cost.
    """

    def __init__(self, native: _native.Solver) -> None:
        self._native = native

    def _items(self) -> dict[str, float]:
        return {cost: upper for cost, upper in self._native.bounds if not math.isinf(upper)}

    def __getitem__(self, cost: str) -> float:
        return self._items()[cost]

    def __setitem__(self, cost: str, upper: float) -> None:
        self._native.set_bound(cost, float(upper))

    def __delitem__(self, cost: str) -> None:
        if cost not in self._items():
            raise KeyError(cost)
        self._native.set_bound(cost, math.inf)

    def __iter__(self) -> Iterator[str]:
        return iter(self._items())

    def __len__(self) -> int:
        return len(self._items())

    def __repr__(self) -> str:
        return repr(self._items())


class Solver:
    """Solves a model, again and again for other bounds, from what it has learnt.

    ``minimise`` names the cost to minimise, if it is not the model's first; ``bounds`` replace or
    add to those of the model; ``give_up`` allows giving up, at these penalties by cost.

    Guarantees for single runs: ``chance={"fuel": (12, 0.05)}``: in at most 5% of the runs more than
    12 are used; ``excess={"fuel": (12, 0.5)}``: runs use at most 0.5 more than 12 on average;
    ``cvar={"fuel": (0.95, 20)}``: the worst 5% of the runs use at most 20 on average. Policies then
    depend on what has been used; ``unit`` is what it is counted in, if not the greatest common
    divisor of the costs. ``goal_probability`` is what is asked of reaching the goal: a number, or
    "max".

    A solver is used by one thread at a time; other Python threads go on while it works.
    """

    def __init__(self, model: Model | Description, *, minimise: str | None = None,
                 bounds: Mapping[str, float] | None = None,
                 give_up: Mapping[str, float] | None = None,
                 chance: Mapping[str, tuple[float, float]] | None = None,
                 excess: Mapping[str, tuple[float, float]] | None = None,
                 cvar: Mapping[str, tuple[float, float]] | None = None,
                 unit: Mapping[str, float] | None = None,
                 goal_probability: float | str | None = None,
                 give_up_only_when_lost: bool = False, seed: int = 0) -> None:
        self.model = as_model(model)._minimising(minimise)
        options = _native.CsspOptions()
        options.bounds = [(cost, float(upper)) for cost, upper in (bounds or {}).items()]
        if give_up is not None:
            options.give_up = [(cost, float(penalty)) for cost, penalty in give_up.items()]
        options.seed = seed
        for kind, asked in (("chance", chance), ("excess", excess), ("cvar", cvar)):
            for cost, (limit, upper) in (asked or {}).items():
                options.add_guarantee(kind, cost, float(limit), float(upper))
        options.units = [(cost, float(size)) for cost, size in (unit or {}).items()]
        _ask_for_goal(options, goal_probability, give_up_only_when_lost)
        self._native = _native.Solver(self.model._native, options)
        self._bounds = Bounds(self._native)

    @property
    def costs(self) -> list[str]:
        """The names of the costs; the first is minimised."""
        return self._native.cost_names

    @property
    def bounds(self) -> Bounds:
        """The bounds as they are now; change them in place."""
        return self._bounds

    @bounds.setter
    def bounds(self, bounds: Mapping[str, float]) -> None:
        for cost in [cost for cost in self._bounds if cost not in bounds]:
            del self._bounds[cost]
        self._bounds.update(bounds)

    def set_give_up(self, penalties: Mapping[str, float] | None) -> None:
        """Penalties for giving up, those left out are 0; ``None``: there is no giving up."""
        self._native.set_give_up(
            None if penalties is None else [(c, float(p)) for c, p in penalties.items()])

    def forget(self) -> None:
        """Forgets all that has been learnt; the next solve is the first."""
        self._native.forget()

    def solve(self, *, gap: float = 1e-4, time_limit: float | None = None,
              memory_limit: float | None = None, algorithm: str | None = None,
              outer: str | None = None, inner: str | None = None, heuristic: str | None = None,
              heuristic_mode: str | None = None, epsilon: float | None = None,
              eta: float | None = None, threads: int = 1, seed: int = 0, mixture: bool = False,
              deterministic: bool = False,
              progress: ProgressListener | bool | None = None) -> Result:
        """Solves the problem as it is now, to a relative ``gap``.

        Limits are in seconds and megabytes (of the whole process). When one is reached, or on
        Ctrl-C, the result is the best so far with ``status`` "limit" or "interrupted". ``mixture``
        asks for the deterministic policies of the mixture too, ``deterministic`` for the best policy
        that tosses no coin. ``progress`` is called some times a
        second with a dictionary; ``True`` shows a bar if tqdm is there. The names of algorithms and
        heuristics are those of the command line.
        """
        options = _options(gap=gap, algorithm=algorithm, outer=outer, inner=inner,
                           heuristic=heuristic, heuristic_mode=heuristic_mode, epsilon=epsilon,
                           eta=eta, threads=threads, seed=seed)
        options.mixture_policies = mixture
        options.deterministic = deterministic
        with _Listening(progress) as listener:
            native = self._native.solve(options, _call(time_limit, memory_limit, listener))
        return result_of(native, self.model)

    def sweep(self, cost: str, start: float, stop: float, step: float | None = None, *,
              second: tuple[str, float, float, float] | None = None, gap: float = 1e-4,
              time_limit: float | None = None, memory_limit: float | None = None,
              inner: str | None = None, heuristic: str | None = None,
              progress: ProgressListener | bool | None = None) -> Sweep:
        """The optimum as the bound of ``cost`` goes from ``start`` to ``stop``.

        The breakpoints are exact whatever the ``step`` (a fortieth of the range if not given).
        ``second`` is (cost, start, stop, step) of another bound: one curve for each of its values.
        """
        if step is None:
            step = (stop - start) / 40 if stop > start else 1.0
        options = _options(gap=gap, inner=inner, heuristic=heuristic)
        first = _native.SweepRange(cost, start, stop, step)
        other = _native.SweepRange(*second) if second is not None else None
        with _Listening(progress) as listener:
            text, picture = self._native.sweep(first, other, options,
                                               _call(time_limit, memory_limit, listener))
        return sweep_of(text, picture)

    def pareto(self, *costs: str, gap: float | None = None, time_limit: float | None = None,
               memory_limit: float | None = None, inner: str | None = None,
               heuristic: str | None = None,
               progress: ProgressListener | bool | None = None) -> Front:
        """All trade-offs between two costs or more: the vertices of the convex front.

        Of two costs it is exact, of more within ``gap`` (0.001). Bounds on these costs do not
        count, those on other costs do.
        """
        options = _options(gap=1e-4, inner=inner, heuristic=heuristic)
        with _Listening(progress) as listener:
            native = self._native.pareto(list(costs), gap, options,
                                         _call(time_limit, memory_limit, listener))
        return front_of(native, self.model)

    def size(self, *, max_states: int = 10_000_000, time_limit: float | None = None,
             threads: int = 1) -> dict[str, Any]:
        """How large the problem is: everything reachable, counted."""
        return self._native.explore(max_states, threads, _call(time_limit, None, None))


def solve(model: Model | Description, **options: Any) -> Result:
    """Solves a problem once: :class:`Solver` and :meth:`Solver.solve` in one call, which share the
    options out among them.
    """
    of_solver = set(inspect.signature(Solver.__init__).parameters) - {"self", "model", "seed"}
    problem = {name: options.pop(name) for name in of_solver & options.keys()}
    return Solver(model, **problem).solve(**options)


def _ask_for_goal(options: _native.CsspOptions, probability: float | str | None,
                  only_when_lost: bool) -> None:
    if probability is None:
        if only_when_lost:
            raise ValueError("give_up_only_when_lost goes with goal_probability")
        return
    if isinstance(probability, str) and probability != "max":
        raise ValueError(f"goal_probability is a number or 'max', not {probability!r}")
    options.set_goal_probability(None if isinstance(probability, str) else float(probability),
                                 only_when_lost)


def _options(*, gap: float, threads: int = 1, seed: int = 0,
             **choices: str | float | None) -> _native.SolveOptions:
    options = _native.SolveOptions()
    options.gap = gap
    options.threads = threads
    options.seed = seed
    for name, choice in choices.items():
        if choice is not None:
            getattr(options, f"set_{name}")(choice)
    return options


def _call(time_limit: float | None, memory_limit: float | None,
          listener: ProgressListener | None) -> _native.Call:
    if time_limit is not None and not time_limit >= 0:
        raise ValueError(f"time_limit is a number of seconds, not {time_limit!r}")
    if memory_limit is not None and not 0 < memory_limit < 1e12:
        raise ValueError(f"memory_limit is a number of megabytes above 0, not {memory_limit!r}")
    call = _native.Call()
    call.time_limit = time_limit
    call.memory_limit = memory_limit
    call.progress = listener
    return call


class _Listening:
    """Who is told of progress: nobody, a function, or a bar."""

    def __init__(self, progress: ProgressListener | bool | None) -> None:
        self._bar: Any = None
        self._listener: ProgressListener | None = None
        if callable(progress):
            self._listener = progress
        elif progress:
            self._show_bar()

    def _show_bar(self) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return
        self._bar = tqdm(unit=" states", unit_scale=True)
        self._listener = self._update

    def _update(self, progress: dict[str, Any]) -> None:
        self._bar.n = progress["states"]
        lower, upper = progress["lower_bound"], progress["upper_bound"]
        self._bar.set_postfix({key: f"{value:.6g}" for key, value in
                               (("lower", lower), ("upper", upper)) if value is not None})

    def __enter__(self) -> ProgressListener | None:
        return self._listener

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
