// Compares the whole reachable transition system of a grounded task with the one that the naive
// interpreter finds: states as sets of the facts that the task keeps, action names, costs and
// probabilities.
#ifndef CARL_TESTS_TASK_COMPARE_H
#define CARL_TESTS_TASK_COMPARE_H

#include <cstddef>
#include <optional>
#include <string>

#include "model/task_model.h"
#include "pddl/syntax_tree.h"

namespace carl::testing {

struct TransitionSystemSize {
  std::size_t states = 0;  // distinct in the facts kept
  std::size_t pairs = 0;   // a state and an action that can leave it
};

/// Nothing if the interpreter finds more than `max_states` states. Differences are GoogleTest
/// failures that mention `what`.
std::optional<TransitionSystemSize> compare_with_reference(const pddl::SyntaxTree& tree,
                                                           TaskModel& model,
                                                           const std::string& what,
                                                           std::size_t max_states);

/// Checks what every task must satisfy: sorted, in range, exact probabilities that sum to one, …
void check_task(const task::Task& task, const std::string& what);

}  // namespace carl::testing

#endif
