#include "model/task_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace carl {

using task::PackedFacts;

TaskModel::TaskModel(task::Task task)
    : task_(std::move(task)),
      layout_(task_.variables),
      generator_(task_, layout_),
      states_(layout_.num_words()),
      successor_(layout_.num_words()),
      variants_(task_.labels.size(), 0) {
  for (const auto& goal : task_.goal)
    goal_.push_back(layout_.compile(goal));
  compile_outcomes();
  for (const task::Action& action : task_.actions)
    ++variants_[action.label];
  emitted_.resize(task_.labels.size());
  layout_.pack(task_.initial, successor_);
  initial_ = states_.insert(successor_.data());
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
  ++expansion_;
  const std::uint64_t* words = states_[state].data();
  applicable_.clear();
  generator_.collect(words, applicable_);
  // The order of the text, whatever the shape of the decision tree.
  std::sort(applicable_.begin(), applicable_.end());
  for (const std::uint32_t action : applicable_) {
    if (is_repeated(action)) continue;
    out.begin_action(ActionId(action));
    for (std::size_t i = first_outcome_[action]; i < first_outcome_[action + 1]; ++i)
      out.add_outcome(outcomes_[i].probability, successor(words, outcomes_[i]));
  }
}

StateId TaskModel::successor(const std::uint64_t* words, const CompiledOutcome& outcome) {
  std::copy_n(words, successor_.size(), successor_.begin());
  for (std::size_t k = outcome.first_effect; k < outcome.last_effect; ++k)
    effects_[k].apply(successor_.data());
  return states_.insert(successor_.data());
}

/// Variants of a disjunctive precondition may overlap, but then they do the same.
bool TaskModel::is_repeated(std::uint32_t action) {
  const std::uint32_t label = task_.actions[action].label;
  if (variants_[label] == 1) return false;
  return std::exchange(emitted_[label], expansion_) == expansion_;
}

std::vector<std::string> TaskModel::state_facts(StateId state) const {
  std::vector<std::string> facts;
  for (std::size_t v = 0; v < task_.variables.size(); ++v) {
    const task::Variable& variable = task_.variables[v];
    const std::string& fact = variable.values[value(state, task::VariableId(v))];
    if (!variable.shadow && !fact.empty()) facts.push_back(fact);
  }
  std::sort(facts.begin(), facts.end());
  return facts;
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
  return {{"variables", std::move(variables)},
          {"facts", fmt::format("{}", facts)},
          {"ground actions", std::move(actions)},
          {"words per state", fmt::format("{}", layout_.num_words())}};
}

std::shared_ptr<TaskModel> make_task_model(task::Task task) {
  return std::make_shared<TaskModel>(std::move(task));
}

}  // namespace carl
