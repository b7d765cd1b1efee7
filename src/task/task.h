// The grounded finite-domain task: variables with finitely many values, probabilistic actions over
// them, one cost vector per action.
//
// Conditional effects stay what they are, since writing them out as actions with more preconditions
// takes two to the power of their number: which of them happen is found out in a state.
#ifndef CARL_TASK_TASK_H
#define CARL_TASK_TASK_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "carl/ids.h"
#include "carl/model.h"
#include "carl/reason.h"
#include "util/rational.h"

namespace carl::task {

using VariableId = Id<struct VariableTag>;

struct Fact {
  VariableId variable;
  std::uint32_t value = 0;
  friend auto operator<=>(const Fact&, const Fact&) = default;
};

/// The values of a variable are facts of the problem text, of which at most one holds in any
/// reachable state; an empty text stands for "none of those". A shadow variable repeats one fact of
/// another variable, because its absence is a condition somewhere; it is not part of a state's
/// text.
struct Variable {
  std::vector<std::string> values;
  bool shadow = false;
};

/// An action may not have more in any state.
inline constexpr std::size_t max_outcomes = 65'536;

/// Indices into Task::numbers.
using NumberId = Id<struct NumberTag>;

struct Outcome {
  double probability = 1;
  NumberId exact_probability;
  std::vector<Fact> effects;  // sorted by variable
  /// What happens besides, each if its own condition holds: indices into Action::conditionals,
  /// sorted.
  std::vector<std::uint32_t> conditionals{};
};

/// If the condition holds before the action, one of the outcomes happens, by a chance of its own.
struct ConditionalEffect {
  static constexpr std::uint32_t none = UINT32_MAX;

  /// Of those whose outcomes have it; `none`: it is in outcomes of the action.
  std::uint32_t parent = none;
  /// A disjunction of conjunctions, each sorted by variable. {{}} always holds.
  std::vector<std::vector<Fact>> condition;
  std::vector<Outcome> outcomes;  // distinct, probabilities sum to 1
};

/// One ground action, or one variant of it: disjunctive preconditions, and conditions on which
/// costs depend, are compiled away into variants with the same label. Variants split on conditions
/// exclude each other; variants of a disjunctive precondition may overlap but then do the same.
///
/// What happens happens at once. In a reachable state no two parts of an effect give a variable
/// different facts; where one gives it a fact and another "none of those", the fact wins.
struct Action {
  std::uint32_t label = 0;                        // index into Task::labels
  std::uint32_t cost = 0;                         // index into Task::cost_vectors
  std::vector<Fact> precondition;                 // sorted by variable
  std::vector<Outcome> outcomes;                  // distinct, probabilities sum to 1
  std::vector<ConditionalEffect> conditionals{};  // parents before their children
};

/// A part of an outcome that differs from others in cost: planning sees outcomes as a whole, at the
/// expected cost of the action, executions see these.
struct CostShare {
  std::uint32_t action = 0;
  std::uint32_t outcome = 0;  // of the action
  std::uint32_t cost = 0;     // index into Task::outcome_cost_vectors
  NumberId exact_probability;
  double probability = 0;
};

struct Task {
  std::vector<Variable> variables;
  std::vector<std::string> labels;  // "(move a b)"
  std::vector<Action> actions;
  std::vector<std::vector<double>> cost_vectors;
  std::vector<std::vector<NumberId>> exact_cost_vectors;  // parallel to cost_vectors
  /// Sorted by action and outcome, with all outcomes of the actions whose outcomes differ in cost.
  std::vector<CostShare> cost_shares;
  /// Actions that would have too many of them, sorted.
  std::vector<std::uint32_t> too_many_cost_shares;
  std::vector<std::vector<double>> outcome_cost_vectors;
  std::vector<std::vector<NumberId>> exact_outcome_cost_vectors;  // parallel
  std::vector<Rational> numbers;                                  // distinct numbers, exact
  std::vector<std::uint32_t> initial;                             // value of each variable
  /// The action that draws the first state of an initial distribution. It is the only one that
  /// can be applied in `initial`, and can be applied nowhere else.
  std::optional<std::uint32_t> initial_draw;
  /// A disjunction of conjunctions, each sorted by variable. {{}} is always true, {} never.
  std::vector<std::vector<Fact>> goal;
  /// Why the goal is never true, if grounding has found out that it is not.
  Unreachability unreachable;
  CostModel costs;
  std::vector<std::string> notes;
  std::vector<std::string> warnings;
};

}  // namespace carl::task

#endif
