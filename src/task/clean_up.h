// Once actions are split, it can turn out that an atom never changes after all (an add that always
// wins over a delete, variants and conditions that mutex groups exclude), or no longer matters. Both are removed,
// each in turn until nothing more changes.
#ifndef CARL_TASK_CLEAN_UP_H
#define CARL_TASK_CLEAN_UP_H

#include <vector>

#include "carl/monitor.h"
#include "task/ground_task.h"
#include "task/mutex_groups.h"
#include "task/plain_task.h"

namespace carl::task {

/// Simplifies `plain` and returns the atoms that are left, sorted.
std::vector<AtomId> clean_up(PlainTask& plain, const GroundTask& ground, const MutexGroups& groups,
                             Monitor& monitor);

}  // namespace carl::task

#endif
