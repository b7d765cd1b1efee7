#include "task/plain_task.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace carl::task {
namespace {

bool does_something(const PlainConditional& conditional) {
  return !conditional.condition.empty() &&
         std::any_of(conditional.outcomes.begin(), conditional.outcomes.end(),
                     [](const PlainOutcome& outcome) {
                       return !outcome.adds.empty() || !outcome.deletes.empty() ||
                              !outcome.conditionals.empty();
                     });
}

/// The outcomes that list a conditional effect.
std::vector<std::size_t> places_of(const PlainAction& action, std::uint32_t conditional) {
  const std::uint32_t parent = action.conditionals[conditional].parent;
  const auto& outcomes =
      parent == ConditionalEffect::none ? action.outcomes : action.conditionals[parent].outcomes;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < outcomes.size(); ++i)
    if (std::binary_search(outcomes[i].conditionals.begin(), outcomes[i].conditionals.end(),
                           conditional))
      places.push_back(i);
  return places;
}

template <class Item>
void add_all(const std::vector<Item>& from, std::vector<Item>& to) {
  to.insert(to.end(), from.begin(), from.end());
  std::sort(to.begin(), to.end());
  to.erase(std::unique(to.begin(), to.end()), to.end());
}

}  // namespace

void join_conditionals(PlainAction& action) {
  std::map<std::tuple<std::uint32_t, std::vector<Conjunction>, std::vector<std::size_t>>,
           std::uint32_t>
      first;
  for (std::uint32_t k = 0; k < action.conditionals.size(); ++k) {
    PlainConditional& effect = action.conditionals[k];
    if (effect.outcomes.size() != 1) continue;
    const auto [entry, is_new] =
        first.try_emplace({effect.parent, effect.condition, places_of(action, k)}, k);
    if (is_new) continue;
    PlainOutcome& joined = action.conditionals[entry->second].outcomes.front();
    PlainOutcome& outcome = effect.outcomes.front();
    add_all(outcome.adds, joined.adds);
    add_all(outcome.deletes, joined.deletes);
    std::erase_if(joined.deletes, [&](AtomId atom) {
      return std::binary_search(joined.adds.begin(), joined.adds.end(), atom);
    });
    add_all(outcome.conditionals, joined.conditionals);
    for (const std::uint32_t child : outcome.conditionals)
      action.conditionals[child].parent = entry->second;
    outcome = {outcome.probability, {}, {}, {}};
  }
  remove_empty_conditionals(action);
}

void remove_empty_conditionals(PlainAction& action) {
  std::vector<PlainConditional>& all = action.conditionals;
  std::vector<bool> kept(all.size(), true);
  const auto forget_removed = [&](std::vector<PlainOutcome>& outcomes) {
    for (PlainOutcome& outcome : outcomes)
      std::erase_if(outcome.conditionals, [&](std::uint32_t k) { return !kept[k]; });
  };
  // A child comes after its parent, which may have nothing but that.
  for (std::size_t k = all.size(); k-- > 0;) {
    forget_removed(all[k].outcomes);
    kept[k] = does_something(all[k]);
  }
  forget_removed(action.outcomes);
  std::vector<std::uint32_t> number(all.size());
  std::uint32_t next = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::uint32_t parent = all[k].parent;
    kept[k] = kept[k] && (parent == ConditionalEffect::none || kept[parent]);
    if (!kept[k]) continue;
    number[k] = next++;
    if (parent != ConditionalEffect::none) all[k].parent = number[parent];
    if (number[k] != k) all[number[k]] = std::move(all[k]);
  }
  if (next == all.size()) return;
  all.resize(next);
  const auto renumber = [&](std::vector<PlainOutcome>& outcomes) {
    for (PlainOutcome& outcome : outcomes)
      for (std::uint32_t& k : outcome.conditionals)
        k = number[k];
  };
  renumber(action.outcomes);
  for (PlainConditional& conditional : all)
    renumber(conditional.outcomes);
}

}  // namespace carl::task
