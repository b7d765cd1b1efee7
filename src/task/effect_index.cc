#include "task/effect_index.h"

#include <algorithm>

namespace carl::task {

EffectIndex::EffectIndex(const GroundTask& task) {
  for (const GroundAction& action : task.actions) {
    first_leaf_.push_back(leaves_.size());
    first_cost_.push_back(cost_contexts_.size());
    add_effect(action.effect, root);
    std::sort(leaves_.begin() + static_cast<std::ptrdiff_t>(first_leaf_.back()), leaves_.end());
  }
  first_leaf_.push_back(leaves_.size());
  first_cost_.push_back(cost_contexts_.size());
  index_occurrences(task.atoms.size());
}

std::span<const EffectLeaf> EffectIndex::leaves(std::size_t action, AtomId atom) const {
  const auto all = leaves(action);
  const auto first = std::lower_bound(all.begin(), all.end(), EffectLeaf{atom, 0, false});
  auto last = first;
  while (last != all.end() && last->atom == atom)
    ++last;
  return {first, last};
}

void EffectIndex::add_effect(const GroundEffect& effect, std::uint32_t context) {
  for (const AtomId atom : effect.adds)
    leaves_.push_back({atom, context, true});
  for (const AtomId atom : effect.deletes)
    leaves_.push_back({atom, context, false});
  if (!effect.increases.empty()) cost_contexts_.push_back(context);
  for (const GroundConditional& conditional : effect.conditionals) {
    const auto below = static_cast<std::uint32_t>(contexts_.size());
    contexts_.push_back({context, &conditional.condition, nullptr, 0});
    add_effect(conditional.effect, below);
  }
  for (const Choice& choice : effect.choices) {
    for (std::uint32_t branch = 0; branch < choice.branches.size(); ++branch) {
      const auto below = static_cast<std::uint32_t>(contexts_.size());
      contexts_.push_back({context, nullptr, &choice, branch});
      add_effect(choice.branches[branch], below);
    }
  }
}

void EffectIndex::index_occurrences(std::size_t num_atoms) {
  first_occurrence_.assign(num_atoms + 1, 0);
  for (const EffectLeaf& leaf : leaves_)
    ++first_occurrence_[leaf.atom.index() + 1];
  for (std::size_t i = 0; i < num_atoms; ++i)
    first_occurrence_[i + 1] += first_occurrence_[i];
  occurrences_.resize(leaves_.size());
  std::vector<std::size_t> next = first_occurrence_;
  for (std::uint32_t action = 0; action + 1 < first_leaf_.size(); ++action)
    for (std::size_t i = first_leaf_[action]; i < first_leaf_[action + 1]; ++i)
      occurrences_[next[leaves_[i].atom.index()]++] = {
          action, static_cast<std::uint32_t>(i - first_leaf_[action])};
}

}  // namespace carl::task
