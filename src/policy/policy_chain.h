// The Markov chain that a policy makes of a model: the states reached from the start, what is done
// there and what comes of it, in flat arrays. It is built by walking the policy over
// Cssp::expand(); whatever does not fit is a finding, and the walk goes on with the rest. Checks,
// simulations, reports and certificates all start from it.
#ifndef CARL_POLICY_POLICY_CHAIN_H
#define CARL_POLICY_POLICY_CHAIN_H

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "carl/check.h"
#include "carl/cssp.h"
#include "carl/monitor.h"
#include "carl/policy.h"

namespace carl::policy {

/// Nodes are the states that are no goals, in breadth-first order; the start, if it is no goal, is
/// node 0.
class PolicyChain {
 public:
  /// Where a transition leads that leads to no node.
  static constexpr std::uint32_t goal = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::uint32_t unlisted = goal - 1;

  struct Transition {
    double probability = 0;  // above zero
    std::uint32_t to = goal;
    StateId state;  // the same, as the Cssp knows it
  };

  std::size_t size() const { return states_.size(); }
  StateId state(std::size_t node) const { return states_[node]; }
  /// The position in the policy.
  std::size_t entry(std::size_t node) const { return entries_[node]; }

  /// Choices of a node are a range of all choices, those of probability zero left out.
  std::size_t first_choice(std::size_t node) const { return first_choice_[node]; }
  std::size_t num_choices() const { return actions_.size(); }
  ActionId action(std::size_t choice) const { return actions_[choice]; }
  /// Scaled to sum to one.
  double probability(std::size_t choice) const { return probabilities_[choice]; }
  std::span<const double> cost(std::size_t choice) const {
    return std::span(costs_).subspan(choice * num_costs_, num_costs_);
  }
  std::span<const Transition> transitions(std::size_t choice) const {
    return std::span(transitions_)
        .subspan(first_transition_[choice],
                 first_transition_[choice + 1] - first_transition_[choice]);
  }
  /// All transitions of a node's choices; they are counted over all choices, like choices are.
  std::span<const Transition> all_transitions(std::size_t node) const {
    const std::size_t first = first_transition_[first_choice_[node]];
    return std::span(transitions_)
        .subspan(first, first_transition_[first_choice_[node + 1]] - first);
  }
  std::size_t num_costs() const { return num_costs_; }

  /// False of the choice that draws the initial state.
  bool is_step(std::size_t choice) const { return choice != draw_; }
  /// How many of the expected visits are no steps.
  double visits_without_step() const { return draw_ < num_choices() ? probability(draw_) : 0; }

  /// Calls visit(to, probability) for what can happen next in a node, choice by choice.
  template <class Visit>
  void for_each_step(std::size_t node, Visit visit) const {
    for (std::size_t c = first_choice_[node]; c < first_choice_[node + 1]; ++c)
      for (const Transition& t : transitions(c))
        visit(t.to, probabilities_[c] * t.probability);
  }

 private:
  friend class PolicyWalk;

  std::size_t num_costs_ = 0;
  std::size_t draw_ = std::numeric_limits<std::size_t>::max();  // a choice of node 0
  std::vector<StateId> states_;
  std::vector<std::size_t> entries_;
  std::vector<std::size_t> first_choice_{0};
  std::vector<ActionId> actions_;
  std::vector<double> probabilities_;
  std::vector<double> costs_;
  std::vector<std::size_t> first_transition_{0};
  std::vector<Transition> transitions_;
};

struct WalkedPolicy {
  PolicyChain chain;
  std::vector<Finding> findings;  // by kind
  std::vector<bool> reached;      // by entry of the policy; true of what is listed twice, too

  /// False if something is wrong, so that the chain has gaps. (What a file calls the costs is no
  /// gap.)
  bool sound() const;
};

/// Where walks begin: executions do at the initial state. From all states that are listed the chain
/// has a node for each entry, the initial state's first.
enum class Starts { initial_state, all_entries };

/// Walks the policy and judges all but its costs and claims: states, actions, distributions,
/// closed, proper. Entries that are not reached are judged by themselves. `when_resolved` are the
/// findings of resolve() if the policy comes from a file. Throws LimitReached.
WalkedPolicy walk(Cssp& cssp, const Policy& policy, std::vector<Finding> when_resolved,
                  Monitor& monitor, Starts starts = Starts::initial_state);

}  // namespace carl::policy

#endif
