// The effects of all ground actions laid flat: every added or deleted atom with the context in
// which that happens, a path of conditions and random choices up to the root. Relevance and
// invariants ask about single atoms and would otherwise walk whole trees each time.
#ifndef CARL_TASK_EFFECT_INDEX_H
#define CARL_TASK_EFFECT_INDEX_H

#include <cstdint>
#include <span>
#include <vector>

#include "task/ground_task.h"

namespace carl::task {

/// Either a condition or a branch of a choice, below the context `parent`.
struct EffectContext {
  std::uint32_t parent = 0;
  const Formula* condition = nullptr;
  const Choice* choice = nullptr;
  std::uint32_t branch = 0;
};

struct EffectLeaf {
  AtomId atom;
  std::uint32_t context = 0;
  bool add = true;
  friend auto operator<=>(const EffectLeaf&, const EffectLeaf&) = default;
};

/// Valid while the task's actions do not change.
class EffectIndex {
 public:
  /// The context of what happens in any case.
  static constexpr std::uint32_t root = 0;

  explicit EffectIndex(const GroundTask& task);

  const EffectContext& context(std::uint32_t i) const { return contexts_[i]; }
  std::size_t num_contexts() const { return contexts_.size(); }
  /// Sorted by atom.
  std::span<const EffectLeaf> leaves(std::size_t action) const {
    return std::span(leaves_).subspan(first_leaf_[action],
                                      first_leaf_[action + 1] - first_leaf_[action]);
  }
  /// Those about `atom`.
  std::span<const EffectLeaf> leaves(std::size_t action, AtomId atom) const;
  /// Contexts of the action in which costs increase.
  std::span<const std::uint32_t> cost_contexts(std::size_t action) const {
    return std::span(cost_contexts_)
        .subspan(first_cost_[action], first_cost_[action + 1] - first_cost_[action]);
  }
  /// An action and one of its leaves.
  struct Occurrence {
    std::uint32_t action = 0;
    std::uint32_t leaf = 0;
  };
  /// Where the atom is added or deleted.
  std::span<const Occurrence> occurrences(AtomId atom) const {
    return std::span(occurrences_)
        .subspan(first_occurrence_[atom.index()],
                 first_occurrence_[atom.index() + 1] - first_occurrence_[atom.index()]);
  }

 private:
  void add_effect(const GroundEffect& effect, std::uint32_t context);
  void index_occurrences(std::size_t num_atoms);

  std::vector<EffectContext> contexts_{EffectContext{}};
  std::vector<EffectLeaf> leaves_;
  std::vector<std::uint32_t> cost_contexts_;
  std::vector<std::size_t> first_leaf_, first_cost_;  // by action
  std::vector<Occurrence> occurrences_;
  std::vector<std::size_t> first_occurrence_;  // by atom
};

}  // namespace carl::task

#endif
