"""Policies: what to do in each state."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from . import _native
from .model import Model

GIVE_UP = "(give-up)"


class Policy(Mapping[Hashable, dict[str, float]]):
    """What to do in each state that the policy can get to: ``policy[state]`` is
    ``{action: probability}``.

    States are what they are in the model: numbers for arrays, objects for a class, names for
    explicit models, and for PPDDL the true facts, sorted and joined by blanks; a list or set of
    facts will do as well. Goals are not listed.
    """

    def __init__(self, arrays: dict[str, Any], state_of: Callable[[int], Hashable],
                 action_of: Callable[[int], str], factored: bool,
                 transitions: Callable[[], dict[str, Any]] | None = None) -> None:
        self._arrays = arrays
        self._state_of = state_of
        self._action_of = action_of
        self._factored = factored
        self._transitions = transitions

    # Names are looked up when somebody asks: a policy may have millions of states.

    @cached_property
    def _states(self) -> list[Hashable]:
        return [self._state_of(number) for number in self._arrays["states"].tolist()]

    @cached_property
    def _places(self) -> dict[Hashable, int]:
        return {state: place for place, state in enumerate(self._states)}

    @cached_property
    def _actions(self) -> dict[int, str]:
        return {number: self._action_of(number)
                for number in np.unique(self._arrays["actions"]).tolist()}

    def __getstate__(self) -> dict[str, Any]:
        return {"_arrays": self._arrays, "_factored": self._factored, "_states": self._states,
                "_actions": self._actions}

    def _place(self, state: Any) -> int:
        if self._factored and not isinstance(state, str) and isinstance(state, Iterable):
            state = " ".join(sorted(state))
        return self._places[state]

    def __getitem__(self, state: Any) -> dict[str, float]:
        first, end = self._arrays["first_choice"][self._place(state):][:2].tolist()
        return dict(zip(map(self._action_of, self._arrays["actions"][first:end].tolist()),
                        self._arrays["probabilities"][first:end].tolist()))

    def __contains__(self, state: object) -> bool:
        try:
            self._place(state)
        except (KeyError, TypeError):
            return False
        return True

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._states)

    def __len__(self) -> int:
        return len(self._arrays["states"])

    def __repr__(self) -> str:
        return f"<carl.Policy of {len(self)} state{'' if len(self) == 1 else 's'}>"

    def __setstate__(self, fields: dict[str, Any]) -> None:
        self.__dict__.update(fields)
        self._transitions = None
        self._action_of = self._actions.__getitem__

    def visits(self, state: Any) -> float:
        """How often a run visits the state, in expectation."""
        return float(self._arrays["visits"][self._place(state)])

    def number(self, state: Any) -> int:
        """The number that the state has in ``as_arrays()``."""
        return int(self._arrays["states"][self._place(state)])

    @property
    def is_deterministic(self) -> bool:
        """True if it tosses no coin in any state."""
        first = self._arrays["first_choice"]
        positive = np.concatenate([[0], np.cumsum(self._arrays["probabilities"] > 0)])
        return bool(np.all(positive[first[1:]] - positive[first[:-1]] <= 1))

    def as_arrays(self) -> dict[str, Any]:
        """The policy in arrays.

        ``states`` and ``visits`` have an entry for each state, ``actions`` and ``probabilities`` one
        for each choice; those of the i-th state are from ``first_choice[i]`` to before
        ``first_choice[i + 1]``. States and actions are numbers of the model; ``action_names`` says
        which action is which.
        """
        return {**{key: array.copy() for key, array in self._arrays.items()},
                "action_names": dict(self._actions)}

    def to_frame(self) -> Any:
        """A pandas table with a row for each choice: state, action, probability, visits."""
        import pandas
        counts = np.diff(self._arrays["first_choice"])
        return pandas.DataFrame({
            "state": [state for state, n in zip(self._states, counts) for _ in range(n)],
            "action": [self._actions[int(action)] for action in self._arrays["actions"]],
            "probability": self._arrays["probabilities"],
            "visits": np.repeat(self._arrays["visits"], counts),
        })

    def to_networkx(self) -> Any:
        """The policy as a networkx.MultiDiGraph.

        Nodes are states (with ``visits``) and the goals that they lead to; an edge has the
        ``action``, how probable it is to be ``chosen``, and the ``probability`` of its outcome. Of
        the policy of a result that has its model.
        """
        import networkx
        if self._transitions is None:
            raise RuntimeError("only the policy of a result that has not been pickled knows what "
                               "its actions lead to")
        graph = networkx.MultiDiGraph()
        for state in self:
            graph.add_node(state, visits=self.visits(state), goal=False)
            if GIVE_UP in self[state]:
                graph.add_edge(state, GIVE_UP, action=GIVE_UP, probability=1.0,
                               chosen=self[state][GIVE_UP])
        arrays = {key: array.tolist() for key, array in self._transitions().items()}
        names = {number: self._state_of(number)
                 for number in {*arrays["states"], *arrays["successors"]}}
        for origin, action, target, probability in zip(
                arrays["states"], arrays["actions"], arrays["successors"],
                arrays["probabilities"]):
            name = self._action_of(action)
            if names[target] not in self:
                graph.add_node(names[target], visits=None, goal=True)
            graph.add_edge(names[origin], names[target], action=name, probability=probability,
                           chosen=self[names[origin]][name])
        return graph


def policy_of(native: _native.Result | _native.Front, model: Model,
              arrays: Mapping[str, Any],
              transitions: Callable[[], dict[str, Any]] | None = None) -> Policy:
    """States are those of the model, or, where they are joined with what has been used, names."""
    def state_of(number: int) -> Hashable:
        if not native.is_original:
            return native.state_name(number)
        return model._state(native.handle, number, native.state_name)

    factored = native.handle.is_factored
    return Policy(dict(arrays), state_of, native.action_name, factored, transitions)
