#include "task/instantiate.h"

#include "task/clean_up.h"
#include "task/encode.h"
#include "task/exploration.h"
#include "task/ground_task.h"
#include "task/initial_draw.h"
#include "task/invariants.h"
#include "task/lifted.h"
#include "task/plain_task.h"
#include "task/relevance.h"
#include "task/unreachable_goal.h"
#include "task/variables.h"

namespace carl::task {
namespace {

/// Why the goal is never true although the exploration reaches it: it contradicts itself, or the
/// variants of actions that mutex groups leave do not reach it. What is cleaned up of a task that
/// has no solution is just what explains it, so that is looked for before.
Unreachability unreachable_by_mutexes(GroundTask grounded, const MutexGroups& groups,
                                      std::vector<AtomId> fluents,
                                      const std::vector<pddl::SourceText>& sources,
                                      Monitor& monitor) {
  if (grounded.goal.empty()) return {.facts = {}, .exclusive = {}, .contradiction = true};
  if (auto exclusive = exclusive_goal_facts(grounded, groups); !exclusive.empty())
    return {.facts = {}, .exclusive = std::move(exclusive), .contradiction = false};
  grounded.fluents = std::move(fluents);
  PlainTask plain = split_conditions(grounded, groups, sources, monitor);
  const auto variables = choose_variables(grounded, plain, groups);
  const Task whole = encode(grounded, std::move(plain), variables);
  return unreachable_goal(whole, whole.initial).value_or(Unreachability{});
}

}  // namespace

Task instantiate(const pddl::SyntaxTree& tree, const std::vector<pddl::SourceText>& sources,
                 Monitor& monitor) {
  if (tree.initial_draw) return instantiate(with_draw_as_action(tree), sources, monitor);
  const LiftedTask lifted = lift(tree);
  Exploration exploration = explore(lifted, sources, monitor);
  const std::optional<Unreachability> unreachable = unreachable_goal(exploration, monitor);
  GroundTask grounded = ground(std::move(exploration), sources, monitor);
  const MutexGroups groups = find_mutex_groups(grounded, monitor);
  remove_irrelevant(grounded, groups, monitor);
  PlainTask plain = split_conditions(grounded, groups, sources, monitor);
  std::vector<AtomId> fluents = grounded.fluents;
  grounded.fluents = clean_up(plain, grounded, groups, monitor);
  const auto variables = choose_variables(grounded, plain, groups);
  Task task = encode(grounded, std::move(plain), variables);
  if (unreachable)
    task.unreachable = *unreachable;
  else if (task.goal.empty())
    task.unreachable =
        unreachable_by_mutexes(std::move(grounded), groups, std::move(fluents), sources, monitor);
  return task;
}

}  // namespace carl::task
