// The answer of a tiny CSSP by definition: enumerate all deterministic policies, evaluate each by
// Gaussian elimination, and enumerate the vertices of the mixtures that meet the bounds. Shares no
// code with the library's algorithms.
#ifndef CARL_TESTS_CSSP_BRUTE_FORCE_H
#define CARL_TESTS_CSSP_BRUTE_FORCE_H

#include <optional>
#include <set>
#include <vector>

#include "carl/cssp.h"

namespace carl::testing {

struct BruteForceAnswer {
  bool proper_policy = false;
  std::optional<double> optimum;  // empty if no mixture meets the bounds
};

/// Empty if there are more than `max_policies` policies.
std::optional<BruteForceAnswer> brute_force(Cssp& cssp, std::size_t max_policies);

/// The costs of all proper deterministic policies; empty if there are too many.
std::optional<std::set<std::vector<double>>> policy_costs(Cssp& cssp, std::size_t max_policies);
/// The least first entry among mixtures that meet the bounds; empty if none does.
std::optional<double> best_mixture(const std::set<std::vector<double>>& policies,
                                   const std::vector<Bound>& bounds);

}  // namespace carl::testing

#endif
