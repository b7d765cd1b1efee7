// Steps that must be made on the way to the goal although something may be lost for ever by them. In
// the exploding blocks world a block that is in the way must be put down somewhere before the one
// below it can be picked up; where it is put down on another block, that may be destroyed, and as
// long as the other block must still be moved or built on, no goal is reached any more.
//
// What is known of actions, whatever the state:
//
//  - Ways to let go of a fact: the actions that make it false.
//  - Orders of goals: if every action that achieves g needs something that excludes g', then while g
//    is false, g' must be achieved once more, after g.
//  - Fatal outcomes: if an outcome takes a fact away that no action brings back, and a goal that must
//    be achieved (once more) cannot be without, no goal state is reached any more.
//
// Landmarks puts them together for a state.
#ifndef CARL_HEURISTICS_RISKY_STEPS_H
#define CARL_HEURISTICS_RISKY_STEPS_H

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "heuristics/mutexes.h"

namespace carl::heuristics {

class RiskySteps {
 public:
  /// A set of goals: bit i stands for the i-th fact of the goal.
  using Goals = std::uint64_t;

  /// An action that makes a fact false.
  struct Way {
    std::uint32_t action;
    /// Facts that it needs, and for which another way must have been taken if they are false now.
    std::vector<std::uint32_t> only_later;
  };

  RiskySteps() = default;
  /// `shared`: for every fact, what all allowed actions need that achieve it.
  RiskySteps(const task::Task& task, const std::vector<bool>& allowed, const RelaxedTask& relaxed,
             const Ranges& shared);

  /// False if there is nothing to be found: no outcome is fatal, or it is not known.
  bool any() const { return mutexes_.has_value(); }

  bool exclude(std::uint32_t fact, std::uint32_t other) const {
    return mutexes_->exclude(fact, other);
  }
  /// None for facts that can be let go without a risk.
  std::span<const Way> ways(std::uint32_t fact) const { return ways_[fact]; }
  /// The facts that the action adds in all outcomes in which it adds `fact`, if there is a risk in
  /// letting them go.
  std::vector<std::uint32_t> added_along(std::uint32_t action, std::uint32_t fact) const;
  /// Which goals must be achieved from now on if this fact of the goal is false: itself, and those
  /// that must come after it.
  Goals from(std::uint32_t goal) const { return from_[goal]; }
  /// The probability that no goal state is reached any more after an action in a state in which
  /// these goals must be achieved yet, each of them after the action.
  double risk(std::uint32_t action, Goals goals) const;
  std::span<const std::uint32_t> needs(std::uint32_t action) const { return needs_[action]; }

 private:
  struct Effect {
    double probability;
    std::vector<std::uint32_t> facts;
  };
  struct FatalOutcome {
    double probability;
    Goals goals;  // that cannot be achieved any more
    bool always;  // whatever else must be achieved
  };
  /// A fact that nobody brings back and that a goal needs, if `unless` is false.
  struct Need {
    std::uint32_t fact;
    std::uint32_t unless;
  };
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  void learn_actions(const task::Task& task, const std::vector<bool>& allowed,
                     const RelaxedTask& relaxed);
  std::vector<bool> lost_by_chance() const;
  bool chance_takes_for_ever() const;
  std::vector<std::uint32_t> lets_go(std::uint32_t action) const;
  bool all_are_risky(std::uint32_t fact, const std::vector<bool>& lost);
  void order_goals();
  void find_needs(const Ranges& shared);
  void find_fatal_outcomes();
  bool comes_true_by_letting_go(std::uint32_t fact, std::uint32_t other) const;
  void find_ways();
  bool makes_false(const Effect& effect, std::uint32_t fact) const;
  bool excludes_any(std::span<const std::uint32_t> facts, std::uint32_t fact) const;
  bool adds(std::uint32_t action, std::uint32_t fact) const;
  bool never_holds_after(std::uint32_t action, const Effect& effect, std::uint32_t fact) const;

  std::vector<std::uint32_t> variable_;                // per fact
  std::vector<std::uint32_t> first_fact_;              // per variable, and the end
  std::vector<bool> allowed_;                          // per action
  std::vector<std::vector<std::uint32_t>> needs_;      // per action: facts
  std::vector<std::vector<Effect>> effects_;           // per action
  std::vector<std::vector<std::uint32_t>> achievers_;  // per fact: actions
  std::vector<std::uint32_t> goals_;                   // facts
  std::optional<Mutexes> mutexes_;
  std::vector<Goals> from_;                       // per fact
  std::vector<std::vector<Need>> needs_of_goal_;  // per goal
  std::vector<std::vector<FatalOutcome>> fatal_;  // per action
  std::vector<std::vector<Way>> ways_;            // per fact
};

}  // namespace carl::heuristics

#endif
