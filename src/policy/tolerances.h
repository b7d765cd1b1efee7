// How far numbers may be apart and still count as the same.
#ifndef CARL_POLICY_TOLERANCES_H
#define CARL_POLICY_TOLERANCES_H

#include <algorithm>
#include <cmath>

#include "carl/model.h"

namespace carl::policy {

/// Costs, relative to what is above 1. Solvers and this room compute them in different ways, which
/// agree to some 13 digits.
inline constexpr double cost_tolerance = 1e-9;
/// Visits, relatively, and what does not matter anyway.
inline constexpr double visits_tolerance = 1e-7;
inline constexpr double least_visits = 1e-10;
/// Mixtures come from a linear program or from taking a policy apart, where flow below some 1e-9 is
/// dropped.
inline constexpr double mixture_tolerance = 1e-7;

inline bool agree(double expected, double found) {
  return std::abs(expected - found) <= cost_tolerance * std::max(1.0, std::abs(expected));
}

inline bool visits_agree(double expected, double found) {
  return std::abs(expected - found) <= visits_tolerance * expected + least_visits;
}

inline bool within_bound(double cost, const Bound& bound) {
  return cost <= bound.upper + cost_tolerance * std::max(1.0, bound.upper);
}

}  // namespace carl::policy

#endif
