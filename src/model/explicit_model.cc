#include "model/explicit_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "model/validity.h"
#include "util/shown.h"

namespace carl {

void ExplicitModel::expand(StateId state, Expansion& out) {
  out.clear();
  for (const ActionId action : actions(state)) {
    out.begin_action(action);
    out.add_distinct_outcomes(probabilities(action), successors(action));
  }
}

std::vector<std::string> ExplicitModel::state_facts(StateId state) const {
  return {std::string(state_name(state))};
}

std::string ExplicitModel::action_name(ActionId action) const {
  return std::string(action_names_[name_[action.index()]]);
}

std::vector<double> ExplicitModel::positive_costs(std::size_t cost) const {
  std::vector<double> positive;
  for (std::size_t i = 0; i < cost_vectors_.size(); ++i)
    if (const double value = cost_vectors_[static_cast<std::uint32_t>(i)][cost]; value > 0)
      positive.push_back(value);
  return positive;
}

std::vector<std::pair<std::string, std::string>> ExplicitModel::figures() const {
  return {{"states in the text", fmt::format("{}", num_states())},
          {"actions in the text", fmt::format("{}", num_actions())},
          {"outcomes in the text", fmt::format("{}", num_outcomes())}};
}

std::size_t ExplicitModel::state_bytes() const {
  return state_names_.bytes() + goals_.size() / 8 + first_action_.size() * sizeof(std::uint32_t);
}

std::optional<StateId> ExplicitModel::find_state(std::string_view name) const {
  const auto found = state_names_.find(name);
  return found ? std::optional<StateId>(StateId(*found)) : std::nullopt;
}

std::span<const ActionId> ExplicitModel::actions(StateId state) const {
  if (is_goal(state)) return {};
  const std::uint32_t first = first_action_[state.index()];
  return std::span(actions_).subspan(first, first_action_[state.index() + 1] - first);
}

std::span<const StateId> ExplicitModel::successors(ActionId action) const {
  return std::span(successors_)
      .subspan(first_outcome_[action.index()], probabilities(action).size());
}

ExplicitModelBuilder::ExplicitModelBuilder(CostModel costs)
    : model_(std::make_shared<ExplicitModel>()) {
  check_cost_model(costs);
  model_->costs_ = std::move(costs);
}

void ExplicitModelBuilder::set_bounds(std::vector<Bound> bounds) {
  model_->costs_.bounds = std::move(bounds);
  check_cost_model(model_->costs_);
}

void ExplicitModelBuilder::set_give_up(std::vector<double> penalty) {
  model_->costs_.give_up = std::move(penalty);
  check_cost_model(model_->costs_);
}

StateId ExplicitModelBuilder::state(std::string_view name) {
  return StateId(model_->state_names_.intern(name));
}

std::optional<StateId> ExplicitModelBuilder::find_state(std::string_view name) const {
  return model_->find_state(name);
}

void ExplicitModelBuilder::add_goal(StateId state) {
  if (model_->goals_.size() <= state.index()) model_->goals_.resize(state.index() + 1);
  model_->goals_[state.index()] = true;
}

void ExplicitModelBuilder::add_outcome(double probability, StateId successor) {
  check_probability(probability);
  if (last_outcome_.size() <= successor.index())
    last_outcome_.resize(std::max(model_->num_states(), successor.index() + 1));
  std::uint32_t& last = last_outcome_[successor.index()];
  const auto action = static_cast<std::uint32_t>(model_->num_actions() + 1);
  if (last == action)
    throw InputError(fmt::format("there are two outcomes that lead to '{}'",
                                 shown(model_->state_name(successor))),
                     "write one outcome with the sum of the probabilities");
  last = action;
  if (probability == 0) return;
  probabilities_.push_back(probability);
  successors_.push_back(successor);
}

void ExplicitModelBuilder::normalise_outcomes() {
  normalise(probabilities_);
}

ActionId ExplicitModelBuilder::add_action(StateId state, std::string_view name,
                                          std::span<const double> cost) {
  ExplicitModel& model = *model_;
  check_action_name(name);
  check_cost_vector(model.costs_.costs, cost);
  scratch_cost_.assign(cost.begin(), cost.end());
  for (double& value : scratch_cost_)
    value += 0.0;  // no negative zero: vectors are compared by their bytes
  normalise_outcomes();
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max() - 1;
  if (model.num_actions() == most || successors_.size() > most - model.num_outcomes())
    throw InputError("the model has more than four billion actions or outcomes");

  model.name_.push_back(model.action_names_.intern(name));
  model.cost_.push_back(model.cost_vectors_.intern(scratch_cost_));
  model.distribution_.push_back(model.distributions_.intern(probabilities_));
  model.first_outcome_.push_back(static_cast<std::uint32_t>(model.num_outcomes()));
  model.successors_.insert(model.successors_.end(), successors_.begin(), successors_.end());
  state_of_action_.push_back(state);
  probabilities_.clear();
  successors_.clear();
  return ActionId(model.num_actions() - 1);
}

ActionId ExplicitModelBuilder::add_action(std::string_view state, std::string_view name,
                                          std::initializer_list<double> cost,
                                          std::initializer_list<NamedOutcome> outcomes) {
  const StateId from = this->state(state);
  for (const NamedOutcome& outcome : outcomes)
    add_outcome(outcome.probability, this->state(outcome.successor));
  return add_action(from, name, std::span(cost.begin(), cost.size()));
}

std::shared_ptr<ExplicitModel> ExplicitModelBuilder::build(StateId initial) {
  assert(initial.index() < model_->num_states());
  model_->initial_ = initial;
  model_->goals_.resize(model_->num_states());
  group_actions_by_state();
  check_duplicate_actions();
  model_->action_names_.forget_index();
  model_->cost_vectors_.forget_index();
  model_->distributions_.forget_index();
  state_of_action_ = {};
  last_outcome_ = {};
  return std::move(model_);
}

/// A counting sort, so actions of one state keep their order.
void ExplicitModelBuilder::group_actions_by_state() {
  ExplicitModel& model = *model_;
  std::vector<std::uint32_t>& first = model.first_action_;
  first.assign(model.num_states() + 1, 0);
  for (const StateId state : state_of_action_)
    ++first[state.index() + 1];
  for (std::size_t s = 0; s < model.num_states(); ++s)
    first[s + 1] += first[s];
  model.actions_.resize(state_of_action_.size());
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  for (std::size_t a = 0; a < state_of_action_.size(); ++a)
    model.actions_[next[state_of_action_[a].index()]++] = ActionId(a);
}

/// Reports the first action in the order of adding whose name its state has already. Relies on
/// group_actions_by_state(): the last action of a name is a rival only if it is of the same state.
void ExplicitModelBuilder::check_duplicate_actions() const {
  const ExplicitModel& model = *model_;
  std::vector<ActionId> last(model.action_names_.size());
  ActionId first;
  ActionId second;
  for (const ActionId action : model.actions_) {
    ActionId& rival = last[model.name_[action.index()]];
    if (rival.valid() && state_of_action(rival) == state_of_action(action)) {
      if (action < second) {  // an invalid id is the greatest
        first = rival;
        second = action;
      }
    } else {
      rival = action;
    }
  }
  if (!second.valid()) return;
  throw DuplicateAction(fmt::format("state '{}' has two actions named '{}'",
                                    shown(model.state_name(state_of_action(second))),
                                    shown(model.action_name(second))),
                        first, second);
}

}  // namespace carl
