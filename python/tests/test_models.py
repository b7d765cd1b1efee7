"""Models from files, arrays, matrices, tables and classes."""
import math
import random

import numpy as np
import pytest
import scipy.sparse
from conftest import Hike, RandomProblem

import carl


@pytest.mark.parametrize("seed", range(150))
def test_arrays_class_and_json_agree(seed):
    problem = RandomProblem(seed)
    answers = [carl.solve(model, inner="vi", heuristic="zero", gap=1e-9) for model in
               (problem.as_arrays(), carl.load_text(problem.as_json()))]
    by_class = carl.solve(problem, inner="vi", heuristic="zero", gap=1e-9)
    first = answers[0]
    for other in (*answers[1:], by_class):
        assert other.status == first.status
        if first.costs is None:
            assert other.costs is None
    if first.costs is not None:
        # The same arrays in the same order: the same bits.
        assert answers[1].costs == first.costs
        assert answers[1].shadow_prices == first.shadow_prices
        assert [dict(answers[1].policy)[str(s)] for s in first.policy] == list(first.policy.values())
        # A class numbers states as they are discovered, so sums may be rounded in another order.
        assert by_class.objective == pytest.approx(first.objective, rel=1e-8)
        lp = carl.solve(problem.as_arrays(), algorithm="lp")
        assert lp.objective == pytest.approx(first.objective, rel=1e-7)


def test_minimising_another_cost_is_the_same_everywhere():
    for seed in range(40):
        problem = RandomProblem(seed)
        bounds = {"time": 100.0, "fuel": math.inf}
        answers = [carl.solve(m, minimise="fuel", bounds=bounds, gap=1e-9) for m in
                   (problem.as_arrays(), carl.load_text(problem.as_json()), problem)]
        assert len({a.status for a in answers}) == 1
        if answers[0].costs is None:
            continue
        assert list(answers[0].costs) == ["fuel", "time", "risk"]
        assert answers[1].objective == pytest.approx(answers[0].objective, rel=1e-8)
        assert answers[2].objective == pytest.approx(answers[0].objective, rel=1e-8)


def test_minimising_a_cost_of_ppddl(getting_to_work):
    result = carl.solve(getting_to_work, minimise="price", bounds={"time": 2, "price": math.inf})
    assert result.objective == pytest.approx(8)
    with pytest.raises(ValueError, match="no cost named 'prize'; the costs are time, price, effort"):
        carl.Solver(getting_to_work, minimise="prize")


def test_matrices_agree_with_arrays():
    draw = np.random.default_rng(7)
    for _ in range(30):
        states = int(draw.integers(3, 9))
        matrices, dense = {}, {}
        for action in ("a", "b"):
            p = draw.random((states, states)) * (draw.random((states, states)) < 0.6)
            p[:, -1] += 0.1
            p /= p.sum(axis=1, keepdims=True)
            p[-1] = 0
            if action == "b":
                p[1] = 0  # not applicable
            dense[action] = p
            matrices[action] = scipy.sparse.csr_matrix(p)
        costs = {"time": {"a": 2.0, "b": draw.random(states) + 0.5}, "fuel": {"a": 0.0, "b": 1.0}}
        from_sparse = carl.Model.from_matrices(matrices, costs, goals=[states - 1],
                                               bounds={"fuel": 0.5})
        from_dense = carl.Model.from_matrices(dense, costs, goals=np.arange(states) == states - 1,
                                              bounds={"fuel": 0.5})

        class Same:
            def __init__(self):
                self.costs, self.bounds = ["time", "fuel"], {"fuel": 0.5}

            def initial(self):
                return 0

            def is_goal(self, state):
                return state == states - 1

            def actions(self, state):
                for action in ("a", "b"):
                    row = dense[action][state]
                    if row.any():
                        yield action, [np.broadcast_to(costs[c][action], states)[state]
                                       for c in ("time", "fuel")], \
                            [(row[s], s) for s in np.flatnonzero(row)]

        answers = [carl.solve(m, gap=1e-9) for m in (from_sparse, from_dense, Same())]
        assert answers[0].costs == answers[1].costs
        assert answers[2].objective == pytest.approx(answers[0].objective, rel=1e-8)


def frozen_lake():
    """A lake of 3 × 3 in the shape of gymnasium's env.P: a hole in the middle, slippery."""
    size, hole, goal = 3, 4, 8
    moves = [(0, -1), (1, 0), (0, 1), (-1, 0)]

    def step(state, move):
        row, column = divmod(state, size)
        row = min(max(row + moves[move][0], 0), size - 1)
        column = min(max(column + moves[move][1], 0), size - 1)
        return row * size + column

    return {state: {action: [(1.0, state, 0, True)] if state in (hole, goal) else
                    [(1 / 3, successor, float(successor == goal), successor in (hole, goal))
                     for successor in (step(state, (action + turn) % 4) for turn in (-1, 0, 1))]
                    for action in range(4)} for state in range(size * size)}


def test_tables_of_environments():
    model = carl.Model.from_transitions(frozen_lake(), give_up={"steps": 50},
                                        action_names=["left", "down", "right", "up"])
    result = carl.solve(model, gap=1e-8)
    assert result.status == "optimal"
    # An independent answer: value iteration.
    table = frozen_lake()
    value = np.zeros(9)
    value[4] = 50
    for _ in range(2_000):
        for state in range(9):
            if state not in (4, 8):
                value[state] = min(50, min(1 + sum(p * value[s] for p, s, _, _ in outs)
                                           for outs in table[state].values()))
    assert result.objective == pytest.approx(value[0], rel=1e-6)
    assert set(result.policy[0]) <= {"left", "down", "right", "up"}
    # The table's own rewards can be a cost, and other states the goals.
    tolls = carl.Model.from_transitions(
        frozen_lake(), goals=lambda state: state in (4, 8), bounds={"tolls": 3},
        costs={"steps": 1, "tolls": lambda state, action, successor, reward: successor % 2})
    assert carl.solve(tolls).costs["tolls"] <= 3 + 1e-9
    with pytest.raises(ValueError, match="the goal 99 does not occur"):
        carl.Model.from_transitions(frozen_lake(), goals=[99])


def test_costs_of_outcomes():
    class Courier:
        costs = ["time", "fine"]
        bounds = {"fine": 5}

        def initial(self):
            return "start"

        def is_goal(self, state):
            return state == "end"

        def actions(self, state):
            yield "speed", None, [(0.25, "end", (1, 20)), (0.75, "end", (1, 0))]
            yield "crawl", (4, 0), {"end": 1}

    result = carl.solve(Courier())
    assert result.costs == {"time": 1.0, "fine": 5.0}
    runs = result.simulate(4000, seed=3)
    assert set(runs.values["fine"][0]) == {0.0, 20.0}
    assert runs.share_above("fine", 5) == pytest.approx(0.25, abs=0.03)


def test_a_class_with_states_of_any_kind():
    result = carl.solve(Hike())
    assert result.objective == pytest.approx(8.84)
    assert result.policy[("hut", 0)] == {"climb": 1.0}
    assert ("hut", 4) not in result.policy and ("hut", 9) not in result.policy
    assert result.policy[("hut", 1)]["walk"] == pytest.approx(0.259259, abs=1e-6)


class Broken(Hike):
    def __init__(self, where, what):
        self.where, self.what = where, what

    def is_goal(self, state):
        if self.where == "is_goal" and state == ("hut", 2):
            raise self.what
        return super().is_goal(state)

    def actions(self, state):
        if self.where == "actions" and state == ("hut", 2):
            raise self.what
        yield from super().actions(state)


@pytest.mark.parametrize("where", ["is_goal", "actions"])
def test_exceptions_of_user_code_surface_with_the_state(where):
    class MyError(Exception):
        pass

    error = MyError("battery")
    with pytest.raises(MyError) as caught:
        carl.solve(Broken(where, error))
    assert caught.value is error
    assert "('hut', 2)" in "".join(caught.value.__notes__)


@pytest.mark.parametrize("action, message", [
    (("walk", [1, 0]), r"\(name, cost, outcomes\)"),
    (("walk", [1], {1: 1.0}), "expected 2 costs"),
    (("walk", {"hour": 1}, {1: 1.0}), "the costs are"),
    (("walk", [1, 0], [(1.0,)]), "an outcome is"),
    (("walk", None, [(1.0, 1)]), "every outcome needs one"),
    (("walk", [1, 0], {1: 0.5}), "sum"),
    (("walk", [-1, 0], {1: 1.0}), "negative"),
    (("walk", [1, 0], {1: "x"}), "must be real number"),
    (("walk", [1, 0], [(1.0, [])]), "unhashable"),
    (5, r"\(name, cost, outcomes\)"),
])
def test_wrong_actions_are_said_to_be_wrong(action, message):
    class Wrong:
        costs = ["hours", "risk"]

        def initial(self):
            return 0

        def is_goal(self, state):
            return state == 1

        def actions(self, state):
            return [action]

    with pytest.raises((TypeError, ValueError), match=message):
        carl.solve(Wrong())


def test_a_description_that_is_none():
    with pytest.raises(TypeError, match="has no 'costs'"):
        carl.Solver(object())


@pytest.mark.parametrize("change, message", [
    ({"pair_costs": [[1.0]]}, r"expected a row for each pair and 2 columns"),
    ({"successors": [-1, 1]}, "negative entry, -1"),
    ({"successors": [7, 1]}, "7"),
    ({"probabilities": [0.5, 1.0]}, "sum"),
    ({"goals": [5]}, "goal 5 is not one of the 3 states"),
    ({"goals": [True]}, "mask of goals has 1 entries"),
    ({"initial": 3}, "initial state 3"),
    ({"bounds": {"fule": 1}}, "no cost named 'fule'"),
    ({"first_outcome": [0, 1]}, "first_pair must begin"),
    ({"first_pair": [0, 2, 1, 2]}, "first_pair"),
    ({"pair_costs": [[1, math.nan], [1, 1]]}, "the cost is not a number"),
])
def test_wrong_arrays_are_said_to_be_wrong(change, message):
    arrays = dict(costs=["time", "fuel"], first_pair=[0, 1, 2, 2], first_outcome=[0, 1, 2],
                  probabilities=[1.0, 1.0], successors=[1, 2], pair_costs=[[1, 0], [1, 0]], goals=[2])
    assert carl.solve(carl.Model.from_arrays(**arrays)).objective == 2
    with pytest.raises(ValueError, match=message):
        carl.solve(carl.Model.from_arrays(**{**arrays, **change}))


def test_texts_with_errors_have_places():
    with pytest.raises(carl.InputError) as caught:
        carl.load_text("(define (domain d)\n  (:predicate (a)))\n"
                       "(define (problem p) (:domain d) (:init) (:goal (a)))", name="mine.pddl")
    assert (caught.value.file, caught.value.line) == ("mine.pddl", 2)
    assert "(:predicate (a)" in str(caught.value) and caught.value.message
    with pytest.raises(carl.InputError):
        carl.load("/nowhere/domain.pddl")


def test_large_arrays():
    states = 1_000_000
    draw = np.random.default_rng(1)
    open_states = states - 2  # the last two are goals
    pairs = 2 * open_states
    first_pair = np.minimum(np.arange(states + 1), open_states) * 2
    origin = np.repeat(np.arange(open_states), 2)
    successors = np.stack([origin + 1, np.minimum(origin + draw.integers(2, 50, pairs),
                                                  states - 1)], axis=1)
    model = carl.Model.from_arrays(
        costs=["time", "fuel"], first_pair=first_pair, first_outcome=np.arange(pairs + 1) * 2,
        probabilities=np.tile([0.5, 0.5], pairs), successors=successors.ravel(),
        pair_costs=np.stack([np.tile([1.0, 0.5], open_states), np.tile([0.0, 1.0], open_states)], 1),
        goals=[states - 2, states - 1], bounds={"fuel": 1e4})
    result = carl.solve(model, gap=1e-3)
    assert result.status == "optimal"
    assert result.costs["fuel"] <= 1e4 * (1 + 1e-9)
    assert result.policy[0] and len(result.policy.as_arrays()["states"]) == len(result.policy)


TOWER = """mdp
const int N;
module climber
  level : [0..N] init 0;
  [climb] level<N -> 0.75:(level'=level+1) + 0.25:(level'=0);
  [lift] level<N -> (level'=level+1);
endmodule
label "top" = level=N;
rewards "time" [climb] true : 1; [lift] true : 2; endrewards
rewards "fare" [lift] true : 1; endrewards
"""


def test_prism_models_with_constants_and_a_goal():
    model = carl.load_text(TOWER, goal="top", constants={"N": 3})
    result = carl.solve(model, minimise="time", bounds={"fare": 0})
    # t = 1 + 3/4 (1 + 3/4 (1 + 0)) + what it takes to begin anew
    assert result.objective == pytest.approx((1 + 0.75 + 0.5625) / 0.421875)
    with pytest.raises(carl.InputError, match="N"):
        carl.solve(carl.load_text(TOWER, goal="top"))


def test_properties():
    question = 'multi(R{"time"}min=? [F "top"], R{"fare"}<=0 [F "top"])'
    asked = carl.solve(carl.load_text(TOWER, constants={"N": 3}, property=question))
    assert asked.objective == pytest.approx((1 + 0.75 + 0.5625) / 0.421875)
