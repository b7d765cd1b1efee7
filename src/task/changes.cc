#include "task/changes.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace carl::task {
namespace {

using Facts = std::vector<Fact>;

// Alternatives on the way to an effect multiply; what is left out makes estimates no larger.
constexpr std::size_t most_alternatives = 64;
// What is listed by context takes time that grows with the square of its number.
constexpr std::size_t most_changes = 500;

/// Nothing if a variable would need two values.
std::optional<Facts> unite(const Facts& a, const Facts& b) {
  Facts both;
  both.reserve(a.size() + b.size());
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  for (std::size_t i = 1; i < both.size(); ++i)
    if (both[i - 1].variable == both[i].variable) return std::nullopt;
  return both;
}

Facts common(const std::vector<Facts>& alternatives) {
  if (alternatives.empty()) return {};
  Facts shared = alternatives.front();
  for (const Facts& facts : alternatives)
    std::erase_if(shared, [&](const Fact& fact) {
      return !std::binary_search(facts.begin(), facts.end(), fact);
    });
  return shared;
}

/// True if they fix different values of a variable.
bool contradict(const Facts& a, const Facts& b) {
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].variable == b[j].variable && a[i].value != b[j].value) return true;
    if (a[i].variable < b[j].variable)
      ++i;
    else
      ++j;
  }
  return false;
}

/// The outcomes that are chosen from at some point of the effect.
const std::vector<Outcome>& outcomes_at(const Action& action, std::uint32_t conditional) {
  return conditional == ConditionalEffect::none ? action.outcomes
                                                : action.conditionals[conditional].outcomes;
}

bool lists(const Outcome& outcome, std::uint32_t conditional) {
  return std::binary_search(outcome.conditionals.begin(), outcome.conditionals.end(), conditional);
}

/// The conditional effects from `conditional` up to the outermost, `none` after that.
std::vector<std::uint32_t> way_up(const Action& action, std::uint32_t conditional) {
  std::vector<std::uint32_t> way;
  for (std::uint32_t k = conditional; k != ConditionalEffect::none;
       k = action.conditionals[k].parent)
    way.push_back(k);
  way.push_back(ConditionalEffect::none);
  return way;
}

/// The variable of which the most different values are asked for, if there are two.
std::optional<VariableId> most_asked(const Action& action, const std::vector<Change>& changes) {
  std::map<VariableId, std::set<std::uint32_t>> values;
  for (const Change& change : changes)
    for (const Fact& fact : change.condition)
      if (fixed_value(action.precondition, fact.variable) == UINT32_MAX)
        values[fact.variable].insert(fact.value);
  const auto most = std::max_element(
      values.begin(), values.end(),
      [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  if (most == values.end() || most->second.size() < 2) return std::nullopt;
  return most->first;
}

/// Numbers the classes of changes that may happen together, and of what may happen with those.
void number_groups(std::vector<Change>& changes) {
  std::vector<std::size_t> leader(changes.size());
  std::iota(leader.begin(), leader.end(), std::size_t{0});
  const auto find = [&](std::size_t i) {
    while (leader[i] != i)
      i = leader[i] = leader[leader[i]];
    return i;
  };
  for (std::size_t i = 0; i < changes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (find(i) != find(j) && !contradict(changes[i].condition, changes[j].condition))
        leader[find(i)] = find(j);
  std::map<std::size_t, std::uint32_t> numbers;
  for (std::size_t i = 0; i < changes.size(); ++i)
    changes[i].group =
        numbers.try_emplace(find(i), static_cast<std::uint32_t>(numbers.size())).first->second;
}

}  // namespace

std::vector<Circumstances> circumstances(const Action& action) {
  std::vector<Circumstances> all;
  const Circumstances always{{action.precondition}, action.precondition, 1};
  for (std::uint32_t k = 0; k < action.conditionals.size(); ++k) {
    const ConditionalEffect& effect = action.conditionals[k];
    const Circumstances& outer =
        effect.parent == ConditionalEffect::none ? always : all[effect.parent];
    const bool too_many = outer.alternatives.size() > 1 &&
                          outer.alternatives.size() * effect.condition.size() > most_alternatives;
    const std::vector<Facts> before =
        too_many ? std::vector<Facts>{outer.certain} : outer.alternatives;
    Circumstances here;
    for (const Facts& facts : before)
      for (const Facts& term : effect.condition)
        if (auto both = unite(facts, term)) here.alternatives.push_back(std::move(*both));
    std::sort(here.alternatives.begin(), here.alternatives.end());
    here.alternatives.erase(std::unique(here.alternatives.begin(), here.alternatives.end()),
                            here.alternatives.end());
    here.certain = common(here.alternatives);
    here.probability = 0;
    for (const Outcome& outcome : outcomes_at(action, effect.parent))
      if (lists(outcome, k)) here.probability += outcome.probability;
    here.probability = std::min(1.0, here.probability) * outer.probability;
    all.push_back(std::move(here));
  }
  return all;
}

std::vector<Change> changes_of(const Action& action) {
  std::vector<Change> changes;
  for (const Outcome& outcome : action.outcomes)
    changes.push_back({action.precondition, outcome.probability, outcome.effects, 0});
  if (action.conditionals.empty()) return changes;
  const std::vector<Circumstances> when = circumstances(action);
  for (std::size_t k = 0; k < when.size(); ++k)
    for (const Outcome& outcome : action.conditionals[k].outcomes)
      if (!outcome.effects.empty())
        for (const Facts& facts : when[k].alternatives)
          changes.push_back({facts, when[k].probability * outcome.probability, outcome.effects, 0});
  return changes;
}

std::vector<Change> changes_by_context(const Task& task, const Action& action) {
  std::vector<Change> all = changes_of(action);
  std::erase_if(all, [](const Change& change) { return change.effects.empty(); });
  const std::optional<VariableId> variable = most_asked(action, all);
  if (!variable) return all;
  const auto num_values =
      static_cast<std::uint32_t>(task.variables[variable->index()].values.size());
  std::vector<Change> result;
  for (const Change& change : all) {
    if (fixed_value(change.condition, *variable) != UINT32_MAX) {
      result.push_back(change);
      continue;
    }
    for (std::uint32_t d = 0; d < num_values; ++d) {
      Change& copy = result.emplace_back(change);
      copy.condition.push_back({*variable, d});
      std::sort(copy.condition.begin(), copy.condition.end());
    }
  }
  if (result.size() > most_changes) return all;
  number_groups(result);
  return result;
}

bool exclude_each_other(const Action& action, const std::vector<Circumstances>& when, Part a,
                        Part b) {
  constexpr std::uint32_t none = ConditionalEffect::none;
  if (a.conditional != none && b.conditional != none &&
      contradict(when[a.conditional].certain, when[b.conditional].certain))
    return true;
  // Up to where one choice is common to both: other outcomes may lead to one than to the other.
  const std::vector<std::uint32_t> way_a = way_up(action, a.conditional);
  const std::vector<std::uint32_t> way_b = way_up(action, b.conditional);
  std::size_t i = way_a.size() - 1;
  std::size_t j = way_b.size() - 1;
  for (; i > 0 && j > 0 && way_a[i - 1] == way_b[j - 1]; --i)
    --j;
  const std::vector<Outcome>& outcomes = outcomes_at(action, way_a[i]);
  for (std::uint32_t o = 0; o < outcomes.size(); ++o) {
    const bool leads_to_a = i == 0 ? o == a.outcome : lists(outcomes[o], way_a[i - 1]);
    const bool leads_to_b = j == 0 ? o == b.outcome : lists(outcomes[o], way_b[j - 1]);
    if (leads_to_a && leads_to_b) return false;
  }
  return true;
}

std::uint32_t fixed_value(std::span<const Fact> condition, VariableId variable) {
  for (const Fact& fact : condition)
    if (fact.variable == variable) return fact.value;
  return UINT32_MAX;
}

}  // namespace carl::task
