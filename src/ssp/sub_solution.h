// Lower bounds from approximate values: the one function that makes them sound. Values V that
// satisfy V(s) ≤ c(a) + Σ p V(s') for every pair are a lower bound on the cost-to-go of every
// proper policy, a sub-solution of the Bellman equations: the inequality telescopes along any of
// its executions. What a search has left violates it by its ε or by rounding errors. Three steps
// mend that:
//
//  1. Where a policy can go round at no cost (an end component of free pairs), all values must be
//     the same: they become the least of them.
//  2. On the other free pairs (c = 0) V(s) is lowered to Q(s,a), rounded down, until none is
//     violated. The strongly connected components of the free pairs are visited in reverse
//     topological order, so that each has to be settled once; those that sweeps do not settle are
//     solved as stopping problems (see stopping_problem.h).
//  3. What is left are pairs of positive cost. Their violations shrink with V: scaled by
//       θ = min over pairs of c(a) / (c(a) + viol(s,a)),   viol = max(0, V(s) - Q(s,a)),
//     the values satisfy θV(s) = θ(Q(s,a) + viol) ≤ c(a) + θ Σ p V(s').
//
// One bad state spoils θ for all, so where scaling costs much, sweeps V ← min(V, Q) over all pairs
// come before step 2. Scaling alone would not do: on a free pair the least rounding error makes θ
// zero.
#ifndef CARL_SSP_SUB_SOLUTION_H
#define CARL_SSP_SUB_SOLUTION_H

#include <span>
#include <vector>

#include "carl/monitor.h"
#include "ssp/graph_names.h"

namespace carl::ssp {

/// θ·V is a sub-solution. Kept apart because V satisfies the inequalities of free pairs exactly,
/// which a rounded product would not.
struct SubSolution {
  std::vector<double> value;  // V
  double theta = 0;           // θ, rounded down
  double bound = 0;           // θ·V(s0), to half a unit of the last place
};

struct SubSolutionOptions {
  /// Sweeps end when the bound is closer (relatively) to V(s0) than this, or after so many: they
  /// remove rounding noise and errors far from the start within a few, the rest is left to θ. If it
  /// is infinite there are none, and the bound is 0 as soon as a free pair is violated.
  double negligible_loss = 1e-12;
  std::size_t max_sweeps = 20;
  /// The graph's probabilities and costs are those of the model rounded to doubles, after loops
  /// were divided out. Leaves room for that, so that the result holds for the model's numbers as
  /// they were written, too: for proofs.
  bool holds_as_written = false;
};

/// For costs weights · C(a), with non-negative weights. `value` has an entry per state: zero at
/// goals, admissible at states that are not expanded, infinite only where no proper policy exists,
/// anything elsewhere. After a limit the result is still one, but a worse one.
SubSolution make_sub_solution(const SearchGraph& graph, std::span<const double> weights,
                              std::vector<double> value, Monitor& monitor,
                              const SubSolutionOptions& options = {});

/// The bound of the sub-solution.
double sound_lower_bound(const SearchGraph& graph, std::span<const double> weights,
                         std::vector<double> value, Monitor& monitor,
                         double negligible_loss = 1e-12);

}  // namespace carl::ssp

#endif
