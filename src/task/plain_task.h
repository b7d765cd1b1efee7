// The task over atoms with plain conjunctions as preconditions and effects that are multiplied out:
// each ground action is split into variants, one for every alternative of its precondition and for
// every way in which the conditions of its costs can turn out. Other conditional effects are kept.
#ifndef CARL_TASK_PLAIN_TASK_H
#define CARL_TASK_PLAIN_TASK_H

#include <cstdint>
#include <vector>

#include "carl/monitor.h"
#include "pddl/read.h"
#include "task/ground_task.h"
#include "task/mutex_groups.h"
#include "task/number_table.h"

namespace carl::task {

inline constexpr std::size_t max_variants = 4096;

struct PlainOutcome {
  NumberId probability;
  std::vector<AtomId> adds, deletes;        // sorted, disjoint, not known to change nothing
  std::vector<std::uint32_t> conditionals;  // sorted; of the action
};

/// As ConditionalEffect in task.h.
struct PlainConditional {
  std::uint32_t parent = ConditionalEffect::none;
  std::vector<Conjunction> condition;  // without what the precondition says
  std::vector<PlainOutcome> outcomes;
};

/// A part of an outcome that differs from others in cost.
struct PlainCostShare {
  std::uint32_t outcome = 0;  // of the action
  std::uint32_t cost = 0;     // index into PlainTask::outcome_cost_vectors
  NumberId probability;
};

struct PlainAction {
  std::uint32_t action = 0;  // index into GroundTask::actions
  std::uint32_t cost = 0;    // index into PlainTask::cost_vectors
  /// No literal is implied by the others and the mutex groups.
  Conjunction precondition;
  std::vector<PlainOutcome> outcomes;  // distinct; probabilities sum to 1
  std::vector<PlainConditional> conditionals;
  /// Sorted by outcome; empty unless outcomes differ in cost, or if there would be too many.
  std::vector<PlainCostShare> cost_shares;
  bool too_many_cost_shares = false;
};

/// Makes one of conditional effects that have the same condition and leave nothing to chance.
void join_conditionals(PlainAction& action);
/// Removes conditional effects that never happen or do nothing.
void remove_empty_conditionals(PlainAction& action);

struct PlainTask {
  std::vector<PlainAction> actions;
  std::vector<Conjunction> goal;
  NumberTable numbers;
  std::vector<std::vector<NumberId>> cost_vectors;          // distinct
  std::vector<std::vector<NumberId>> outcome_cost_vectors;  // distinct
};

/// Throws InputError if an action has too many variants or outcomes, or too long a condition.
PlainTask split_conditions(const GroundTask& task, const MutexGroups& groups,
                           const std::vector<pddl::SourceText>& sources, Monitor& monitor);

}  // namespace carl::task

#endif
