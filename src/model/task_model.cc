#include "model/task_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "carl/error.h"
#include "model/validity.h"
#include "task/unreachable_goal.h"
#include "util/shown.h"

namespace carl {
namespace {

/// What a problem adds up may be too large although no number in its text is.
void check_costs(const task::Task& task) {
  const std::vector<std::string>& names = task.costs.costs;
  for (const task::Action& action : task.actions)
    for (std::size_t c = 0; c < names.size(); ++c)
      if (const double cost = task.cost_vectors[action.cost][c]; cost > largest_cost)
        check_cost(fmt::format("cost '{}' of {}", names[c], task.labels[action.label]), cost);
  if (!task.costs.give_up) return;
  for (std::size_t c = 0; c < names.size(); ++c)
    check_cost(fmt::format("penalty on '{}'", names[c]), (*task.costs.give_up)[c]);
}

}  // namespace

using task::PackedFacts;

TaskModel::TaskModel(task::Task task)
    : task_(std::move(task)),
      layout_(task_.variables),
      generator_(task_, layout_),
      states_(layout_.num_words()),
      conditional_(task_, layout_),
      variants_(task_.labels.size(), 0),
      scratch_(*this) {
  for (const auto& goal : task_.goal)
    goal_.push_back(layout_.compile(goal));
  compile_outcomes();
  for (const task::Action& action : task_.actions)
    ++variants_[action.label];
  std::vector<std::uint64_t> initial(layout_.num_words());
  layout_.pack(task_.initial, initial);
  initial_ = states_.insert(initial.data());
}

void TaskModel::compile_outcomes() {
  for (const task::Action& action : task_.actions) {
    first_outcome_.push_back(outcomes_.size());
    for (const task::Outcome& outcome : action.outcomes) {
      const std::vector<PackedFacts> effects = layout_.compile(outcome.effects);
      const std::size_t first = effects_.size();
      effects_.insert(effects_.end(), effects.begin(), effects.end());
      outcomes_.push_back({outcome.probability, first, effects_.size()});
    }
  }
  first_outcome_.push_back(outcomes_.size());
}

bool TaskModel::is_goal(StateId state) const {
  const std::uint64_t* words = states_[state].data();
  return std::any_of(goal_.begin(), goal_.end(), [&](const std::vector<PackedFacts>& goal) {
    return std::all_of(goal.begin(), goal.end(),
                       [&](const PackedFacts& facts) { return facts.hold(words); });
  });
}

void TaskModel::expand(StateId state, Expansion& out) {
  out.clear();
  generate(state, scratch_, out, RegistryIds(states_));
}

void TaskModel::generate(StateId state, Room& room, Findings& out) const {
  find(state, static_cast<Scratch&>(room), out.block);
}

bool TaskModel::outcome_costs(StateId state, ActionId action, OutcomeCosts& out) {
  out.clear();
  const auto number = static_cast<std::uint32_t>(action.index());
  const auto& too_many = task_.too_many_cost_shares;
  if (std::binary_search(too_many.begin(), too_many.end(), number))
    throw InputError(fmt::format("{} has too many outcomes that differ in cost to tell them apart",
                                 shown(action_name(action))),
                     "split it into several actions");
  struct ByAction {
    bool operator()(const task::CostShare& share, std::uint32_t a) const {
      return share.action < a;
    }
    bool operator()(std::uint32_t a, const task::CostShare& share) const {
      return a < share.action;
    }
  };
  const auto [begin, end] =
      std::equal_range(task_.cost_shares.begin(), task_.cost_shares.end(), number, ByAction());
  const std::uint64_t* words = states_[state].data();
  if (conditional_.has(number)) {
    OutcomeList<double>& outcomes = scratch_.outcomes_;
    for (auto share = begin; share != end; ++share) {
      conditional_.find(number, share->outcome, share->probability, words, outcomes);
      for (std::size_t i = 0; i < outcomes.size(); ++i)
        out.add(outcomes.probability(i), states_.insert(successor(words, outcomes, i, scratch_)),
                task_.outcome_cost_vectors[share->cost]);
    }
    return begin != end;
  }
  StateId to;
  for (auto share = begin; share != end; ++share) {
    if (share == begin || share->outcome != std::prev(share)->outcome)
      to = states_.insert(
          successor(words, outcomes_[first_outcome_[number] + share->outcome], scratch_));
    out.add(share->probability, to, task_.outcome_cost_vectors[share->cost]);
  }
  return begin != end;
}

std::vector<std::string> TaskModel::state_facts(StateId state) const {
  // No fact of the problem's own has a colon in it.
  if (task_.initial_draw && state == initial_) return {"(initial state: not drawn yet)"};
  std::vector<std::string> facts;
  for (std::size_t v = 0; v < task_.variables.size(); ++v) {
    const task::Variable& variable = task_.variables[v];
    const std::string& fact = variable.values[value(state, task::VariableId(v))];
    if (!variable.shadow && !fact.empty()) facts.push_back(fact);
  }
  std::sort(facts.begin(), facts.end());
  return facts;
}

Rational TaskModel::exact_cost(ActionId action, std::size_t i) const {
  const std::size_t vector = task_.actions[action.index()].cost;
  return task_.numbers[task_.exact_cost_vectors[vector][i].index()];
}

void TaskModel::add_exact_outcomes(StateId state, ActionId action, std::vector<ExactOutcome>& out) {
  const auto number = static_cast<std::uint32_t>(action.index());
  if (conditional_.has(number)) {
    const std::uint64_t* words = states_[state].data();
    OutcomeList<Rational> found(layout_.num_words());
    conditional_.find(number, words, found);
    for (std::size_t i = 0; i < found.size(); ++i)
      out.push_back({states_.insert(successor(words, found, i, scratch_)), found.probability(i)});
    return;
  }
  const auto& outcomes = task_.actions[action.index()].outcomes;
  for (std::size_t i = 0; i < outcomes.size(); ++i)
    out.push_back(
        {states_.insert(successor(states_[state].data(),
                                  outcomes_[first_outcome_[action.index()] + i], scratch_)),
         task_.numbers[outcomes[i].exact_probability.index()]});
}

std::size_t TaskModel::num_roundings(ActionId action) const {
  const auto number = static_cast<std::uint32_t>(action.index());
  return conditional_.has(number) ? conditional_.num_roundings(number)
                                  : task_.actions[number].outcomes.size();
}

std::vector<double> TaskModel::positive_costs(std::size_t cost) const {
  std::vector<double> positive;
  for (const auto& vector : task_.cost_vectors)
    if (vector[cost] > 0) positive.push_back(vector[cost]);
  return positive;
}

std::optional<std::vector<double>> TaskModel::amounts(std::size_t cost) const {
  std::vector<bool> is_apart(task_.actions.size(), false);
  for (const task::CostShare& share : task_.cost_shares)
    is_apart[share.action] = true;
  std::vector<bool> is_used(task_.cost_vectors.size(), false);
  for (std::size_t a = 0; a < task_.actions.size(); ++a)
    if (!is_apart[a]) is_used[task_.actions[a].cost] = true;
  std::vector<double> positive;
  for (std::size_t v = 0; v < is_used.size(); ++v)
    if (is_used[v] && task_.cost_vectors[v][cost] > 0)
      positive.push_back(task_.cost_vectors[v][cost]);
  for (const auto& vector : task_.outcome_cost_vectors)
    if (vector[cost] > 0) positive.push_back(vector[cost]);
  return positive;
}

std::vector<std::string> TaskModel::warnings() const {
  std::vector<std::string> warnings = task_.warnings;
  if (is_goal(initial_))
    warnings.emplace_back("the initial state is a goal: nothing needs to be done");
  return warnings;
}

bool TaskModel::has_cost(std::size_t cost) const {
  return !positive_costs(cost).empty();
}

std::optional<Unreachability> TaskModel::unreachable_goal(StateId state) const {
  if (task_.goal.empty()) return task_.unreachable;
  std::vector<std::uint32_t> state_values;
  values(state, state_values);
  return task::unreachable_goal(task_, state_values);
}

std::vector<std::pair<std::string, std::string>> TaskModel::figures() const {
  std::size_t shadows = 0;
  std::size_t facts = 0;
  for (const task::Variable& variable : task_.variables) {
    if (variable.shadow)
      ++shadows;
    else
      facts += variable.values.size() - (variable.values.back().empty() ? 1 : 0);
  }
  std::string variables = fmt::format("{}", task_.variables.size() - shadows);
  if (shadows > 0) variables += fmt::format(" and {} shadows of single facts", shadows);
  std::string actions = fmt::format("{}", task_.labels.size());
  if (task_.actions.size() != task_.labels.size())
    actions += fmt::format(" in {} variants", task_.actions.size());
  if (conditional_.size() > 0)
    actions += fmt::format(" with {} conditional effect{}", conditional_.size(),
                           conditional_.size() == 1 ? "" : "s");
  return {{"variables", std::move(variables)},
          {"facts", fmt::format("{}", facts)},
          {"ground actions", std::move(actions)},
          {"words per state", fmt::format("{}", layout_.num_words())}};
}

std::shared_ptr<TaskModel> make_task_model(task::Task task) {
  check_costs(task);
  return std::make_shared<TaskModel>(std::move(task));
}

}  // namespace carl
