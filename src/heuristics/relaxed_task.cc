#include "heuristics/relaxed_task.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "task/changes.h"

namespace carl::heuristics {
namespace {

using Facts = std::vector<std::uint32_t>;

/// Effects that are not preconditions already, per outcome; dominated outcomes left out.
std::vector<Facts> needed_outcomes(const RelaxedTask& relaxed, const task::Action& action,
                                   const Facts& precondition) {
  std::vector<Facts> outcomes;
  for (const task::Outcome& outcome : action.outcomes) {
    Facts effects;
    for (const task::Fact& f : outcome.effects) {
      const std::uint32_t fact = relaxed.fact(f.variable.index(), f.value);
      if (!std::binary_search(precondition.begin(), precondition.end(), fact))
        effects.push_back(fact);
    }
    std::sort(effects.begin(), effects.end());
    if (!effects.empty()) outcomes.push_back(std::move(effects));
  }
  std::sort(outcomes.begin(), outcomes.end());
  outcomes.erase(std::unique(outcomes.begin(), outcomes.end()), outcomes.end());
  std::vector<Facts> needed;
  for (const Facts& small : outcomes) {
    const bool dominated = std::any_of(outcomes.begin(), outcomes.end(), [&](const Facts& large) {
      return &large != &small &&
             std::includes(large.begin(), large.end(), small.begin(), small.end());
    });
    if (!dominated) needed.push_back(small);
  }
  return needed;
}

Ranges inverse(const Ranges& ranges, std::size_t num_items) {
  std::vector<Facts> lists(num_items);
  for (std::size_t i = 0; i < ranges.size(); ++i)
    for (const std::uint32_t item : ranges[i])
      lists[item].push_back(static_cast<std::uint32_t>(i));
  Ranges result;
  for (const Facts& list : lists)
    result.add(list);
  return result;
}

}  // namespace

RelaxedTask::RelaxedTask(const task::Task& task, const std::vector<bool>& allowed) {
  for (const task::Variable& variable : task.variables) {
    first_fact.push_back(num_facts);
    num_facts += static_cast<std::uint32_t>(variable.values.size());
  }
  num_facts += 2;

  // Sorted by content, so that the numbering does not depend on the order of the actions.
  std::map<std::pair<Facts, Facts>, Facts> operators;
  for (std::size_t a = 0; a < task.actions.size(); ++a) {
    if (!allowed[a] || !task.actions[a].conditionals.empty()) continue;
    const Facts precondition = facts_of(task.actions[a].precondition);
    for (Facts& outcome : needed_outcomes(*this, task.actions[a], precondition))
      operators[{precondition, std::move(outcome)}].push_back(static_cast<std::uint32_t>(a));
  }
  for (const auto& [content, represented] : operators) {
    preconditions.add(content.first);
    effects.add(content.second);
    actions.add(represented);
  }
  shares_with.assign(preconditions.size(), none);
  add_operators_that_share(task, allowed);
  for (const auto& conjunction : task.goal) {
    preconditions.add(facts_of(conjunction));
    effects.add(Facts{goal_fact()});
    actions.add(Facts{});
    shares_with.push_back(none);
  }
  needed_by = inverse(preconditions, num_facts);
  achieved_by = inverse(effects, num_facts);
}

std::vector<std::uint32_t> RelaxedTask::facts_of(std::span<const task::Fact> condition) const {
  Facts facts;
  for (const task::Fact& f : condition)
    facts.push_back(fact(f.variable.index(), f.value));
  if (facts.empty()) facts.push_back(true_fact());
  std::sort(facts.begin(), facts.end());
  return facts;
}

void RelaxedTask::add_operators_that_share(const task::Task& task,
                                           const std::vector<bool>& allowed) {
  first_group.assign(task.actions.size(), none);
  for (std::uint32_t a = 0; a < task.actions.size(); ++a) {
    if (!allowed[a] || task.actions[a].conditionals.empty()) continue;
    first_group[a] = static_cast<std::uint32_t>(sharing.size());
    std::map<std::uint32_t, std::set<std::pair<Facts, Facts>>> groups;
    for (const task::Change& change : task::changes_by_context(task, task.actions[a])) {
      const Facts condition = facts_of(change.condition);
      Facts added = facts_of(change.effects);
      std::erase_if(added, [&](std::uint32_t f) {
        return std::binary_search(condition.begin(), condition.end(), f);
      });
      auto& operators = groups[change.group];
      if (!added.empty()) operators.emplace(condition, std::move(added));
    }
    for (const auto& [number, operators] : groups)
      add_operators_that_share(a, operators);
  }
}

void RelaxedTask::add_operators_that_share(std::uint32_t action,
                                           const std::set<std::pair<Facts, Facts>>& operators) {
  Facts numbers;
  for (const auto& [condition, added] : operators) {
    numbers.push_back(static_cast<std::uint32_t>(preconditions.size()));
    preconditions.add(condition);
    effects.add(added);
    actions.add(Facts{action});
    shares_with.push_back(static_cast<std::uint32_t>(sharing.size()));
  }
  sharing.add(numbers);
}

void OperatorCosts::set(const RelaxedTask& task, std::span<const double> action_costs) {
  cost.resize(task.num_operators());
  action.resize(task.num_operators());
  for (std::size_t o = 0; o < task.num_operators(); ++o) {
    cost[o] = 0;
    action[o] = 0;
    if (task.actions[o].empty()) continue;
    const auto cheapest =
        std::min_element(task.actions[o].begin(), task.actions[o].end(),
                         [&](auto a, auto b) { return action_costs[a] < action_costs[b]; });
    cost[o] = action_costs[*cheapest];
    action[o] = *cheapest;
  }
}

}  // namespace carl::heuristics
