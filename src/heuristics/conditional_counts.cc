#include "heuristics/conditional_counts.h"

#include <algorithm>
#include <utility>

namespace carl::heuristics {
namespace {

constexpr std::uint32_t none = task::ConditionalEffect::none;
// Where more parts of an effect change one variable, they are not compared with each other.
constexpr std::size_t most_compared = 500;

}  // namespace

ConditionalCounts::ConditionalCounts(const task::Action& action, std::uint32_t uses,
                                     OperatorCountingLp& lp)
    : action_(action), when_(task::circumstances(action)), uses_(uses) {
  find_exclusive();
  find_changes();
  for (std::size_t k = 0; k < when_.size(); ++k)
    columns_.push_back(lp.add_column());
  for (const std::vector<std::uint32_t>& effects : exclusive_) {
    const std::uint32_t row = lp.add_row({0, false, 0, 0, 0});
    lp.add(column(action.conditionals[effects.front()].parent), row, 1.0);
    for (const std::uint32_t k : effects)
      lp.add(columns_[k], row, -1.0);
  }
}

std::uint32_t ConditionalCounts::value_before(std::uint32_t conditional,
                                              task::VariableId variable) const {
  return task::fixed_value(conditional == none ? action_.precondition : when_[conditional].certain,
                           variable);
}

/// Effects within the same one that ask for different values of a variable. Each is listed for the
/// variable that most of them ask for; what asks for the same value again goes to another list.
void ConditionalCounts::find_exclusive() {
  std::map<std::pair<std::uint32_t, task::VariableId>, std::size_t> asked;  // by parent
  for (std::uint32_t k = 0; k < when_.size(); ++k)
    for (const task::Fact& fact : when_[k].certain)
      ++asked[{action_.conditionals[k].parent, fact.variable}];
  // By parent, variable and how many ask for the same value.
  std::map<std::tuple<std::uint32_t, task::VariableId, std::size_t>, std::size_t> lists;
  std::map<std::tuple<std::uint32_t, task::VariableId, std::uint32_t>, std::size_t> repeats;
  for (std::uint32_t k = 0; k < when_.size(); ++k) {
    const std::uint32_t parent = action_.conditionals[k].parent;
    const task::Fact* chosen = nullptr;
    for (const task::Fact& fact : when_[k].certain)
      if (value_before(parent, fact.variable) == UINT32_MAX &&
          (chosen == nullptr || asked[{parent, fact.variable}] > asked[{parent, chosen->variable}]))
        chosen = &fact;
    if (chosen == nullptr) {
      exclusive_.push_back({k});
      continue;
    }
    const std::size_t repeat = repeats[{parent, chosen->variable, chosen->value}]++;
    const auto [list, is_new] =
        lists.try_emplace({parent, chosen->variable, repeat}, exclusive_.size());
    if (is_new) exclusive_.emplace_back();
    exclusive_[list->second].push_back(k);
  }
}

void ConditionalCounts::find_changes() {
  const auto add = [&](const std::vector<task::Outcome>& outcomes, std::uint32_t conditional,
                       double probability) {
    for (std::uint32_t o = 0; o < outcomes.size(); ++o)
      for (const task::Fact& fact : outcomes[o].effects)
        changes_[fact.variable].push_back(
            {{conditional, o}, fact.value, probability * outcomes[o].probability, true});
  };
  add(action_.outcomes, none, 1.0);
  for (std::uint32_t k = 0; k < when_.size(); ++k)
    if (!when_[k].alternatives.empty())
      add(action_.conditionals[k].outcomes, k, when_[k].probability);
  for (auto& [variable, changes] : changes_) {
    const bool too_many = changes.size() > most_compared;
    for (VariableChange& change : changes)
      change.alone = !too_many && std::all_of(changes.begin(), changes.end(), [&](const auto& c) {
        return c.part == change.part ||
               task::exclude_each_other(action_, when_, c.part, change.part);
      });
  }
}

}  // namespace carl::heuristics
