// Expected costs without rounding errors: exactly, by eliminating states in rational arithmetic,
// where that stays small; otherwise as an interval that is proved in O(number of transitions).
//
// The proof starts from two guesses in floating point, visits x and steps to go T. With ρ = e + xP
// - x, the cost is x·c + ρ·V, V being the costs to go, and 0 ≤ V ≤ max(c)·T/m if T - PT ≥ m > 0
// everywhere (then T/m bounds the number of steps). Both ρ and m are computed in fixed point with
// 256 bits after the point, rounded to the safe side. How good the guesses are decides only how
// narrow the interval is.
#ifndef CARL_POLICY_EXACT_COSTS_H
#define CARL_POLICY_EXACT_COSTS_H

#include <cstddef>
#include <optional>
#include <vector>

#include "carl/monitor.h"
#include "policy/chain_evaluation.h"
#include "policy/component_order.h"
#include "policy/exact_chain.h"
#include "util/rational.h"

namespace carl::policy {

struct CostInterval {
  Rational lower;
  Rational upper;
};

/// The costs themselves, or nothing if that takes more work than allowed (in units of a
/// multiplication of two 64-bit words, roughly). Throws LimitReached.
std::optional<std::vector<Rational>> exact_costs(const PolicyChain& chain,
                                                 const ComponentOrder& order, ExactChain& exact,
                                                 std::size_t max_work, Monitor& monitor);

/// Nothing only if the guesses are useless. Throws LimitReached.
std::optional<std::vector<CostInterval>> certified_costs(const PolicyChain& chain,
                                                         const ComponentOrder& order,
                                                         ExactChain& exact,
                                                         const std::vector<double>& visits,
                                                         Monitor& monitor);

struct ProvedCosts {
  bool exactly = false;  // the intervals are single values
  std::vector<CostInterval> costs;
};

/// The costs themselves where that takes no more than `max_work`, otherwise intervals. Nothing only
/// if the guesses of the visits are useless. Throws LimitReached.
std::optional<ProvedCosts> proved_costs(const PolicyChain& chain, const ComponentOrder& order,
                                        ExactChain& exact, const std::vector<double>& visits,
                                        std::size_t max_work, Monitor& monitor);

}  // namespace carl::policy

#endif
