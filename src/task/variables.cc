#include "task/variables.h"

#include <absl/container/flat_hash_set.h>

#include <algorithm>

namespace carl::task {
namespace {

class VariableChooser {
 public:
  VariableChooser(const GroundTask& task, const PlainTask& plain, const MutexGroups& groups)
      : task_(task), plain_(plain), groups_(groups), covered_(task.atoms.size(), true) {
    for (const AtomId atom : task.fluents)
      covered_[atom.index()] = false;
  }

  std::vector<std::vector<AtomId>> run() {
    for (const PlainAction& action : plain_.actions)
      for (const PlainOutcome& outcome : action.outcomes)
        find_misfits(action, outcome);
    cover_greedily();
    for (const AtomId atom : task_.fluents)
      if (!covered_[atom.index()]) variables_.push_back({atom});
    std::sort(variables_.begin(), variables_.end());
    return std::move(variables_);
  }

 private:
  static std::uint64_t pair(std::uint32_t group, AtomId atom) {
    return static_cast<std::uint64_t>(group) << 32 | atom.index();
  }

  void find_misfits(const PlainAction& action, const PlainOutcome& outcome) {
    std::vector<std::uint32_t> overwritten;  // groups
    for (const AtomId atom : outcome.adds)
      overwritten.insert(overwritten.end(), groups_.groups_of(atom).begin(),
                         groups_.groups_of(atom).end());
    std::sort(overwritten.begin(), overwritten.end());
    for (const AtomId atom : outcome.deletes) {
      if (std::binary_search(action.precondition.begin(), action.precondition.end(),
                             Literal(atom, true)))
        continue;
      for (const std::uint32_t group : groups_.groups_of(atom))
        if (!std::binary_search(overwritten.begin(), overwritten.end(), group))
          misfits_.insert(pair(group, atom));
    }
  }

  std::vector<AtomId> usable_atoms(std::uint32_t group) const {
    std::vector<AtomId> atoms;
    for (const AtomId atom : groups_.groups()[group].atoms)
      if (!covered_[atom.index()] && !misfits_.contains(pair(group, atom))) atoms.push_back(atom);
    return atoms;
  }

  /// Groups wait in buckets by the size they had when last looked at, which only ever shrinks.
  void cover_greedily() {
    std::vector<std::vector<std::uint32_t>> buckets;
    const auto put = [&](std::uint32_t group, std::size_t size) {
      if (buckets.size() <= size) buckets.resize(size + 1);
      buckets[size].push_back(group);
    };
    for (std::uint32_t group = 0; group < groups_.groups().size(); ++group)
      put(group, groups_.groups()[group].atoms.size());
    for (std::size_t size = buckets.size(); size-- > 2;) {
      for (std::size_t i = 0; i < buckets[size].size(); ++i) {
        const std::uint32_t group = buckets[size][i];
        std::vector<AtomId> atoms = usable_atoms(group);
        if (atoms.size() < size) {
          put(group, atoms.size());
          continue;
        }
        for (const AtomId atom : atoms)
          covered_[atom.index()] = true;
        variables_.push_back(std::move(atoms));
      }
    }
  }

  const GroundTask& task_;
  const PlainTask& plain_;
  const MutexGroups& groups_;
  std::vector<bool> covered_;                   // or no atom of the task any more
  absl::flat_hash_set<std::uint64_t> misfits_;  // pairs of a group and an atom
  std::vector<std::vector<AtomId>> variables_;
};

}  // namespace

std::vector<std::vector<AtomId>> choose_variables(const GroundTask& task, const PlainTask& plain,
                                                  const MutexGroups& groups) {
  return VariableChooser(task, plain, groups).run();
}

}  // namespace carl::task
