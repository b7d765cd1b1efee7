// The claim of a policy file that it covers every state: all that can be reached by actions that no
// bound of zero forbids, and from which a goal can be reached with certainty.
#ifndef CARL_POLICY_COVERAGE_H
#define CARL_POLICY_COVERAGE_H

#include <cstddef>
#include <vector>

#include "carl/check.h"
#include "carl/cssp.h"
#include "carl/monitor.h"
#include "carl/policy.h"

namespace carl::policy {

/// Whether a bound of zero forbids the action, also where the Cssp does not remove such actions.
bool is_forbidden_by_bounds(const Cssp& cssp, ActionId action);

struct CoverageJudgement {
  std::size_t covered = 0;        // states that have to be listed and are
  std::size_t missing = 0;        // and that are not
  std::vector<Finding> findings;  // about the first of the latter
};

/// Throws LimitReached.
CoverageJudgement judge_coverage(Cssp& cssp, const Policy& policy, Monitor& monitor);

}  // namespace carl::policy

#endif
