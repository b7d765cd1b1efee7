// Policies of a parallel run as files: each rank writes the choices of its own states as a part, and
// finds those of its states in what any number of ranks, or none, have written.
#ifndef CARL_CLUSTER_POLICY_FILES_H
#define CARL_CLUSTER_POLICY_FILES_H

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "carl/cssp.h"
#include "carl/monitor.h"
#include "cluster/rows.h"

namespace carl::cluster {

/// Collective: the policy that takes these pairs, one for each own state, by an index at `path`.
/// Throws InputError, on all ranks, if any of them cannot write its part.
void write_pairs(const std::string& path, const Cssp& cssp, const Rows& rows,
                 std::span<const std::uint32_t> pairs, const Ranks& ranks);

/// Collective: the pairs of own states by the policy file, in parts or not, at `path`; where it says
/// nothing, those that are there already. Throws InputError, on all ranks, if any of them cannot
/// read it, or finds something in it that cannot be done.
void read_pairs(const std::string& path, const Cssp& cssp, const Rows& rows,
                std::vector<std::uint32_t>& pairs, const Ranks& ranks, Monitor& monitor);

}  // namespace carl::cluster

#endif
