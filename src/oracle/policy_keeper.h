// Policies that outlive their oracle: written to files, and read by another oracle of the same
// problem, which may number states in another way or be spread over other machines.
#ifndef CARL_ORACLE_POLICY_KEEPER_H
#define CARL_ORACLE_POLICY_KEEPER_H

#include <string>

#include "oracle/oracle.h"

namespace carl::oracle {

class PolicyKeeper {
 public:
  virtual ~PolicyKeeper() = default;

  /// Writes a policy of the oracle as a policy file, or in parts with an index. Throws InputError if
  /// that cannot be done, and then leaves what was there or nothing.
  virtual void save(PolicyHandle policy, const std::string& path) = 0;
  /// The policy of such a file, whoever wrote it, becomes one of the oracle, with exact costs of its
  /// own. The next search may take it for what was found last. Throws InputError if it is no proper
  /// policy of the problem; LimitReached.
  virtual PolicyHandle restore(const std::string& path) = 0;
};

}  // namespace carl::oracle

#endif
