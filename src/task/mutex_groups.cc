#include "task/mutex_groups.h"

namespace carl::task {

MutexGroups::MutexGroups(std::vector<MutexGroup> groups, std::size_t num_atoms)
    : groups_(std::move(groups)), first_(num_atoms + 1, 0) {
  for (const MutexGroup& group : groups_)
    for (const AtomId atom : group.atoms)
      ++first_[atom.index() + 1];
  for (std::size_t i = 0; i < num_atoms; ++i)
    first_[i + 1] += first_[i];
  members_.resize(first_[num_atoms]);
  std::vector<std::size_t> next = first_;
  for (std::uint32_t g = 0; g < groups_.size(); ++g)
    for (const AtomId atom : groups_[g].atoms)
      members_[next[atom.index()]++] = g;
}

}  // namespace carl::task
