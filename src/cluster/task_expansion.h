// A factored problem expanded by all ranks. Each state belongs to the rank that its hash names, which
// stores and expands it. Ranks expand batches of states; successors that belong to others are sent
// there as they are, packed, and come back as ids.
#ifndef CARL_CLUSTER_TASK_EXPANSION_H
#define CARL_CLUSTER_TASK_EXPANSION_H

#include "carl/cssp.h"
#include "cluster/prepared_rows.h"
#include "cluster/ranks.h"
#include "cluster/watch.h"

namespace carl::cluster {

/// True if it is a factored problem as it is, without wrappers.
bool can_expand_by_owners(const Cssp& cssp);
/// Throws LimitReached and InputError, on all ranks.
ProblemRows expand_by_owners(Cssp& cssp, const Ranks& ranks, Watch& watch);

}  // namespace carl::cluster

#endif
