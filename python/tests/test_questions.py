"""No coin tosses, guarantees per run, goal probabilities, fronts, explanations."""
import math

import numpy as np
import pytest
from conftest import Hike, RandomProblem
from test_models import frozen_lake

import carl


def test_no_coin_tosses(getting_to_work):
    result = carl.solve(getting_to_work)
    best = carl.solve(getting_to_work, deterministic=True)
    assert best.policy.is_deterministic and best.check()
    assert best.objective >= result.objective


def test_best_policy_without_coins_against_enumeration():
    import itertools
    for seed in range(25):
        problem = RandomProblem(seed, states=5, actions=2)
        found = carl.solve(problem.as_arrays(), deterministic=True, gap=0)
        least = math.inf
        for choice in itertools.product(*(range(len(row)) for row in problem.rows[:-1])):
            size = problem.goal
            chain = np.zeros((size, size))
            costs = np.zeros((size, 3))
            for state, action in enumerate(choice):
                costs[state] = problem.rows[state][action][0]
                for p, successor in problem.rows[state][action][1]:
                    if successor != problem.goal:
                        chain[state, successor] += p
            total = np.linalg.solve(np.eye(size) - chain, costs)[0]
            if total[1] <= problem.bounds["fuel"] + 1e-9 and \
                    total[2] <= problem.bounds["risk"] + 1e-9:
                least = min(least, total[0])
        assert (found.status == "infeasible") == math.isinf(least)
        if found.objective is not None:
            assert found.objective == pytest.approx(least, rel=1e-7)


class Courier:
    """Fast and risky, or slow: fines are drawn."""

    costs = ["time", "fine"]

    def initial(self):
        return 0

    def is_goal(self, state):
        return state == 2

    def actions(self, state):
        yield "speed", None, [(0.25, state + 1, (1, 20)), (0.75, state + 1, (1, 0))]
        yield "crawl", (4, 0), {state + 1: 1}


def test_guarantees_per_run():
    free = carl.solve(Courier())
    assert free.objective == 2
    # Speeding twice: a fine above 20 in 1/16 of the runs. One more crawl makes that impossible.
    strict = carl.Solver(Courier(), chance={"fine": (20, 0.03)}, unit={"fine": 20})
    result = strict.solve()
    assert 2 < result.objective < 5
    assert any("(used fine" in str(state) for state in result.policy)
    runs = result.simulate(20_000, seed=2)
    assert runs.share_above("fine", 20) == pytest.approx(0.03, abs=0.006)
    assert result.check()
    for guarantees in ({"excess": {"fine": (20, 0.5)}}, {"cvar": {"fine": (0.9, 20)}}):
        bounded = carl.solve(Courier(), unit={"fine": 10}, **guarantees)
        assert bounded.status == "optimal" and bounded.objective > 2
    assert carl.solve(Courier(), chance={"fine": (20, 0.07)}, unit={"fine": 20}).objective == 2
    with pytest.raises(carl.OptionError, match="give the unit to count it in"):
        carl.Solver(Courier(), chance={"fine": (20, 0.07)})


def test_cvar_has_bounds_that_move_and_no_sweeps():
    solver = carl.Solver(Courier(), cvar={"fine": (0.9, 30)}, bounds={"fine": 8}, unit={"fine": 10})
    assert solver.bounds == {"fine": 8}
    solver.bounds["fine"] = 2
    assert solver.bounds == {"fine": 2}
    tight = solver.solve()
    assert tight.status == "optimal" and tight.costs["fine"] <= 2 + 1e-9
    with pytest.raises(ValueError):
        solver.bounds["fines"] = 2
    with pytest.raises(carl.InputError, match="CVaR"):
        solver.sweep("fine", 0, 10)


def test_goal_probability():
    model = carl.Model.from_transitions(frozen_lake())
    most = carl.solve(model, goal_probability="max")
    assert most.status == "optimal"
    value = np.zeros(9)
    value[8] = 1
    for _ in range(2_000):
        for state in range(9):
            if state not in (4, 8):
                value[state] = max(sum(p * value[s] for p, s, _, _ in outs)
                                   for outs in frozen_lake()[state].values())
    runs = most.simulate(20_000, seed=4)
    assert 1 - runs.given_up / runs.runs == pytest.approx(value[0], abs=0.015)
    with pytest.raises(ValueError, match="a number or 'max'"):
        carl.Solver(model, goal_probability="most")
    with pytest.raises(ValueError, match="goes with goal_probability"):
        carl.Solver(model, give_up_only_when_lost=True)


@pytest.mark.parametrize("seed", range(20))
def test_fronts_agree_with_sweeps(seed):
    problem = RandomProblem(seed)
    solver = carl.Solver(problem.as_arrays(), bounds={"risk": math.inf, "fuel": math.inf})
    front = solver.pareto("time", "fuel")
    assert front.status == "optimal" and front.distance <= 1e-6
    points = front.as_array()
    assert np.all(np.diff(points[:, 0]) > 0) and np.all(np.diff(points[:, 1]) < 0)
    for vertex in front.vertices:
        assert vertex.policy.is_deterministic
        solver.bounds["fuel"] = vertex.costs["fuel"] * (1 + 1e-12)
        assert solver.solve(gap=1e-9).objective == pytest.approx(vertex.costs["time"], rel=1e-6)
    assert len(front.to_frame()) == len(front) and front._repr_svg_().startswith("<svg")


def test_fronts_are_drawn(getting_to_work):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    solver = carl.Solver(getting_to_work)
    assert solver.pareto("time", "price").plot().get_xlabel() == "time"
    assert solver.pareto("time", "price", "effort").plot().get_zlabel() == "effort"
    matplotlib.pyplot.close("all")
    with pytest.raises(carl.OptionError):
        solver.pareto("time")


def test_explanations():
    result = carl.solve(Hike())
    explained = result.explain(("hut", 1))
    assert [entry["state"] for entry in explained["states"]] == ["('hut', 1)"]
    actions = {entry["name"]: entry for entry in explained["states"][0]["actions"]}
    assert set(actions) == {"walk", "climb"}
    # Both are taken, so neither loses anything.
    assert all(abs(entry["loss"]) < 1e-6 for entry in actions.values())
    assert result.explain()["states"]
