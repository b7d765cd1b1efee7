"""carl: plans for constrained stochastic shortest path problems.

Reach a goal with certainty, at the least expected cost, while other expected costs stay within
their bounds::

    import carl

    model = carl.load("domain.pddl", "problem.pddl")
    solver = carl.Solver(model, bounds={"fuel": 12})
    result = solver.solve()
    print(result)                       # status, costs, shadow prices
    result.policy[state]                # {action: probability}
    solver.bounds["fuel"] = 10          # move a budget …
    solver.solve()                      # … and solve again, from what has been learnt

Models come from files (:func:`load`), from arrays (:meth:`Model.from_arrays`,
:meth:`Model.from_matrices`, :meth:`Model.from_transitions`), or from a class of your own with
``initial()``, ``is_goal(state)`` and ``actions(state)``.
"""

from ._native import version as __version__
from .errors import InputError, LimitReached, NoCertificate, OptionError
from .front import Front, Vertex
from .model import Model, load, load_text
from .policy import Policy
from .result import Check, Component, Result
from .simulation import Simulation
from .solver import Bounds, Solver, solve
from .sweep import Breakpoint, Curve, Sweep

__all__ = [
    "Bounds", "Breakpoint", "Check", "Component", "Curve", "Front", "InputError", "LimitReached",
    "Model", "NoCertificate", "OptionError", "Policy", "Result", "Simulation", "Solver", "Sweep",
    "Vertex", "load", "load_text", "solve", "__version__",
]
