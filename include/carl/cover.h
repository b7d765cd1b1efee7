// A policy for every state, not only for those that it meets: for executions in which something
// happens that the problem does not know of. And what a policy costs from each of its states on.
#ifndef CARL_COVER_H
#define CARL_COVER_H

#include <cstddef>
#include <stdexcept>
#include <vector>

#include "carl/cssp.h"
#include "carl/monitor.h"
#include "carl/policy.h"
#include "carl/solution.h"

namespace carl {

/// Why a policy cannot be extended.
class NoCoverage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Coverage {
  /// The policy of the solution, then what to do in other states, whose visits are 0.
  Policy policy;
  std::size_t added = 0;
  /// Other states that can be reached, but from which no policy reaches a goal with certainty (nor
  /// gives up): nothing is said of them.
  std::size_t hopeless = 0;
};

/// Extends the policy of a solution to every state that can be reached by actions that no bound of
/// zero forbids. In a state that the policy does not meet it takes one action, which is optimal for
/// the primary cost and all others at their shadow prices, C0 + Σ λ·C with the solution's
/// multipliers. From each of these states a goal is reached with probability 1; where the policy's
/// own states are met on the way, they are left as they are. Bounds are on what is expected from the
/// initial state, so none is promised from elsewhere.
///
/// Expands everything. The result does not depend on the number of threads (0: one for each
/// processor). The solution must have costs and, if there are bounds other than zero, multipliers:
/// else NoCoverage. Throws LimitReached.
Coverage cover_all_states(Cssp& cssp, const Solution& solution, std::size_t threads,
                          Monitor& monitor);

/// What following a policy costs in expectation, from each of its states on: as many numbers as
/// there are costs for one entry after the other. Throws InputError if it is no policy that reaches
/// a goal with probability 1 from all of them; LimitReached.
std::vector<double> policy_values(Cssp& cssp, const Policy& policy, Monitor& monitor);

}  // namespace carl

#endif
