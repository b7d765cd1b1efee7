// Writes the plain task in terms of variables.
//
// A negative literal becomes a positive one where it can: "none of those" or the one value that is
// left. Where several values are left its atom gets a shadow variable {atom, none} that is set
// along with the atom's own, so that a condition stays a conjunction.
#ifndef CARL_TASK_ENCODE_H
#define CARL_TASK_ENCODE_H

#include <vector>

#include "task/ground_task.h"
#include "task/plain_task.h"
#include "task/task.h"

namespace carl::task {

Task encode(const GroundTask& ground, PlainTask plain,
            const std::vector<std::vector<AtomId>>& variables);

}  // namespace carl::task

#endif
