// Policies of a parallel run that are read again, in what any number of ranks, or none, have written.
// A file names states, and no rank knows the names of all, nor where rows are by now. So there are
// offices: the hash of a name says which rank is told who owns the state of that name, and passes on
// what files say of it. Each rank reads some of the parts.
#ifndef CARL_CLUSTER_POLICY_FILES_H
#define CARL_CLUSTER_POLICY_FILES_H

#include <cstdint>
#include <string>
#include <vector>

#include "carl/monitor.h"
#include "cluster/homes.h"
#include "cluster/rows.h"

namespace carl::cluster {

/// Collective: the pairs of own states by the policy file, in parts or not, at `path`; where it says
/// nothing, those that are there already. Throws InputError, on all ranks, if any of them cannot
/// read it, or finds something in it that cannot be done; LimitReached.
void read_pairs(const std::string& path, const Homes& homes, const Rows& rows,
                std::vector<std::uint32_t>& pairs, const Ranks& ranks, Monitor& monitor);

}  // namespace carl::cluster

#endif
