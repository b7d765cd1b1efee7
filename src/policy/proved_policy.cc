#include "policy/proved_policy.h"

#include <cmath>

#include "policy/chain_evaluation.h"
#include "policy/policy_chain.h"

namespace carl::policy {

ProvedPolicy prove_policy(Cssp& cssp, const PolicyFile& policy, std::size_t max_work,
                          Monitor& monitor) {
  WalkedPolicy walked = walk(cssp, policy, monitor);
  ProvedPolicy result;
  for (Finding& finding : walked.findings)
    if (!finding.warning) result.findings.push_back(std::move(finding));
  if (!result.findings.empty()) return result;
  const ComponentOrder order(walked.chain);
  const ChainEvaluation evaluation = evaluate(walked.chain, order, monitor);
  if (!std::isfinite(evaluation.steps)) return result;
  ExactChain exact(cssp, policy, walked.chain);
  auto costs = proved_costs(walked.chain, order, exact, evaluation.visits, max_work, monitor);
  if (costs) result.costs = std::move(costs->costs);
  return result;
}

}  // namespace carl::policy
