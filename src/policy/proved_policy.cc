#include "policy/proved_policy.h"

#include <utility>

#include "policy/chain_evaluation.h"
#include "policy/policy_chain.h"

namespace carl::policy {

ProvedPolicy prove_policy(Cssp& cssp, const Policy& policy, std::vector<Finding> when_resolved,
                          std::size_t max_work, Monitor& monitor) {
  WalkedPolicy walked = walk(cssp, policy, std::move(when_resolved), monitor);
  ProvedPolicy result;
  for (Finding& finding : walked.findings)
    if (!finding.warning) result.findings.push_back(std::move(finding));
  if (!result.findings.empty()) return result;
  const ComponentOrder order(walked.chain);
  const ChainEvaluation evaluation = evaluate(walked.chain, order, monitor);
  if (!evaluation.is_finite()) return result;
  ExactChain exact(cssp, policy, walked.chain);
  auto costs = proved_costs(walked.chain, order, exact, evaluation.visits, max_work, monitor);
  if (costs) result.costs = std::move(costs->costs);
  return result;
}

}  // namespace carl::policy
