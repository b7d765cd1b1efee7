// Removes what cannot matter: going backwards from the goal, an action matters if it can change an
// atom that matters, and then so do the atoms of its precondition, of the conditions of those
// changes, and of the conditions of its costs. What is left out is a projection that keeps every
// applicable action that matters, its cost and its effect on all atoms that matter; the actions
// removed only cost.
//
// This is done on atoms, before variables are made of them and before conditional effects are
// split, so that no action is ever split on a condition that does not matter.
#ifndef CARL_TASK_RELEVANCE_H
#define CARL_TASK_RELEVANCE_H

#include "carl/limits.h"
#include "task/ground_task.h"

namespace carl::task {

void remove_irrelevant(GroundTask& task, Limits& limits);

}  // namespace carl::task

#endif
