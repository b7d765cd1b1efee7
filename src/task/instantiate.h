// The interface of this room: a checked syntax tree in, a grounded finite-domain task out.
#ifndef CARL_TASK_INSTANTIATE_H
#define CARL_TASK_INSTANTIATE_H

#include "carl/monitor.h"
#include "pddl/read.h"
#include "pddl/syntax_tree.h"
#include "task/task.h"

namespace carl::task {

/// `sources` are the texts that `tree` was read from, for errors. Throws InputError; polls
/// `limits`.
Task instantiate(const pddl::SyntaxTree& tree, const std::vector<pddl::SourceText>& sources,
                 Monitor& monitor);

}  // namespace carl::task

#endif
