// What every algorithm promises when it has solved a scalarised SSP: greedy choices from the
// initial state lead to expanded states and goals alone, from each of these states they can reach a
// goal (the policy is proper), and in each the value is ε-consistent; or the initial state is
// hopeless. Checked after every solve in debug builds, and by the tests.
#ifndef CARL_SSP_POSTCONDITION_H
#define CARL_SSP_POSTCONDITION_H

#include <string>

#include "ssp/scalarised_ssp.h"

namespace carl::ssp {

/// Whether the greedy policy is closed and proper.
bool greedy_policy_is_proper(const ScalarisedSsp& ssp);

/// What is wrong; empty if nothing is. Residuals may exceed ε by what rounding makes of a value of
/// that size, and by the differences that count as ties: see `residual_allowance`.
std::string broken_promise(const ScalarisedSsp& ssp, double epsilon);

/// Relative to ε and to the value.
inline constexpr double residual_allowance_of_epsilon = 0.01;
inline constexpr double residual_allowance_of_value = 1e-11;

}  // namespace carl::ssp

#endif
