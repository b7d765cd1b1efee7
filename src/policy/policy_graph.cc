#include "policy/policy_graph.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "policy/chain_evaluation.h"
#include "policy/findings.h"

namespace carl::policy {
namespace {

PolicyChain sound_chain(Cssp& cssp, const Policy& policy, Monitor& monitor) {
  WalkedPolicy walked = walk(cssp, policy, {}, monitor);
  require_sound(walked.findings);
  return std::move(walked.chain);
}

}  // namespace

PolicyGraph::PolicyGraph(Cssp& cssp, const Policy& policy, Monitor& monitor)
    : chain_(sound_chain(cssp, policy, monitor)) {
  const ComponentOrder order(chain_);
  ChainEvaluation evaluation = evaluate(chain_, order, monitor);
  if (!evaluation.is_finite()) require_sound({goal_too_rare()});
  values_ = costs_to_go(chain_, order, monitor);
  visits_ = std::move(evaluation.visits);
  depths_.assign(chain_.size(), std::numeric_limits<std::uint32_t>::max());
  if (chain_.size() > 0)
    depths_[0] = 0;
  else
    visits_[add_goal(cssp.initial_state(), 0)] = 1;
  // Breadth first, so that the depth of a node is known when its successors need it.
  for (std::size_t node = 0; node < chain_.size(); ++node) {
    const std::uint32_t depth = depths_[node] + 1;
    for (std::size_t c = chain_.first_choice(node); c < chain_.first_choice(node + 1); ++c)
      for (const PolicyChain::Transition& t : chain_.transitions(c)) {
        if (t.to == PolicyChain::goal)
          visits_[add_goal(t.state, depth)] +=
              visits_[node] * chain_.probability(c) * t.probability;
        else
          depths_[t.to] = std::min(depths_[t.to], depth);
      }
  }
}

/// The node of a goal, which may be new.
double PolicyGraph::expected_steps() const {
  double visits = 0;
  for (std::size_t node = 0; node < chain_.size(); ++node)
    visits += visits_[node];
  return visits - chain_.visits_without_step();
}

std::size_t PolicyGraph::add_goal(StateId state, std::uint32_t depth) {
  const auto [entry, is_new] = goal_node_.try_emplace(state, size());
  if (is_new) {
    goals_.push_back(state);
    visits_.push_back(0);
    depths_.push_back(depth);
  }
  return entry->second;
}

}  // namespace carl::policy
