"""Solvers and results: bounds that move, sweeps, limits, interrupts, threads, files."""
import dataclasses
import gc
import json
import math
import pathlib
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
import weakref

import numpy as np
import pytest
from conftest import Hike, RandomProblem

import carl


def test_a_budget_that_moves(getting_to_work):
    solver = carl.Solver(getting_to_work)
    assert solver.bounds == {"price": 15, "effort": 10}
    assert solver.solve().objective == pytest.approx(1)
    solver.bounds["price"] = 10
    moved = solver.solve(gap=1e-9)
    assert moved.objective == pytest.approx(12 / 7)
    assert moved.shadow_prices["price"] == pytest.approx(1 / 7)
    del solver.bounds["effort"]
    assert "effort" not in solver.bounds and len(solver.bounds) == 1
    assert solver.solve().objective == pytest.approx(1)
    solver.bounds = {"effort": 10, "price": 10}
    assert solver.solve().objective == pytest.approx(12 / 7)
    with pytest.raises(carl.OptionError):
        solver.bounds["prize"] = 1
    with pytest.raises(KeyError):
        del solver.bounds["time"]


@pytest.mark.parametrize("seed", range(40))
def test_warm_answers_are_fresh_answers(seed):
    problem = RandomProblem(seed)
    solver = carl.Solver(problem.as_arrays())
    for fuel in (5.0, 20.0, 9.0, math.inf, 0.0):
        solver.bounds["fuel"] = fuel
        warm = solver.solve(gap=1e-8)
        fresh = carl.solve(problem.as_arrays(), bounds={"fuel": fuel}, algorithm="lp")
        assert warm.status == fresh.status
        if warm.objective is not None:
            assert warm.objective == pytest.approx(fresh.objective, rel=1e-6)
            assert warm.check()


def test_options_are_checked(getting_to_work):
    with pytest.raises(carl.OptionError, match="lmcutt"):
        carl.solve(getting_to_work, heuristic="lmcutt")
    with pytest.raises(carl.OptionError):
        carl.solve(getting_to_work, gap=-1)
    with pytest.raises(TypeError):
        carl.solve(getting_to_work, heuristics="lmcut")
    for algorithm in ("carl", "i-dual", "i2-dual", "lp"):
        assert carl.solve(getting_to_work, algorithm=algorithm).objective == pytest.approx(1)


def test_sweep_has_exact_breakpoints(getting_to_work):
    sweep = carl.Solver(getting_to_work).sweep("price", 5, 20, 5)
    assert np.isnan(sweep.objectives[0]) and sweep.curves[0].statuses[0] == "infeasible"
    assert sweep.objectives[1:] == pytest.approx([12 / 7, 1, 1])
    assert [b.bound for b in sweep.breakpoints] == pytest.approx([6.25, 15])
    assert sweep.curves[0].infeasible_below == pytest.approx(6.25)
    assert len(sweep.to_frame()) == 4 and sweep._repr_svg_().startswith("<svg")
    two = carl.Solver(getting_to_work).sweep("price", 10, 20, 5, second=("effort", 10, 20, 10))
    assert [c.second for c in two.curves] == [10, 20]


def test_plots(getting_to_work, tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot
    solver = carl.Solver(getting_to_work)
    axes = solver.sweep("price", 5, 20).plot()
    assert axes.get_xlabel() == "bound on price" and len(axes.lines) == 2
    pyplot.figure()
    axes = solver.solve().simulate(500).plot("price", budget=15)
    assert "exceeded by" in axes.get_legend().texts[1].get_text()
    pyplot.close("all")


def test_what_a_result_says(getting_to_work):
    result = carl.solve(getting_to_work, mixture=True)
    assert result.is_optimal and result.gap == 0 and result.lower_bound == 1
    assert "Optimal: time = 1" in str(result) and "price" in result._repr_html_()
    assert result.policy["(at-home)"] == result.policy[["(at-home)"]] == {"(run)": .5, "(taxi)": .5}
    assert not result.policy.is_deterministic and result.policy.visits("(at-home)") == 1
    assert [c.weight for c in result.mixture] == [0.5, 0.5]
    assert all(c.policy.is_deterministic for c in result.mixture)
    frame = result.policy.to_frame()
    assert list(frame["action"]) == ["(run)", "(taxi)"] and frame["probability"].sum() == 1
    arrays = result.policy.as_arrays()
    assert list(arrays["first_choice"]) == [0, 2] and len(arrays["action_names"]) == 2
    graph = result.policy.to_networkx()
    assert result.to_networkx().edges == graph.edges
    assert graph.number_of_edges() == 2 and graph.nodes["(at-home)"]["visits"] == 1
    assert json.loads(result.json())["status"] == "optimal"
    assert json.loads(result.policy_json())["format"] == "carl-policy"


def test_check_and_certificate(getting_to_work, tmp_path):
    result = carl.solve(getting_to_work)
    check = result.check(exact=True)
    assert check and check.costs == {"time": 1, "price": 15, "effort": 10} and not check.findings
    proof = result.certificate(tmp_path / "proof.json")
    assert proof["check"]["verdict"] == "proved"
    assert json.loads((tmp_path / "proof.json").read_text()) == proof["certificate"]
    result.report(tmp_path / "page.html", title="To work",
                  sweep=carl.Solver(getting_to_work).sweep("price", 7, 20))
    assert "To work" in (tmp_path / "page.html").read_text()


def test_no_solution_has_reasons(getting_to_work):
    result = carl.solve(getting_to_work, bounds={"price": 1, "effort": 1})
    assert result.status == "infeasible" and result.costs is None and len(result.policy) == 0
    assert result.reasons and "Infeasible" in str(result) and "Infeasible" in result._repr_html_()
    assert result.certificate()["check"]["verdict"] == "proved"
    with pytest.raises(RuntimeError, match="there is no policy"):
        result.check()


def test_simulation(getting_to_work):
    result = carl.solve(getting_to_work)
    runs = result.simulate(10_000, seed=5)
    again = result.simulate(10_000, seed=5, threads=2)
    assert np.array_equal(runs.totals, again.totals)
    row = runs.row("price")
    assert row["exact"] == 15 and abs(row["mean"] - 15) < 4 * row["deviation"] / 100
    assert runs.totals["price"].mean() == pytest.approx(row["mean"])
    assert runs.within["price"] == pytest.approx(0.5, abs=0.03)
    assert runs.share_above("price", 15) == pytest.approx(1 - runs.within["price"])
    counts, edges = runs.histogram("price", bins=3)
    assert counts.sum() == 10_000 and edges[-1] == 30
    assert runs.quantile("price", 0.99) == 30 and list(runs.quantile("price", [0.1])) == [0]
    with pytest.raises(KeyError):
        runs.row("prize")


def test_quantiles_are_those_of_the_runs(getting_to_work):
    values = {"cost": (np.arange(1.0, 101.0), np.ones(100, dtype=int))}
    runs = dataclasses.replace(carl.solve(getting_to_work).simulate(100), values=values)
    for percent in range(1, 101):  # 0.07 * 100 is a little more than 7
        assert runs.quantile("cost", percent / 100) == percent


def test_limits_that_are_none(getting_to_work):
    solver = carl.Solver(getting_to_work)
    for limit in (-1.0, math.nan):
        with pytest.raises(ValueError, match="time_limit is a number of seconds"):
            solver.solve(time_limit=limit)
    for limit in (-1.0, 0.0, math.nan, math.inf):
        with pytest.raises(ValueError, match="memory_limit is a number of megabytes above 0"):
            solver.solve(memory_limit=limit)


def test_results_pickle(getting_to_work):
    for result in (carl.solve(getting_to_work, mixture=True), carl.solve(Hike()),
                   carl.solve(getting_to_work, bounds={"price": 1, "effort": 1})):
        copy = pickle.loads(pickle.dumps(result))
        assert str(copy) == str(result) and dict(copy.policy) == dict(result.policy)
        assert copy.statistics == result.statistics
        with pytest.raises(RuntimeError, match="unpickled"):
            copy.check()
    error = carl.InputError("a: b", "b", "c", "a", 1, 2)
    assert pickle.loads(pickle.dumps(error)).column == 2


class Endless:
    """A counter that never comes to an end, with a way out that is always expensive."""

    costs = ["time", "fuel"]

    def __init__(self, called=None):
        self.called = called or (lambda: None)

    def initial(self):
        return 0

    def is_goal(self, state):
        return state == -1

    def actions(self, state):
        self.called()
        yield "out", [1e6, 0], {-1: 1.0}
        yield "on", [1, 1], {2 * state + 1: 0.5, 2 * state + 2: 0.5}


def test_limits_are_kept():
    result = carl.solve(Endless(), time_limit=0.3)
    assert result.status == "limit"


def test_progress_is_reported_and_its_exceptions_end_the_solve():
    seen = []
    assert carl.solve(Endless(), time_limit=0.5, progress=seen.append).status == "limit"
    assert seen and {"phase", "states", "lower_bound"} <= set(seen[0])

    def fail(_):
        raise ZeroDivisionError("enough")

    with pytest.raises(ZeroDivisionError, match="enough"):
        carl.solve(Endless(), progress=fail)


def test_keyboard_interrupt_returns_the_best_so_far():
    program = textwrap.dedent("""
        import sys
        sys.path[:0] = [sys.argv[1]]
        from test_solving import Endless
        import carl
        started = []
        def called():
            if not started:
                started.append(1)
                print("started", flush=True)
        result = carl.solve(Endless(called))
        print(result.status)
        print("still alive")
    """)
    child = subprocess.Popen([sys.executable, "-c", program, str(pathlib.Path(__file__).parent)],
                             stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "started\n"
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=120)
    assert out == "interrupted\nstill alive\n" and child.returncode == 0


def test_other_threads_go_on_and_two_solvers_work_at_once():
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.001)

    problems = [RandomProblem(seed, states=60) for seed in range(8)]
    alone = [carl.solve(p.as_arrays(), gap=1e-9) for p in problems]
    together = [None] * len(problems)

    def work(place):
        for i in range(place, len(problems), 2):
            together[i] = carl.solve(problems[i].as_arrays() if i % 3 else problems[i], gap=1e-9)

    threads = [threading.Thread(target=count), *(threading.Thread(target=work, args=(i,))
                                                 for i in range(2))]
    for thread in threads:
        thread.start()
    for thread in threads[1:]:
        thread.join()
    stop.set()
    threads[0].join()
    assert counted[0] > 0
    for one, other in zip(alone, together):
        assert one.status == other.status
        if one.objective is not None:
            assert other.objective == pytest.approx(one.objective, rel=1e-8)


def test_solvers_that_share_a_model_take_turns():
    model = RandomProblem(3, states=80).as_arrays()
    expected = carl.solve(model, gap=1e-9)
    found = []
    threads = [threading.Thread(target=lambda: found.append(carl.solve(model, gap=1e-9)))
               for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(r.objective == expected.objective for r in found) and len(found) == 4


def test_nothing_is_kept_alive_and_nothing_lost():
    class State:
        def __init__(self, number):
            self.number = number

        def __eq__(self, other):
            return self.number == other.number

        def __hash__(self):
            return self.number

    kept = []

    class Counting(Hike):
        def initial(self):
            return self.made(0)

        def made(self, number):
            state = State(number)
            kept.append(weakref.ref(state))
            return state

        def is_goal(self, state):
            return state.number == 4

        def actions(self, state):
            yield "walk", [3, 0], {self.made(state.number + 1): 1.0}
            yield "climb", [1, 0.1], [(0.9, self.made(state.number + 1)), (0.1, self.made(0))]

    description = Counting()
    alive = weakref.ref(description)
    result = carl.solve(description)
    assert result.objective == pytest.approx(8.84) and result.policy[State(0)]
    del description, result
    gc.collect()
    assert alive() is None and all(ref() is None for ref in kept)


def test_size(getting_to_work):
    size = carl.Solver(getting_to_work).size()
    assert size["complete"] and size["states"] == 4 and size["goals"] >= 1
