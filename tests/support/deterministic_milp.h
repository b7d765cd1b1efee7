// The best deterministic policy of a CSSP as an integer program (D. Dolgov and E. Durfee,
// "Stationary deterministic policies for constrained MDPs with multiple rewards, costs, and discount
// factors", IJCAI 2005): the occupation-measure LP with an indicator for each pair,
//
//   x(s,a) ≤ M(s) z(s,a),   Σ_a z(s,a) ≤ 1,   z ∈ {0, 1}.
//
// M(s) bounds the expected visits of s. Every visit costs something of each kind, so a bound on what
// a policy may cost is one on its visits.
#ifndef CARL_TESTS_SUPPORT_DETERMINISTIC_MILP_H
#define CARL_TESTS_SUPPORT_DETERMINISTIC_MILP_H

#include <cstddef>
#include <optional>

#include "carl/cssp.h"

namespace carl::testing {

struct MilpAnswer {
  bool optimal = false;     // proved
  bool infeasible = false;  // proved
  /// Of the policy that its solution means, evaluated exactly, if that meets the bounds to 1e-6.
  std::optional<double> optimum;
  std::size_t nodes = 0;
  std::size_t columns = 0;
};

/// `upper_bound`, if known, is one on the primary cost of an optimal policy. Nothing if there is a
/// state whose visits none of the costs bounds, or no proper policy.
std::optional<MilpAnswer> solve_deterministic_milp(Cssp& cssp, std::optional<double> upper_bound,
                                                   double seconds);

}  // namespace carl::testing

#endif
