// A sound lower bound from approximate values. Values V that satisfy V(s) ≤ Q(s,a) for every pair
// are a lower bound on the optimal cost-to-go (a sub-solution of the Bellman equations). Values
// that violate this become one when scaled by
//    θ = min over pairs of c(a) / (c(a) + viol(s,a)),   viol = max(0, V(s) - Q(s,a)),   0/0 := 1,
// since θV satisfies the inequality: θV(s) = θ(Q(s,a) + viol) ≤ c(a) + θ Σ p V(s'). One bad state
// spoils θ for all, so where scaling costs much, decreasing Bellman sweeps V ← min(V, Q) repair the
// values in place first.
//
// Free pairs (c = 0) leave scaling no room at all: the least rounding error makes θ zero. The
// sweeps therefore go through the components of the free pairs in reverse topological order, each
// until it has settled, so that a sweep leaves no violation on a free pair behind.
#ifndef CARL_SSP_LOWER_BOUND_H
#define CARL_SSP_LOWER_BOUND_H

#include <span>
#include <vector>

#include "ssp/search_graph.h"

namespace carl::ssp {

/// A lower bound on the scalar optimum from the initial state for costs weights · C(a), with
/// non-negative weights. `value` has an entry per state: zero at goals, admissible at states that
/// are not expanded, infinite only where no proper policy exists, anything elsewhere. The sweeps
/// change it, and end when the bound is closer (relatively) to V(s0) than `negligible_loss`.
double sound_lower_bound(const SearchGraph& graph, std::span<const double> weights,
                         std::vector<double>& value, double negligible_loss = 1e-12);

}  // namespace carl::ssp

#endif
