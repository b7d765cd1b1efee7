// A problem whose states are packed words (a PPDDL task, a PRISM program) expanded by all ranks. Each
// state belongs to the rank that its hash names, which stores and expands it. Ranks expand batches of
// states; successors that belong to others are sent there as they are and come back as ids. Actions
// that are found on the way have the same ids on all ranks.
#ifndef CARL_CLUSTER_OWNER_EXPANSION_H
#define CARL_CLUSTER_OWNER_EXPANSION_H

#include "carl/cssp.h"
#include "cluster/prepared_rows.h"
#include "cluster/ranks.h"
#include "cluster/watch.h"

namespace carl::cluster {

/// True for models that several threads could expand (model/concurrent_model.h), which takes packed
/// states, too.
bool can_expand_by_owners(const Cssp& cssp);
/// Throws LimitReached and InputError, on all ranks.
ProblemRows expand_by_owners(Cssp& cssp, const Ranks& ranks, Watch& watch);

}  // namespace carl::cluster

#endif
