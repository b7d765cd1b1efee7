// A lower bound decided in rational arithmetic: what sound_lower_bound() finds in floating point,
// re-done without rounding. One pass over all pairs.
#ifndef CARL_SSP_EXACT_BOUND_H
#define CARL_SSP_EXACT_BOUND_H

#include <span>
#include <vector>

#include "ssp/search_graph.h"
#include "util/rational.h"

namespace carl::ssp {

/// θ·V(s0) for the costs weights · C(a), with θ as in lower_bound.h: a lower bound on the cost of
/// every proper policy, for the graph's costs as they are and its probabilities scaled to sum to
/// one. `value` as there: zero at goals, admissible at states that are not expanded, infinite where
/// no proper policy exists.
Rational exact_lower_bound(const SearchGraph& graph, std::span<const double> weights,
                           const std::vector<double>& value);

}  // namespace carl::ssp

#endif
