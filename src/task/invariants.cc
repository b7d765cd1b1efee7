#include "task/invariants.h"

#include <algorithm>
#include <deque>
#include <set>

#include "task/effect_index.h"
#include "task/invariant_candidate.h"
#include "task/invariant_check.h"

namespace carl::task {
namespace {

// Enough for every published domain we know by a factor of ten; beyond, variables stay two-valued.
constexpr std::size_t max_candidates = 1000;
constexpr std::size_t max_work = 200'000'000;

class Synthesis {
 public:
  Synthesis(const GroundTask& task, Monitor& monitor)
      : task_(task), effects_(task), checker_(task, effects_, monitor, max_work) {
    fluents_.resize(task.tree->predicates.size());
    for (const AtomId atom : task.fluents)
      fluents_[task.atoms.predicate(atom).index()].push_back(atom);
  }

  std::vector<MutexGroup> run() {
    for (InvariantCandidate& candidate : initial_candidates(task_.fluents, task_.atoms))
      propose(std::move(candidate));
    while (!open_.empty() && !checker_.given_up()) {
      const InvariantCandidate candidate = std::move(open_.front());
      open_.pop_front();
      InvariantChecker::Result result = checker_.check(candidate);
      if (result.complete) collect(candidate, result.unsafe);
      for (InvariantCandidate& refinement : result.refinements)
        propose(std::move(refinement));
    }
    keep_maximal_groups();
    for (MutexGroup& group : groups_) {
      const bool initially_one = std::any_of(group.atoms.begin(), group.atoms.end(),
                                             [&](AtomId a) { return task_.atoms.initially(a); });
      group.exactly_one = initially_one && checker_.never_empties(group.atoms);
    }
    return std::move(groups_);
  }

 private:
  void propose(InvariantCandidate candidate) {
    if (seen_.size() < max_candidates && seen_.insert(candidate).second)
      open_.push_back(std::move(candidate));
  }

  /// The instances of the candidate that are invariants.
  void collect(const InvariantCandidate& candidate, const TupleTable& unsafe) {
    TupleTable instances;
    std::vector<std::vector<AtomId>> members;
    Arguments key;
    for (const InvariantPart& part : candidate.parts()) {
      for (const AtomId atom : fluents_[part.predicate]) {
        candidate.instance_of(atom, task_.atoms, key);
        const std::uint32_t instance = instances.intern(key);
        if (instance == members.size()) members.emplace_back();
        members[instance].push_back(atom);
      }
    }
    for (std::uint32_t i = 0; i < members.size(); ++i) {
      if (members[i].size() < 2 || unsafe.find(instances[i])) continue;
      const auto initially = std::count_if(members[i].begin(), members[i].end(), [&](AtomId atom) {
        return task_.atoms.initially(atom);
      });
      if (initially > 1) continue;
      std::sort(members[i].begin(), members[i].end());
      groups_.push_back({std::move(members[i]), false});
    }
  }

  void keep_maximal_groups() {
    std::stable_sort(groups_.begin(), groups_.end(),
                     [](const auto& a, const auto& b) { return a.atoms.size() > b.atoms.size(); });
    std::vector<MutexGroup> kept;
    std::vector<std::vector<std::size_t>> kept_with(task_.atoms.size());
    for (MutexGroup& group : groups_) {
      const auto& rivals = kept_with[group.atoms.front().index()];
      const bool contained = std::any_of(rivals.begin(), rivals.end(), [&](std::size_t i) {
        return std::includes(kept[i].atoms.begin(), kept[i].atoms.end(), group.atoms.begin(),
                             group.atoms.end());
      });
      if (contained) continue;
      for (const AtomId atom : group.atoms)
        kept_with[atom.index()].push_back(kept.size());
      kept.push_back(std::move(group));
    }
    groups_ = std::move(kept);
  }

  const GroundTask& task_;
  EffectIndex effects_;
  InvariantChecker checker_;
  std::vector<std::vector<AtomId>> fluents_;  // by predicate
  std::set<InvariantCandidate> seen_;
  std::deque<InvariantCandidate> open_;
  std::vector<MutexGroup> groups_;
};

}  // namespace

MutexGroups find_mutex_groups(const GroundTask& task, Monitor& monitor) {
  return {Synthesis(task, monitor).run(), task.atoms.size()};
}

}  // namespace carl::task
