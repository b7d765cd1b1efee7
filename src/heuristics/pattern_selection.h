// Which variables make a good pattern, found by counterexamples: the policy that is optimal in a
// projection is tried out in the task, and where it fails (an action needs something that the
// projection does not know of, or a goal is none) the variables that make it fail are candidates for
// joining the pattern. The one joins that raises the estimates most: that of the initial state, and
// with less weight those of states on random walks, since the first alone often does not rise before
// two variables have joined. A policy that never fails is optimal in the task, as far as runs
// can tell.
//
// The work is counted, never timed, and random numbers begin the same each time: the same problem
// gives the same pattern.
//
// A. Rovner, S. Sievers and M. Helmert, "Counterexample-guided abstraction refinement for pattern
// selection in optimal classical planning", International Conference on Automated Planning and
// Scheduling (ICAPS), 2019: for plans; here policies are run.
#ifndef CARL_HEURISTICS_PATTERN_SELECTION_H
#define CARL_HEURISTICS_PATTERN_SELECTION_H

#include <memory>
#include <span>

#include "heuristics/pattern_database.h"
#include "heuristics/task_heuristics.h"

namespace carl::heuristics {

struct SelectionLimits {
  DatabaseSize size{100'000, 30'000'000};
  /// All databases that are tried together, see PatternDatabase::work(). About 10^8 take a second.
  std::size_t work = 100'000'000;
};

struct SelectedPattern {
  std::unique_ptr<PatternDatabase> database;  // null if the goal is always true or never
  /// No run of its policy failed.
  bool is_carried_out = false;
  std::size_t work = 0;
};

/// A pattern for these weights of the costs; its database has them.
SelectedPattern select_pattern(const TaskContext& context, std::span<const double> weights,
                               const SelectionLimits& limits);

}  // namespace carl::heuristics

#endif
