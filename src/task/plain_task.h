// The task over atoms without conditional effects and with plain conjunctions as preconditions:
// each ground action is split into variants, one for every way in which the conditions that matter
// to it can turn out.
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
inline constexpr std::size_t max_outcomes = 65'536;

struct PlainOutcome {
  NumberId probability;
  std::vector<AtomId> adds, deletes;  // sorted, disjoint, not known to change nothing
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
  /// Sorted by outcome; empty unless outcomes differ in cost, or if there would be too many.
  std::vector<PlainCostShare> cost_shares;
  bool too_many_cost_shares = false;
};

struct PlainTask {
  std::vector<PlainAction> actions;
  std::vector<Conjunction> goal;
  NumberTable numbers;
  std::vector<std::vector<NumberId>> cost_vectors;          // distinct
  std::vector<std::vector<NumberId>> outcome_cost_vectors;  // distinct
};

/// Throws InputError if an action has too many variants or outcomes.
PlainTask split_conditions(const GroundTask& task, const MutexGroups& groups,
                           const std::vector<pddl::SourceText>& sources, Monitor& monitor);

}  // namespace carl::task

#endif
