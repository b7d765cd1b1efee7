"""Models: what can be done in which state, what comes of it and what it costs."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, Protocol, Union, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from . import _native

Cost = Union[float, Sequence[float], Mapping[str, float]]
Outcomes = Union[Mapping[Any, float], Iterable[tuple[Any, ...]]]


@runtime_checkable
class Description(Protocol):
    """A class of your own. States are any hashable objects.

    ``costs`` names the costs, the first of which is minimised. ``actions(state)`` gives
    ``(name, cost, outcomes)`` for all that can be done: the cost as a sequence, a dictionary or, if
    there is but one cost, a number; the outcomes as ``{state: probability}`` or as a sequence of
    ``(probability, state)``. Where outcomes differ in cost they are ``(probability, state, cost)``,
    and the cost of the action may be ``None``.

    Optional: ``bounds`` and ``give_up``, dictionaries by cost; ``state_name(state)``.
    """

    costs: Sequence[str]

    def initial(self) -> Hashable: ...

    def is_goal(self, state: Any) -> bool: ...

    def actions(self, state: Any) -> Iterable[tuple[str, Cost | None, Outcomes]]: ...


class Model:
    """A problem to be solved. Made by :func:`load` or one of the ``from_…`` functions.

    A model learns states while it is searched. Solvers that share a model take turns, so threads
    that are to work at the same time need a model each.
    """

    def __init__(self, build: Callable[[str], _native.Model],
                 states: Sequence[Hashable] | None = None) -> None:
        # build(minimise) makes the native model; an empty text leaves the order of the costs.
        self._build = build
        self._states = states
        self._native = build("")
        self._ids: dict[Hashable, int] | None = None

    @property
    def costs(self) -> list[str]:
        """The names of the costs; the first is minimised unless a solver is told otherwise."""
        return self._native.cost_model.costs

    @property
    def bounds(self) -> dict[str, float]:
        """The bounds that the problem itself has."""
        return dict(self._native.cost_model.bounds)

    @property
    def notes(self) -> list[str]:
        """What a careful reader would like to know about the text of the problem."""
        return self._native.notes

    def __repr__(self) -> str:
        return f"<carl.Model with costs {', '.join(self.costs)}>"

    def _minimising(self, cost: str | None) -> Model:
        """The same model with another cost first."""
        if cost is None or cost == self.costs[0]:
            return self
        return _Reordered(self, cost)

    def _state(self, native: _native.Model, number: int, name: Callable[[int], str]) -> Hashable:
        """What a state is called in Python."""
        if self._states is not None:
            return self._states[number]
        own: Hashable = native.python_state(number)
        return name(number) if own is None else own

    # --- arrays ---------------------------------------------------------------------------------

    @classmethod
    def from_arrays(cls, *, costs: Sequence[str], first_pair: ArrayLike, first_outcome: ArrayLike,
                    probabilities: ArrayLike, successors: ArrayLike, pair_costs: ArrayLike,
                    goals: ArrayLike, initial: int = 0, action_names: Sequence[str] | None = None,
                    bounds: Mapping[str, float] | None = None,
                    give_up: Mapping[str, float] | None = None) -> Model:
        """A model from arrays in compressed rows. States are the numbers 0, 1, ….

        The pairs (state, action) of state s are those from ``first_pair[s]`` to before
        ``first_pair[s + 1]``, the outcomes of pair p those from ``first_outcome[p]`` to before
        ``first_outcome[p + 1]``; ``probabilities`` and ``successors`` have an entry for each
        outcome, ``pair_costs`` a row for each pair and a column for each cost. ``goals`` are numbers
        of states or a mask. ``action_names`` has a name for each pair; without them actions are
        called a0, a1, … in each state.
        """
        rows = np.asarray(pair_costs, dtype=float)
        if rows.ndim == 1:
            rows = rows.reshape(-1, 1)
        if rows.ndim != 2 or rows.shape[1] != len(costs):
            raise ValueError(f"pair_costs has the shape {rows.shape}; expected a row for each pair "
                             f"and {len(costs)} columns, for {', '.join(costs)}")
        states = max(len(np.asarray(first_pair)) - 1, 0)
        arrays = (_indices(first_pair, "first_pair", np.uint64),
                  _indices(first_outcome, "first_outcome", np.uint64),
                  np.ascontiguousarray(probabilities, dtype=float),
                  _indices(successors, "successors", np.uint32))
        names = [str(name) for name in action_names] if action_names is not None else []
        numbers = _goal_numbers(goals, states)
        start = _number_of_state(initial, states)

        def build(minimise: str) -> _native.Model:
            order, model = _cost_model(costs, bounds, give_up, minimise)
            chosen = rows if order[0] == 0 else rows[:, order]
            return _native.from_arrays(model, *arrays, chosen, names, [], start, numbers)

        return cls(build, range(states))

    @classmethod
    def from_matrices(cls, matrices: Mapping[Hashable, Any], costs: Mapping[str, Any], *,
                      goals: ArrayLike, initial: int = 0,
                      bounds: Mapping[str, float] | None = None,
                      give_up: Mapping[str, float] | None = None) -> Model:
        """A model from one matrix of transition probabilities (states × states) per action.

        Matrices are SciPy's sparse ones or arrays; where a row is empty the action is not
        applicable. ``costs`` says by name what actions cost: a number, a sequence with an entry for
        each state, or a dictionary of these by action.
        """
        names = list(matrices)
        if not names:
            raise ValueError("there are no actions")
        rows = [_sparse_rows(matrix, name) for name, matrix in matrices.items()]
        states = rows[0][0]
        if any(size != states for size, _, _, _ in rows):
            raise ValueError("the matrices differ in size: all are states × states")
        table = np.stack([_cost_column(costs[cost], cost, names, states) for cost in costs], axis=-1)
        # Pairs are ordered by state, then by action.
        lengths = np.stack([np.diff(first) for _, first, _, _ in rows], axis=1)
        state_of, action_of = np.nonzero(lengths)
        first_outcome = np.concatenate([[0], np.cumsum(lengths[state_of, action_of])])
        probabilities = np.empty(first_outcome[-1])
        successors = np.empty(first_outcome[-1], dtype=np.uint32)
        for action, (_, first, columns, data) in enumerate(rows):
            own = np.flatnonzero(action_of == action)
            size = lengths[state_of[own], action]
            place = (np.repeat(first_outcome[own] - np.concatenate([[0], np.cumsum(size)[:-1]]),
                               size) + np.arange(size.sum()))
            probabilities[place] = data
            successors[place] = columns
        first_pair = np.concatenate([[0], np.cumsum(np.bincount(state_of, minlength=states))])
        return cls.from_arrays(
            costs=list(costs), first_pair=first_pair, first_outcome=first_outcome,
            probabilities=probabilities, successors=successors,
            pair_costs=table[action_of, state_of], goals=goals, initial=initial,
            action_names=[str(names[a]) for a in action_of], bounds=bounds, give_up=give_up)

    @classmethod
    def from_transitions(cls, table: Mapping[Any, Mapping[Any, Iterable[tuple[Any, ...]]]], *,
                         initial: Hashable = 0,
                         goals: Iterable[Hashable] | Callable[[Any], bool] | None = None,
                         costs: Mapping[str, float | Callable[..., float]] | None = None,
                         action_names: Mapping[Any, str] | Sequence[str] | None = None,
                         bounds: Mapping[str, float] | None = None,
                         give_up: Mapping[str, float] | None = None) -> Model:
        """A model from a table as the toy environments of gymnasium have one (``env.P``).

        ``table[state][action]`` lists ``(probability, next_state, reward, terminated)``. Goals, if
        not given, are the states that a run ends in with a positive reward or, if there are none,
        all that it ends in; other states that a run ends in are dead ends. ``costs`` says by name
        what a step costs: a number, or a function of (state, action, next_state, reward).
        Without it every step costs 1 (``steps``).
        """
        states = list(dict.fromkeys(
            [initial, *table, *(o[1] for row in table.values() for outs in row.values()
                                for o in outs)]))
        numbers = {state: number for number, state in enumerate(states)}
        ends, ends_well = set(), set()
        for row in table.values():
            for outcomes in row.values():
                for _, successor, reward, terminated in outcomes:
                    if terminated:
                        ends.add(successor)
                        if reward > 0:
                            ends_well.add(successor)
        if goals is None:
            goal_states = ends_well or ends
        elif callable(goals):
            goal_states = {state for state in states if goals(state)}
        else:
            goal_states = set(goals)
        unknown = goal_states - numbers.keys()
        if unknown:
            raise ValueError(f"the goal {next(iter(unknown))!r} does not occur in the table")
        price = dict(costs) if costs is not None else {"steps": 1.0}

        def name_of(action: Any) -> str:
            return str(action_names[action] if action_names is not None else action)

        actions = []
        for state, row in table.items():
            if state in goal_states or state in ends:
                continue
            for action, outcomes in row.items():
                priced = [(float(o[0]), numbers[o[1]],
                           [float(c(state, action, o[1], o[2]) if callable(c) else c)
                            for c in price.values()]) for o in outcomes]
                expected = [sum(p * cost[i] for p, _, cost in priced) for i in range(len(price))]
                if all(cost == priced[0][2] for _, _, cost in priced):
                    expected = priced[0][2]
                actions.append((numbers[state], name_of(action), expected, priced))
        names = [str(state) for state in states]
        goal_numbers = sorted(numbers[state] for state in goal_states)

        def build(minimise: str) -> _native.Model:
            order, model = _cost_model(list(price), bounds, give_up, minimise)
            pick = [(s, name, [cost[i] for i in order], [(p, t, [c[i] for i in order])
                                                         for p, t, c in outs])
                    for s, name, cost, outs in actions]
            return _native.from_actions(model, len(states), names, pick, 0, goal_numbers)

        return cls(build, states)

    # --- a class of the user's own --------------------------------------------------------------

    @classmethod
    def from_class(cls, description: Description) -> Model:
        """A model from an object with ``costs``, ``initial()``, ``is_goal(s)``, ``actions(s)``.

        See :class:`carl.model.Description`. Only states that a search asks for are ever asked about,
        so there may be very many of them. Exceptions of these functions reach the caller of
        ``solve()`` as they are, with a note that names the state.
        """
        for part in ("costs", "initial", "is_goal", "actions"):
            if not hasattr(description, part):
                raise TypeError(f"{type(description).__name__} has no {part!r}; a model is a class "
                                "with costs, initial(), is_goal(state) and actions(state)")

        def build(minimise: str) -> _native.Model:
            costs = list(description.costs)
            bounds = getattr(description, "bounds", None)
            give_up = getattr(description, "give_up", None)
            order, model = _cost_model(costs, bounds, give_up, minimise)
            if order[0] == 0:
                return _native.from_python(description, model)
            return _native.from_python(_OtherOrder(description, costs, order), model)

        return cls(build)


class _Reordered(Model):
    """A model with another cost first; states are those of the original."""

    def __init__(self, original: Model, cost: str) -> None:
        if cost not in original.costs:
            raise ValueError(f"there is no cost named {cost!r}; the costs are "
                             f"{', '.join(original.costs)}")
        self._build = original._build
        self._states = original._states
        self._native = original._build(cost)
        self._ids = None


class _OtherOrder:
    """A description whose cost vectors are in another order."""

    def __init__(self, original: Description, costs: list[str], order: list[int]) -> None:
        self.costs = [costs[i] for i in order]
        self.initial = original.initial
        self.is_goal = original.is_goal
        if hasattr(original, "state_name"):
            self.state_name = original.state_name
        self._actions = original.actions
        self._order = order

    def _pick(self, cost: Any) -> Any:
        if cost is None or isinstance(cost, (Mapping, int, float)):
            return cost
        entries = list(cost)
        return [entries[i] for i in self._order] if len(entries) == len(self._order) else entries

    def actions(self, state: Any) -> Iterable[tuple[str, Any, Any]]:
        for name, cost, outcomes in self._actions(state):
            if not isinstance(outcomes, Mapping):
                outcomes = [(*o[:2], self._pick(o[2])) if len(o) == 3 else o for o in outcomes]
            yield name, self._pick(cost), outcomes


def load(*paths: str | os.PathLike[str], problem: str = "", goal: str = "",
         constants: Mapping[str, object] | None = None, property: str = "") -> Model:
    """Reads a PPDDL domain and problem (one file or two, in any order), or a model in JSON, in
    PRISM's language or in a format of model checkers (UMB, DRN, PRISM's explicit files).

    ``problem`` names the one to read where a file defines several, ``goal`` the label of goal states
    (PRISM, UMB, DRN), ``constants`` the values of those that a PRISM model or a property leaves open.
    ``property`` is a question in PRISM's language; the model is then that of the question.
    """
    names = [os.fspath(path) for path in paths]
    return Model(lambda minimise: _native.load(names, [], problem, minimise, goal,
                                               _constants(constants), property))


def load_text(*texts: str, problem: str = "", goal: str = "",
              constants: Mapping[str, object] | None = None, property: str = "",
              name: str = "text") -> Model:
    """The same for texts in memory; ``name`` is for messages."""
    named = [(f"{name} {i + 1}" if len(texts) > 1 else name, text) for i, text in enumerate(texts)]
    return Model(lambda minimise: _native.load([], named, problem, minimise, goal,
                                               _constants(constants), property))


def as_model(model: Model | Description) -> Model:
    return model if isinstance(model, Model) else Model.from_class(model)


# --- small parts --------------------------------------------------------------------------------

def _constants(constants: Mapping[str, object] | None) -> list[tuple[str, str]]:
    """As PRISM writes them."""
    def text(value: object) -> str:
        return str(value).lower() if isinstance(value, bool) else str(value)
    return [(name, text(value)) for name, value in (constants or {}).items()]


def _cost_model(costs: Sequence[str], bounds: Mapping[str, float] | None,
                give_up: Mapping[str, float] | None,
                minimise: str) -> tuple[list[int], _native.CostModel]:
    """In which order the costs are handed over, and what is said of them."""
    names = [str(cost) for cost in costs]
    order = list(range(len(names)))
    if minimise:
        order.remove(names.index(minimise))
        order.insert(0, names.index(minimise))
    ordered = [names[i] for i in order]

    def number(cost: str) -> int:
        if cost not in ordered:
            raise ValueError(f"there is no cost named {cost!r}; the costs are {', '.join(names)}")
        return ordered.index(cost)

    upper = [(number(cost), float(value)) for cost, value in (bounds or {}).items()]
    penalty = None
    if give_up is not None:
        penalty = [0.0] * len(names)
        for cost, value in give_up.items():
            penalty[number(cost)] = float(value)
    return order, _native.CostModel(ordered, upper, penalty)


def _indices(values: ArrayLike, what: str, kind: type[np.unsignedinteger[Any]]) -> Any:
    array = np.asarray(values)
    if array.size == 0:
        array = array.astype(kind)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise ValueError(f"{what} must be a one-dimensional array of whole numbers")
    if array.size and array.dtype.kind == "i" and array.min() < 0:
        raise ValueError(f"{what} has a negative entry, {array.min()}")
    if array.size and array.max() > np.iinfo(kind).max:
        raise ValueError(f"{what} has an entry that is too large, {array.max()}")
    return np.ascontiguousarray(array, dtype=kind)


def _goal_numbers(goals: ArrayLike, states: int) -> Any:
    array = np.atleast_1d(np.asarray(goals))
    if array.dtype == bool:
        if len(array) != states:
            raise ValueError(f"the mask of goals has {len(array)} entries for {states} states")
        array = np.flatnonzero(array)
    numbers = _indices(array, "goals", np.uint32)
    if numbers.size and numbers.max() >= states:
        raise ValueError(f"goal {numbers.max()} is not one of the {states} states")
    return numbers


def _number_of_state(initial: int, states: int) -> int:
    if not 0 <= int(initial) < states:
        raise ValueError(f"the initial state {initial} is not one of the {states} states")
    return int(initial)


def _sparse_rows(matrix: Any, name: Hashable) -> tuple[int, Any, Any, Any]:
    """A matrix by rows without zeros: its size, where rows begin, columns and entries."""
    shape = matrix.shape
    if len(shape) != 2 or shape[0] != shape[1]:
        raise ValueError(f"the matrix of {name!r} is {'×'.join(map(str, shape))}, not square")
    if hasattr(matrix, "tocsr"):
        rows = matrix.tocsr().copy()
        rows.sum_duplicates()
        rows.eliminate_zeros()
        return shape[0], rows.indptr.astype(np.int64), rows.indices, rows.data
    dense = np.asarray(matrix, dtype=float)
    row, column = np.nonzero(dense)
    first = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=shape[0]))])
    return shape[0], first, column, dense[row, column]


def _cost_column(cost: Any, name: str, actions: list[Hashable], states: int) -> Any:
    """What each action costs in each state."""
    if isinstance(cost, Mapping):
        missing = [action for action in actions if action not in cost]
        if missing:
            raise ValueError(f"{name!r} does not say what {missing[0]!r} costs")
    rows = []
    for action in actions:
        entry = np.asarray(cost[action] if isinstance(cost, Mapping) else cost, dtype=float)
        if entry.ndim > 1 or (entry.ndim == 1 and len(entry) != states):
            raise ValueError(f"{name!r} must be a number or have an entry for each of the {states} "
                             f"states, not the shape {entry.shape}")
        rows.append(np.broadcast_to(entry, states))
    return np.stack(rows)
