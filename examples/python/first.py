"""Getting to work, from Python: solve it, move a budget, see what single days are like."""
import pathlib

import carl

here = pathlib.Path(__file__).resolve().parents[1] / "getting-to-work"
solver = carl.Solver(carl.load(here / "domain.pddl", here / "problem.pddl"))
result = solver.solve()
print(result)
print(result.policy["(at-home)"])

solver.bounds["price"] = 10  # five less to spend
result = solver.solve()
print(f"\nwith 10 to spend: {result.objective:.4g}; "
      f"one more would save {result.shadow_prices['price']:.3g}")

runs = result.simulate(10_000)
print(f"on {runs.share_above('price', 10):.0%} of the days more than 10 is spent")
