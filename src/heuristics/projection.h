// A task projected onto some of its variables, its pattern: again a task, so that whatever knows
// how to expand a task expands its abstractions. Conditions and effects on other variables are
// dropped, and so is what can no longer be told apart: outcomes with the same effects are merged,
// an action that changes nothing is left out, and of actions that need and do the same only those
// remain that no other one undercuts in all costs.
//
// Every policy of the task is one of its projection at the same expected costs: whatever is optimal
// there is a lower bound here. Costs are those of the problem, in its units, and what bounds of zero
// forbid is left out.
//
// A conditional effect whose condition the pattern decides stays one. Of others only a part of the
// condition is known: where that holds the effect may happen or not, so there are two actions, of
// which the planner may choose; several such effects multiply, as far as what they need beyond the
// pattern can be true at once.
#ifndef CARL_HEURISTICS_PROJECTION_H
#define CARL_HEURISTICS_PROJECTION_H

#include <cstdint>
#include <vector>

#include "carl/cssp.h"
#include "heuristics/relaxed_task.h"
#include "task/task.h"

namespace carl::heuristics {

/// Variables of a task, in increasing order.
using Pattern = std::vector<std::uint32_t>;

struct Projection {
  /// Without a goal: where a projection has reached its goal the task may have more to do, and from
  /// there get to what cannot be reached in any other way.
  task::Task task;
  std::vector<std::vector<task::Fact>> goal;
  Ranges originals;          // projected action -> actions of the task that look like it
  std::size_t num_seen = 0;  // actions of the task that had to be looked at
  /// So much of the conditions is unknown that an action would fall apart into very many: then
  /// there are no actions.
  bool is_too_coarse = false;
};

/// Makes projections of one task. Knows which actions change a variable, so that a small pattern
/// takes little time however large the task is.
class Projector {
 public:
  /// The task and the problem stay where they are. `allowed(a)`: actions that bounds of zero forbid
  /// are left out.
  Projector(const task::Task& task, const Cssp& cssp, const std::vector<bool>& allowed);

  Projection project(const Pattern& pattern) const;

 private:
  const task::Task& task_;
  const Cssp& cssp_;
  std::vector<std::vector<std::uint32_t>> changed_by_;  // variable -> actions
};

}  // namespace carl::heuristics

#endif
