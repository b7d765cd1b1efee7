// Random factored tasks, small enough to be solved exactly and large enough to make heuristics and
// searches work: a few variables, actions with chance effects, dead ends, cycles, actions that do
// nothing, zero secondary costs, now and then a disjunctive goal.
#ifndef CARL_TESTS_SUPPORT_RANDOM_TASK_H
#define CARL_TESTS_SUPPORT_RANDOM_TASK_H

#include <cstdint>
#include <memory>
#include <string>

#include "model/task_model.h"

namespace carl::testing {

/// The same seed gives the same task on every machine. Primary costs are positive. Without bounds;
/// about half have penalties for giving up.
std::shared_ptr<TaskModel> random_task(std::uint64_t seed);

/// The same with conditional effects in most actions: nested, with chances of their own, excluding
/// each other and not, and with variables that may have none of their values.
std::shared_ptr<TaskModel> random_conditional_task(std::uint64_t seed);

/// A task as PPDDL, domain and problem in one text. Its facts must be "(predicate constant)", and it has no
/// conditional effects.
std::string ppddl_text(const task::Task& task);

/// A random task as PPDDL with an initial distribution over a few states, in one choice, in one for
/// each variable, or nested.
std::string random_drawn_start(std::uint64_t seed);
/// Every third with an initial distribution.
std::shared_ptr<TaskModel> random_task_or_draw(std::uint64_t seed);

}  // namespace carl::testing

#endif
