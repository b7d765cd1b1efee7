// Chooses which mutex groups become variables, greedily by the number of atoms they cover that no
// variable has yet, as in Helmert (2009, see invariants.h). Atoms that fit nowhere get a variable
// of their own.
//
// An atom that some outcome deletes without it being known whether it was true cannot be a value of
// a variable with more than two values: the outcome would change the variable in some states and
// not in others. Unless the same outcome adds an atom of the group: then the variable's new value
// is known anyway.
#ifndef CARL_TASK_VARIABLES_H
#define CARL_TASK_VARIABLES_H

#include <vector>

#include "task/ground_task.h"
#include "task/mutex_groups.h"
#include "task/plain_task.h"

namespace carl::task {

/// A partition of the task's fluents, each part sorted; at most one atom of a part is ever true.
std::vector<std::vector<AtomId>> choose_variables(const GroundTask& task, const PlainTask& plain,
                                                  const MutexGroups& groups);

}  // namespace carl::task

#endif
