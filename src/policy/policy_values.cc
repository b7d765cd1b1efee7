// Costs to go of a policy from all states that it lists, whether it comes there or not: the chain of
// all of them, evaluated backwards.

#include <vector>

#include "carl/cover.h"
#include "policy/chain_evaluation.h"
#include "policy/component_order.h"
#include "policy/findings.h"
#include "policy/policy_chain.h"

namespace carl {

std::vector<double> policy_values(Cssp& cssp, const Policy& policy, Monitor& monitor) {
  using namespace policy;
  const WalkedPolicy walked = walk(cssp, policy, {}, monitor, Starts::all_entries);
  require_sound(walked.findings);
  const PolicyChain& chain = walked.chain;
  const std::vector<double> by_node = costs_to_go(chain, ComponentOrder(chain), monitor);
  const std::size_t width = cssp.num_costs();
  std::vector<double> values(policy.size() * width, 0.0);
  for (std::size_t node = 0; node < chain.size(); ++node)
    std::copy_n(by_node.begin() + static_cast<std::ptrdiff_t>(node * width), width,
                values.begin() + static_cast<std::ptrdiff_t>(chain.entry(node) * width));
  return values;
}

}  // namespace carl
