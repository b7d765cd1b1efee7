// A sound lower bound from approximate values. Values V that satisfy V(s) ≤ Q(s,a) for every pair
// are a lower bound on the optimal cost-to-go (a sub-solution of the Bellman equations). Values
// that violate this a little are repaired in two steps: decreasing Bellman sweeps V ← min(V, Q),
// which remove rounding errors, then scaling by
//    θ = min over pairs of c(a) / (c(a) + viol(s,a)),   viol = max(0, V(s) - Q(s,a)),   0/0 := 1,
// since θV satisfies the inequality: θV(s) = θ(Q(s,a) + viol) ≤ c(a) + θ Σ p V(s').
#ifndef CARL_SSP_LOWER_BOUND_H
#define CARL_SSP_LOWER_BOUND_H

#include <vector>

#include "ssp/search_graph.h"

namespace carl::ssp {

/// A lower bound on the scalar optimum from the initial state for costs weights · C(a). `value` has
/// an entry per state: zero at goals, admissible at states that are not expanded, infinite where no
/// proper policy exists; it is changed into the sub-solution found by the sweeps.
double sound_lower_bound(const SearchGraph& graph, std::span<const double> weights,
                         std::vector<double>& value);

}  // namespace carl::ssp

#endif
