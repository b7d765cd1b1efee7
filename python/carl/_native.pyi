"""The compiled part, for type checkers: plain numbers, texts and arrays."""

from typing import Any, Optional

version: str

class CostModel:
    costs: list[str]
    bounds: list[tuple[str, float]]
    give_up: Optional[list[float]]
    def __init__(self, costs: list[str], bounds: list[tuple[int, float]],
                 give_up: Optional[list[float]]) -> None: ...

class Model:
    cost_model: CostModel
    is_factored: bool
    num_states: int
    notes: list[str]
    def python_state(self, state: int) -> Any: ...

def load(paths: list[str], texts: list[tuple[str, str]], problem: str, minimise: str, goal: str,
         constants: list[tuple[str, str]], property: str) -> Model: ...
def from_arrays(costs: CostModel, first_pair: Any, first_outcome: Any, probabilities: Any,
                successors: Any, pair_costs: Any, action_names: list[str],
                state_names: list[str], initial: int, goals: Any) -> Model: ...
def from_actions(costs: CostModel, states: int, state_names: list[str],
                 actions: list[tuple[int, str, list[float],
                                     list[tuple[float, int, list[float]]]]],
                 initial: int, goals: list[int]) -> Model: ...
def from_python(description: Any, costs: CostModel) -> Model: ...

class CsspOptions:
    bounds: list[tuple[str, float]]
    give_up: Optional[list[tuple[str, float]]]
    seed: int
    units: list[tuple[str, float]]
    def add_guarantee(self, kind: str, cost: str, limit: float, upper: float) -> None: ...
    def set_goal_probability(self, least: Optional[float], only_when_lost: bool) -> None: ...

class SolveOptions:
    threads: int
    seed: int
    gap: float
    mixture_policies: bool
    deterministic: bool

class Call:
    time_limit: Optional[float]
    memory_limit: Optional[float]
    progress: Any

class SweepRange:
    def __init__(self, cost: str, start: float, stop: float, step: float) -> None: ...

class Front:
    handle: Model
    is_original: bool
    status: str
    cost_names: list[str]
    costs: list[int]
    vertices: list[tuple[list[float], bool, dict[str, Any]]]
    edges: list[tuple[int, int]]
    faces: list[list[int]]
    distance: Optional[float]
    note: str
    def state_name(self, state: int) -> str: ...
    def action_name(self, action: int) -> str: ...
    def json(self) -> str: ...
    def picture(self) -> str: ...

class Result:
    handle: Model
    is_original: bool
    deterministic_costs: Optional[list[float]]
    def explain(self, states: list[str], most_visited: int, ranges: bool, call: Call) -> str: ...
    status: str
    costs: Optional[list[float]]
    lower_bound: Optional[float]
    gap: Optional[float]
    multipliers: list[float]
    note: str
    cost_names: list[str]
    bounds: list[tuple[str, float]]
    policy: dict[str, Any]
    mixture: list[tuple[float, list[float], dict[str, Any]]]
    reasons: list[str]
    warnings: list[str]
    def state_name(self, state: int) -> str: ...
    def action_name(self, action: int) -> str: ...
    def transitions(self) -> dict[str, Any]: ...
    def json(self) -> str: ...
    def policy_json(self) -> str: ...
    def check(self, exact: bool, call: Call) -> str: ...
    def certificate(self, verify: bool, call: Call) -> tuple[str, str]: ...
    def simulate(self, runs: int, seed: int, threads: int, max_steps: int,
                 call: Call) -> dict[str, Any]: ...
    def report(self, title: str, sweep: str, call: Call) -> str: ...

class Solver:
    bounds: list[tuple[str, float]]
    cost_names: list[str]
    def __init__(self, model: Model, options: CsspOptions) -> None: ...
    def set_bound(self, cost: str, upper: float) -> None: ...
    def set_give_up(self, penalties: Optional[list[tuple[str, float]]]) -> None: ...
    def forget(self) -> None: ...
    def solve(self, options: SolveOptions, call: Call) -> Result: ...
    def sweep(self, first: SweepRange, second: Optional[SweepRange], options: SolveOptions,
              call: Call) -> tuple[str, str]: ...
    def pareto(self, costs: list[str], gap: Optional[float], options: SolveOptions,
               call: Call) -> Front: ...
    def explore(self, max_states: int, threads: int, call: Call) -> dict[str, Any]: ...
