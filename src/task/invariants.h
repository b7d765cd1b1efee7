// Finds groups of atoms of which at most one can be true at a time, to make multi-valued variables
// of them. Follows the synthesis of monotonicity invariants in M. Helmert, "Concise finite-domain
// representations for PDDL planning tasks" (Artificial Intelligence 173, 2009): start from simple
// candidates, look for an action that makes more atoms of the candidate true, and repair the
// candidate by adding a predicate that this action deletes.
//
// Unlike there, candidates are checked against ground actions, instance by instance. That costs
// more but is simple, exact about parameters that may be the same object, and keeps the instances
// that are invariants even if others of the same shape are not.
#ifndef CARL_TASK_INVARIANTS_H
#define CARL_TASK_INVARIANTS_H

#include "carl/monitor.h"
#include "task/ground_task.h"
#include "task/mutex_groups.h"

namespace carl::task {

/// Groups of two or more of the task's fluents, none contained in another.
MutexGroups find_mutex_groups(const GroundTask& task, Monitor& monitor);

}  // namespace carl::task

#endif
