// A policy as a graph, for people to look at: its states and the goals it ends in, what it does in
// each and where that leads, how often a state is visited, how far it is from the start and what
// it still costs from there. All of it comes from the chain that checks and simulations use.
#ifndef CARL_POLICY_POLICY_GRAPH_H
#define CARL_POLICY_POLICY_GRAPH_H

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "carl/cssp.h"
#include "carl/monitor.h"
#include "carl/policy.h"
#include "policy/policy_chain.h"

namespace carl::policy {

/// Nodes are those of the chain, breadth first from the start, then the goals.
class PolicyGraph {
 public:
  /// Throws InputError if the policy is none of the problem; LimitReached.
  PolicyGraph(Cssp& cssp, const Policy& policy, Monitor& monitor);

  std::size_t size() const { return chain_.size() + goals_.size(); }
  bool is_goal(std::size_t node) const { return node >= chain_.size(); }
  StateId state(std::size_t node) const {
    return is_goal(node) ? goals_[node - chain_.size()] : chain_.state(node);
  }
  /// Expected; of a goal, the probability of ending there.
  double visits(std::size_t node) const { return visits_[node]; }
  /// Actions from the start, at least.
  std::uint32_t depth(std::size_t node) const { return depths_[node]; }
  /// Expected costs from here on; not of goals.
  std::span<const double> values(std::size_t node) const {
    return std::span(values_).subspan(node * chain_.num_costs(), chain_.num_costs());
  }
  /// Of a run, in expectation.
  double expected_steps() const;
  /// What is done in the nodes that are no goals.
  const PolicyChain& chain() const { return chain_; }
  /// The node that a transition of the chain leads to.
  std::size_t target(const PolicyChain::Transition& transition) const {
    return transition.to != PolicyChain::goal ? transition.to : goal_node_.at(transition.state);
  }

 private:
  std::size_t add_goal(StateId state, std::uint32_t depth);

  PolicyChain chain_;
  std::vector<StateId> goals_;
  absl::flat_hash_map<StateId, std::size_t> goal_node_;
  std::vector<double> visits_;
  std::vector<std::uint32_t> depths_;
  std::vector<double> values_;
};

}  // namespace carl::policy

#endif
