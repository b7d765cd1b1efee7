// Fits the deletes of conditional effects to variables. A variable has one value after the action,
// so a delete
//
//  - is not needed where the action gives the variable a value in any case: a vehicle that arrives
//    somewhere need not ask where it was;
//  - must ask first if it is not known that the atom holds: else it would take away another value.
//    It becomes a conditional effect of its own.
#ifndef CARL_TASK_FIT_CONDITIONALS_H
#define CARL_TASK_FIT_CONDITIONALS_H

#include <vector>

#include "task/plain_task.h"

namespace carl::task {

/// The first of these for atoms by themselves: removes deletes of what is added in any case.
void remove_overruled_deletes(PlainAction& action);

/// Both. `variables` are the atoms of each; `num_atoms` is how many atoms there are in all.
void fit_conditionals(PlainTask& plain, const std::vector<std::vector<AtomId>>& variables,
                      std::size_t num_atoms);

}  // namespace carl::task

#endif
