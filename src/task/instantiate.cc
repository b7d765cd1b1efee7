#include "task/instantiate.h"

#include "task/clean_up.h"
#include "task/encode.h"
#include "task/exploration.h"
#include "task/ground_task.h"
#include "task/invariants.h"
#include "task/lifted.h"
#include "task/plain_task.h"
#include "task/relevance.h"
#include "task/variables.h"

namespace carl::task {

Task instantiate(const pddl::SyntaxTree& tree, const std::vector<pddl::SourceText>& sources,
                 Limits& limits) {
  const LiftedTask lifted = lift(tree);
  GroundTask grounded = ground(explore(lifted, sources, limits), sources, limits);
  const MutexGroups groups = find_mutex_groups(grounded, limits);
  remove_irrelevant(grounded, groups, limits);
  PlainTask plain = split_conditions(grounded, groups, sources, limits);
  grounded.fluents = clean_up(plain, grounded, groups, limits);
  const auto variables = choose_variables(grounded, plain, groups);
  return encode(grounded, std::move(plain), variables);
}

}  // namespace carl::task
