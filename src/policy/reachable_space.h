// Everything that can be reached from the initial state, expanded by the checker itself, and W: the
// greatest set in which every state has a way to a goal along pairs whose outcomes all lie in the
// set; giving up, which has no outcomes, is as good as a goal. These are the states from which some
// policy reaches a goal with probability one, and no such policy ever uses a pair that may leave W.
#ifndef CARL_POLICY_REACHABLE_SPACE_H
#define CARL_POLICY_REACHABLE_SPACE_H

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "carl/cssp.h"
#include "carl/monitor.h"

namespace carl::policy {

class ReachableSpace {
 public:
  /// What to do with a state that is not a goal.
  enum class Treatment {
    expand,
    target,   // not expanded, and as good as a goal
    hopeless  // not expanded, and never in W
  };
  struct Rules {
    std::function<Treatment(StateId)> treatment;
    /// Pairs that count as not there.
    std::function<bool(ActionId)> forbidden;
  };

  /// Throws LimitReached.
  ReachableSpace(Cssp& cssp, const Rules& rules, Monitor& monitor);

  /// All that was discovered, the initial state first.
  const std::vector<StateId>& states() const { return states_; }
  bool is_proper(StateId s) const { return proper_[s.index()]; }
  /// The members of W that can be reached without leaving it and were expanded, the initial state
  /// first. Empty if that is not in W, or not expanded.
  const std::vector<StateId>& proper_states() const { return proper_states_; }
  /// The targets, other than goals, that can be reached so.
  const std::vector<StateId>& proper_targets() const { return proper_targets_; }

  /// The pairs of a state are those from first_pair(s) up to last_pair(s).
  std::size_t first_pair(StateId s) const { return first_pair_[s.index()]; }
  std::size_t last_pair(StateId s) const { return last_pair_[s.index()]; }
  ActionId action(std::size_t pair) const { return actions_[pair]; }
  std::span<const StateId> successors(std::size_t pair) const {
    return std::span(successors_).subspan(first_outcome_[pair], outcome_count(pair));
  }
  std::span<const double> probabilities(std::size_t pair) const {
    return std::span(probabilities_).subspan(first_outcome_[pair], outcome_count(pair));
  }
  /// All outcomes are in W.
  bool stays_proper(std::size_t pair) const;

 private:
  std::size_t outcome_count(std::size_t pair) const {
    return first_outcome_[pair + 1] - first_outcome_[pair];
  }
  void explore(const Rules& rules, Monitor& monitor);
  void add_pairs(StateId state, const Expansion& expansion, const Rules& rules);
  void discover(StateId state);
  void find_proper_states(Monitor& monitor);
  void index_predecessors();
  std::vector<bool> can_reach_target(Monitor& monitor) const;
  void forbid_entering(StateId state);
  void collect_proper_states(Monitor& monitor);

  Cssp& cssp_;
  std::vector<StateId> states_;
  std::vector<bool> discovered_;
  std::vector<bool> target_;
  std::vector<bool> expanded_;
  std::vector<std::size_t> first_pair_, last_pair_;  // by state
  std::vector<StateId> state_of_;                    // by pair, like the next
  std::vector<ActionId> actions_;
  std::vector<std::size_t> first_outcome_{0};
  std::vector<StateId> successors_;
  std::vector<double> probabilities_;
  std::vector<std::size_t> first_predecessor_;  // by state, with a sentinel
  std::vector<std::size_t> predecessors_;       // pairs
  std::vector<bool> allowed_;                   // by pair: its outcomes may all lie in W
  std::vector<std::size_t> num_allowed_;        // by state: pairs
  std::vector<bool> proper_;
  std::vector<StateId> proper_states_;
  std::vector<StateId> proper_targets_;
};

}  // namespace carl::policy

#endif
