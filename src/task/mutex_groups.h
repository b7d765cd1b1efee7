// Groups of atoms of which at most one holds in any reachable state.
#ifndef CARL_TASK_MUTEX_GROUPS_H
#define CARL_TASK_MUTEX_GROUPS_H

#include <cstdint>
#include <span>
#include <vector>

#include "task/formula.h"

namespace carl::task {

struct MutexGroup {
  std::vector<AtomId> atoms;  // sorted
  bool exactly_one = false;   // one of them holds in every reachable state
};

class MutexGroups {
 public:
  MutexGroups() = default;
  MutexGroups(std::vector<MutexGroup> groups, std::size_t num_atoms);

  const std::vector<MutexGroup>& groups() const { return groups_; }
  /// The numbers of the groups that the atom is in.
  std::span<const std::uint32_t> groups_of(AtomId atom) const {
    return std::span(members_).subspan(first_[atom.index()],
                                       first_[atom.index() + 1] - first_[atom.index()]);
  }

 private:
  std::vector<MutexGroup> groups_;
  std::vector<std::uint32_t> members_;
  std::vector<std::size_t> first_;  // by atom
};

}  // namespace carl::task

#endif
