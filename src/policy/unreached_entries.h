// Entries of a policy that it never comes to. Where their states are reachable in some way, they are
// superfluous; otherwise there are no such states.
#ifndef CARL_POLICY_UNREACHED_ENTRIES_H
#define CARL_POLICY_UNREACHED_ENTRIES_H

#include <cstddef>
#include <string>
#include <vector>

#include "carl/check.h"
#include "carl/cssp.h"
#include "carl/monitor.h"

namespace carl::policy {

struct UnreachedEntries {
  std::vector<Finding> findings;
  std::size_t superfluous = 0;  // entries of states that exist
};

/// Looks for the states of these names among the first `max_states` from the initial state. Throws
/// LimitReached.
UnreachedEntries look_for(Cssp& cssp, const std::vector<std::string>& states,
                          std::size_t max_states, Monitor& monitor);

}  // namespace carl::policy

#endif
