// How far numbers may be apart and still count as the same.
#ifndef CARL_POLICY_TOLERANCES_H
#define CARL_POLICY_TOLERANCES_H

#include <algorithm>
#include <cmath>

#include "carl/solution.h"

namespace carl::policy {

/// Costs, relatively. Solvers and this room compute them in different ways, which agree to some 13
/// digits.
inline constexpr double cost_tolerance = 1e-9;
/// Gaps and weights, which are relative themselves.
inline constexpr double share_tolerance = 1e-9;
/// Visits, relatively, and what does not matter anyway.
inline constexpr double visits_tolerance = 1e-7;
inline constexpr double least_visits = 1e-10;
/// Mixtures come from a linear program or from taking a policy apart, where flow below some 1e-9 is
/// dropped.
inline constexpr double mixture_tolerance = 1e-7;

inline bool agree(double expected, double found) {
  return std::abs(expected - found) <= cost_tolerance * std::abs(expected);
}

inline bool shares_agree(double expected, double found) {
  return std::abs(expected - found) <= share_tolerance;
}

inline bool visits_agree(double expected, double found) {
  return std::abs(expected - found) <= visits_tolerance * expected + least_visits;
}

inline bool within_bound(double cost, const Bound& bound) {
  return cost <= bound.upper + bound_tolerance(bound);
}

}  // namespace carl::policy

#endif
