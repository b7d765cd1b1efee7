// The smallest proof that something can never become true. A set of literals is one if none of them
// holds now and everything that makes one of them true needs another one. Looking for the smallest
// is a hitting-set problem, so it is a branch and bound with a limit on its work: the first
// proof found prefers literals with few achievers, and what follows only makes it smaller.
#ifndef CARL_TASK_SMALLEST_UNREACHABLE_SET_H
#define CARL_TASK_SMALLEST_UNREACHABLE_SET_H

#include <functional>
#include <vector>

#include "task/formula.h"

namespace carl::task {

/// What must hold for some action to make a literal true, one formula per action. Only literals
/// that are out of reach occur in them: what can be reached counts as true. References stay valid.
using ConditionsOf = std::function<const std::vector<Formula>&(Literal)>;

/// True if the formula cannot hold as long as no literal of the set does.
bool is_blocked(const Formula& formula, const std::vector<bool>& in_set);

/// The literals of a proof that `condition` never holds, in the order in which they explain each
/// other. Empty if no proof of reasonable size was found, or if the condition is false by itself.
std::vector<Literal> smallest_unreachable_set(const Formula& condition,
                                              const ConditionsOf& conditions_of);

}  // namespace carl::task

#endif
