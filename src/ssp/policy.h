// Policies on a search graph: for every state of the envelope a distribution over its pairs.
#ifndef CARL_SSP_POLICY_H
#define CARL_SSP_POLICY_H

#include <span>
#include <vector>

#include "ssp/graph_names.h"

namespace carl::ssp {

/// Closed from the initial state: every non-goal state that a pair of the policy can reach is
/// listed. Probabilities are those of *leaving* by the pair (see SearchGraph on self-loops).
class Policy {
 public:
  struct Choice {
    PairId pair;
    double probability = 1;
    bool operator==(const Choice&) const = default;
  };
  bool operator==(const Policy&) const = default;

  std::size_t size() const { return states_.size(); }
  StateId state(std::size_t i) const { return states_[i]; }
  std::span<const Choice> choices(std::size_t i) const {
    return std::span(choices_).subspan(first_[i], first_[i + 1] - first_[i]);
  }

  void add_state(StateId state) {
    states_.push_back(state);
    first_.push_back(choices_.size());
  }
  /// To the state added last.
  void add_choice(PairId pair, double probability) {
    choices_.push_back({pair, probability});
    first_.back() = choices_.size();
  }

 private:
  std::vector<StateId> states_;
  std::vector<std::size_t> first_{0};
  std::vector<Choice> choices_;
};

/// The envelope from `start` of a policy given for all states: `choices(s)` yields the choices of a
/// non-goal state. States come in breadth-first order.
template <class Choices>
Policy envelope(const SearchGraph& graph, StateId start, Choices choices) {
  Policy policy;
  std::vector<bool> seen(graph.num_states(), false);
  std::vector<StateId> queue;
  const auto visit = [&](StateId s) {
    if (seen[s.index()] || graph.is_goal(s)) return;
    seen[s.index()] = true;
    queue.push_back(s);
  };
  visit(start);
  for (std::size_t next = 0; next < queue.size(); ++next) {
    policy.add_state(queue[next]);
    for (const Policy::Choice& choice : choices(queue[next])) {
      policy.add_choice(choice.pair, choice.probability);
      for (const StateId t : graph.successors(choice.pair))
        visit(t);
    }
  }
  return policy;
}

/// The envelope of a deterministic policy given as one pair per state.
Policy deterministic_envelope(const SearchGraph& graph, StateId start,
                              const std::vector<PairId>& pair_of_state);

}  // namespace carl::ssp

#endif
