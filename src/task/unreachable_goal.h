// Why a goal is out of reach, for people. Two views of the same question:
//
//  - of the problem text, where the relaxed exploration found that the goal can never hold. What it
//    never reached leaves no trace in the ground task, so the reason is looked for here, among the
//    schemas that would add what is missing;
//  - of a grounded task and one of its states, by the delete relaxation from that state.
#ifndef CARL_TASK_UNREACHABLE_GOAL_H
#define CARL_TASK_UNREACHABLE_GOAL_H

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "carl/monitor.h"
#include "carl/reason.h"
#include "task/exploration.h"
#include "task/ground_task.h"
#include "task/mutex_groups.h"
#include "task/task.h"

namespace carl::task {

/// What the goal asks for and mutex groups rule out, if they do: two facts where that is enough.
std::vector<std::string> exclusive_goal_facts(const GroundTask& task, const MutexGroups& groups);

/// Nothing if the exploration reaches the goal. May be empty, if there is nothing short to say.
std::optional<Unreachability> unreachable_goal(Exploration& exploration, Monitor& monitor);

/// The same for a state, given by the value of each variable.
std::optional<Unreachability> unreachable_goal(const Task& task,
                                               std::span<const std::uint32_t> state);

}  // namespace carl::task

#endif
