// The delete relaxation of the all-outcomes determinisation: one operator per action and outcome,
// at the action's cost, whose effects only ever add facts. What h-max and LM-cut work on, in flat
// arrays.
//
// Of an action with conditional effects each outcome of each of them is an operator, too, which
// needs the conditions on the way. Several of these may happen by one use of the action, so they
// share its cost: whoever takes something off the cost of one must take it off the others. Those
// whose conditions exclude each other do not; see changes_by_context() (G. Röger, F. Pommerening
// and M. Helmert, "Optimal planning in the presence of conditional effects: Extending LM-cut with
// context splitting", ECAI 2014).
//
// Two reductions keep it small without changing any estimate: an outcome whose effects are a subset
// of another outcome's of the same action is never needed, and of operators that are alike in all
// but cost, and share it with no others, only the cheapest counts (which one that is depends on the
// costs, see set_costs).
#ifndef CARL_HEURISTICS_RELAXED_TASK_H
#define CARL_HEURISTICS_RELAXED_TASK_H

#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "task/task.h"

namespace carl::heuristics {

/// Ranges of numbers, one per item, in one array.
class Ranges {
 public:
  std::span<const std::uint32_t> operator[](std::size_t i) const {
    return std::span(items_).subspan(first_[i], first_[i + 1] - first_[i]);
  }
  std::size_t size() const { return first_.size() - 1; }
  void add(std::span<const std::uint32_t> items) {
    items_.insert(items_.end(), items.begin(), items.end());
    first_.push_back(static_cast<std::uint32_t>(items_.size()));
  }

 private:
  std::vector<std::uint32_t> first_{0};
  std::vector<std::uint32_t> items_;
};

struct RelaxedTask {
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// `allowed(a)`: actions that bounds of zero forbid are left out.
  RelaxedTask(const task::Task& task, const std::vector<bool>& allowed);

  /// Facts are numbered variable by variable; two more stand for "true" and "goal".
  std::uint32_t fact(std::size_t variable, std::uint32_t value) const {
    return first_fact[variable] + value;
  }
  std::uint32_t true_fact() const { return num_facts - 2; }
  std::uint32_t goal_fact() const { return num_facts - 1; }
  std::size_t num_operators() const { return preconditions.size(); }

  std::uint32_t num_facts = 0;
  std::vector<std::uint32_t> first_fact;
  Ranges preconditions;  // operator -> facts, never empty
  Ranges effects;        // operator -> facts
  Ranges needed_by;      // fact -> operators with that precondition
  Ranges achieved_by;    // fact -> operators with that effect
  Ranges actions;        // operator -> actions it stands for; none: the goal, which is free
  Ranges sharing;        // group of changes of an action with conditional effects -> operators
  std::vector<std::uint32_t> shares_with;  // operator -> item of `sharing`, or `none`
  std::vector<std::uint32_t> first_group;  // action -> item of `sharing`, if it has any

 private:
  std::vector<std::uint32_t> facts_of(std::span<const task::Fact> condition) const;
  void add_operators_that_share(const task::Task& task, const std::vector<bool>& allowed);
  /// Each has a condition and what it adds.
  void add_operators_that_share(
      std::uint32_t action,
      const std::set<std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>>& operators);
};

/// Cost and cheapest action of every operator for given action costs.
struct OperatorCosts {
  void set(const RelaxedTask& task, std::span<const double> action_costs);

  std::vector<double> cost;
  std::vector<std::uint32_t> action;
};

}  // namespace carl::heuristics

#endif
