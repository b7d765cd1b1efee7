// The answer of a tiny CSSP by definition: enumerate all deterministic policies, evaluate each by
// Gaussian elimination, and enumerate the vertices of the mixtures that meet the bounds. Shares no
// code with the library's algorithms.
#ifndef CARL_TESTS_CSSP_BRUTE_FORCE_H
#define CARL_TESTS_CSSP_BRUTE_FORCE_H

#include <optional>
#include <vector>

#include "carl/cssp.h"

namespace carl::testing {

struct BruteForceAnswer {
  bool proper_policy = false;
  std::optional<double> optimum;  // empty if no mixture meets the bounds
};

/// Empty if there are more than `max_policies` policies.
std::optional<BruteForceAnswer> brute_force(Cssp& cssp, std::size_t max_policies);

}  // namespace carl::testing

#endif
