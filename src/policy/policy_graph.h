// A policy as a graph, for people to look at: its states and the goals it ends in, what it does in
// each and where that leads, how often a state is visited, how far it is from the start and what
// it still costs from there.
#ifndef CARL_POLICY_POLICY_GRAPH_H
#define CARL_POLICY_POLICY_GRAPH_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "carl/cssp.h"
#include "carl/monitor.h"
#include "carl/solution.h"

namespace carl::policy {

struct PolicyNode {
  struct Outcome {
    std::uint32_t successor;  // a node
    double probability = 0;
  };
  struct Choice {
    ActionId action;
    double probability = 0;
    std::vector<Outcome> outcomes;
  };
  StateId state;
  double visits = 0;            // expected; of a goal, the probability of ending there
  std::uint32_t depth = 0;      // actions from the start, at least
  std::vector<Choice> choices;  // none: a goal
  std::vector<double> values;   // expected costs from here on; empty for a goal
};

/// The policy's states in their order, then the goals. Throws InputError if the policy is not
/// closed, does something that cannot be done, or may never end; LimitReached.
std::vector<PolicyNode> policy_graph(Cssp& cssp, const StochasticPolicy& policy, Monitor& monitor);

}  // namespace carl::policy

#endif
