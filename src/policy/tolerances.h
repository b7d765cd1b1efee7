// How far numbers may be apart and still count as the same: one set for everything that is said of
// a policy. None is in the units of a cost: costs are compared relatively, or with what a step costs,
// probabilities with one, visits with the one run that they are counted over.
#ifndef CARL_POLICY_TOLERANCES_H
#define CARL_POLICY_TOLERANCES_H

#include <algorithm>
#include <cmath>

#include "carl/solution.h"

namespace carl::policy {

/// Probabilities of the choices of a state, summed up: off from one by as much as those of a
/// model's outcomes may be (model/validity.h), so that three times 0.333333333 will do, too. They
/// are scaled to sum to one.
inline constexpr double sum_tolerance = 1e-9 * (1 + 1e-6);
/// Costs, relatively to what they should be. Solvers and this room compute them in different ways,
/// which agree to some 13 digits; no cost is negative, so that none is a small difference.
inline constexpr double cost_tolerance = 1e-9;
/// Gaps and weights of a mixture, which are shares of one.
inline constexpr double share_tolerance = 1e-9;
/// Visits, relatively to what they should be, and below which number per run they do not matter.
inline constexpr double visits_tolerance = 1e-7;
inline constexpr double least_visits = 1e-10;
/// Expected costs from a state on, likewise.
inline constexpr double values_tolerance = 1e-7;
/// Weighted costs of a mixture, relatively to those of the policy. Mixtures come from a linear
/// program or from taking a policy apart, where flow below some 1e-9 is dropped.
inline constexpr double mixture_tolerance = 1e-7;

/// Whether something is done, or comes about, at all. What has probability zero is as if it were
/// not listed: it counts neither as a random choice nor as a way to anywhere.
inline bool is_possible(double probability) {
  return probability > 0;
}

inline bool sums_to_one(double sum) {
  return std::abs(sum - 1) <= sum_tolerance;
}

/// `step` is the most that a step costs: beside that a cost may be next to nothing.
inline bool costs_agree(double expected, double found, double step) {
  return std::abs(expected - found) <= cost_tolerance * std::max(expected, next_to_nothing * step);
}

inline bool shares_agree(double expected, double found) {
  return std::abs(expected - found) <= share_tolerance;
}

inline bool visits_agree(double expected, double found) {
  return std::abs(expected - found) <= visits_tolerance * expected + least_visits;
}

/// Expected costs from a state on, where the largest of all states is `largest`: they come from
/// linear systems in which one state's are computed from those of others.
inline bool values_agree(double expected, double found, double largest) {
  return std::abs(expected - found) <= values_tolerance * expected + cost_tolerance * largest;
}

inline bool mixed_costs_agree(double expected, double found, double step) {
  return std::abs(expected - found) <=
         mixture_tolerance * std::max(expected, next_to_nothing * step);
}

/// The solvers' own tolerance, 1e-9 times the bound: what they call feasible is.
inline bool within_bound(double cost, const Bound& bound) {
  return cost <= bound.upper + bound_tolerance(bound);
}

}  // namespace carl::policy

#endif
