// What a policy costs, proved: walked over the problem, evaluated, and the costs made exact.
#ifndef CARL_POLICY_PROVED_POLICY_H
#define CARL_POLICY_PROVED_POLICY_H

#include <optional>
#include <vector>

#include "carl/check.h"
#include "policy/exact_costs.h"

namespace carl::policy {

struct ProvedPolicy {
  std::vector<Finding> findings;  // why it is no policy of the problem
  /// Nothing if there are findings, or if the costs are too uncertain.
  std::optional<std::vector<CostInterval>> costs;
};

/// `when_resolved` are the findings of resolve() if the policy comes from a file, `max_work` is as
/// for exact_costs(). Throws LimitReached.
ProvedPolicy prove_policy(Cssp& cssp, const Policy& policy, std::vector<Finding> when_resolved,
                          std::size_t max_work, Monitor& monitor);

}  // namespace carl::policy

#endif
