// A policy file names states and actions; here they become those of a problem. A factored state has
// an id only once it has been discovered, so the problem is walked from its initial state as the
// policy says, and states are matched by name as they are reached. From here on a policy is ids.
#ifndef CARL_POLICY_RESOLVE_POLICY_H
#define CARL_POLICY_RESOLVE_POLICY_H

#include <cstddef>
#include <string>
#include <vector>

#include "carl/check.h"
#include "carl/cssp.h"
#include "carl/monitor.h"
#include "carl/policy.h"
#include "carl/policy_file.h"

namespace carl::policy {

/// How far a problem is walked to find the states that a file names.
enum class Reach {
  policy,  // as the policy says
  all      // by all actions that no bound of zero forbids
};

struct ResolvedPolicy {
  /// The states that are reached, breadth first, with the choices that the file lists. A name that
  /// is no action of its state has become an invalid id, for which there is a finding.
  Policy policy;
  std::vector<std::size_t> entry_of;  // the file's entry of each of them
  /// What the file says that no policy in memory can: costs, states and actions by wrong names,
  /// and what is wrong with entries that are not reached.
  std::vector<Finding> findings;
  std::vector<std::string> costs;      // of the file
  std::size_t listed = 0;              // entries of the file
  std::vector<std::string> unreached;  // states of entries that the policy never comes to
};

/// Throws LimitReached.
ResolvedPolicy resolve(Cssp& cssp, const PolicyFile& file, Monitor& monitor,
                       Reach reach = Reach::policy);

}  // namespace carl::policy

#endif
