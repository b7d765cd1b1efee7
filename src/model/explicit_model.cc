#include "model/explicit_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>
#include <utility>

#include "model/probability_shares.h"
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

bool ExplicitModel::outcome_costs(StateId /*state*/, ActionId action, OutcomeCosts& out) {
  out.clear();
  const auto entry =
      std::lower_bound(apart_.begin(), apart_.end(), action,
                       [](const Apart& apart, ActionId a) { return apart.action < a; });
  if (entry == apart_.end() || entry->action != action) return false;
  const std::span<const double> probabilities = distributions_[entry->distribution];
  for (std::size_t k = 0; k < probabilities.size(); ++k)
    out.add(probabilities[k], apart_successors_[entry->first + k],
            cost_vectors_[apart_costs_[entry->first + k]]);
  return true;
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

std::vector<std::string> ExplicitModel::warnings() const {
  if (!is_goal(initial_)) return {};
  return {"the initial state is a goal: nothing needs to be done"};
}

bool ExplicitModel::has_cost(std::size_t cost) const {
  return std::any_of(cost_.begin(), cost_.end(),
                     [&](std::uint32_t vector) { return cost_vectors_[vector][cost] > 0; });
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

void ExplicitModelBuilder::set_rewards(std::vector<bool> rewards) {
  model_->costs_.rewards = std::move(rewards);
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

void ExplicitModelBuilder::add_outcome(double probability, StateId successor,
                                       std::span<const double> cost) {
  check_probability(probability);
  if (!cost.empty()) check_cost_vector(model_->costs_.costs, cost);
  assert(successors_.empty());
  if (probability == 0) return;
  apart_probabilities_.push_back(probability);
  apart_successors_.push_back(successor);
  has_cost_.push_back(!cost.empty());
  for (std::size_t i = 0; i < model_->costs_.costs.size(); ++i)
    apart_costs_.push_back(cost.empty() ? 0.0 : cost[i] + 0.0);  // no negative zero, as below
}

void ExplicitModelBuilder::normalise_outcomes() {
  if (!apart_successors_.empty() && successors_.empty()) merge_outcomes();
  if (apart_successors_.empty()) {
    normalise(probabilities_);
    return;
  }
  const std::vector<double> before = probabilities_;
  normalise(probabilities_);
  if (probabilities_ != before) scale_shares(before);
}

/// Plans are made with one outcome for each successor, in the order in which they come first.
void ExplicitModelBuilder::merge_outcomes() {
  const std::size_t n = apart_successors_.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return apart_successors_[a] < apart_successors_[b];
  });
  std::vector<double> sum_at(n, 0.0);  // where a successor comes first: its probability
  std::vector<std::size_t> first_of(n);
  std::vector<double> shares;
  for (std::size_t i = 0; i < n;) {
    const std::size_t first = order[i];
    shares.clear();
    for (; i < n && apart_successors_[order[i]] == apart_successors_[first]; ++i) {
      shares.push_back(apart_probabilities_[order[i]]);
      first_of[order[i]] = first;
    }
    sum_at[first] = sum_of_shares(shares);
  }
  apart_place_.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    apart_place_[k] = first_of[k] == k ? successors_.size() : apart_place_[first_of[k]];
    if (first_of[k] != k) continue;
    probabilities_.push_back(sum_at[k]);
    successors_.push_back(apart_successors_[k]);
  }
}

/// As the probabilities of the successors were scaled, so that they are still the sums.
void ExplicitModelBuilder::scale_shares(const std::vector<double>& before) {
  std::vector<std::vector<std::size_t>> parts(successors_.size());
  for (std::size_t k = 0; k < apart_place_.size(); ++k)
    parts[apart_place_[k]].push_back(k);
  std::vector<double> shares;
  for (std::size_t s = 0; s < parts.size(); ++s) {
    shares.clear();
    for (const std::size_t k : parts[s])
      shares.push_back(apart_probabilities_[k] * (probabilities_[s] / before[s]));
    fit_shares(shares, probabilities_[s]);
    for (std::size_t i = 0; i < shares.size(); ++i)
      apart_probabilities_[parts[s][i]] = shares[i];
  }
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
  if (!apart_successors_.empty()) keep_outcomes_apart();
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

/// Once they are normalised, and the cost of the action is known.
void ExplicitModelBuilder::keep_outcomes_apart() {
  ExplicitModel& model = *model_;
  const std::size_t num_costs = scratch_cost_.size();
  apart_.clear();
  bool differ = false;
  for (std::size_t k = 0; k < apart_successors_.size(); ++k) {
    const std::span<double> cost = std::span(apart_costs_).subspan(k * num_costs, num_costs);
    if (!has_cost_[k]) std::copy(scratch_cost_.begin(), scratch_cost_.end(), cost.begin());
    differ = differ || !std::equal(cost.begin(), cost.end(), scratch_cost_.begin());
    apart_.add(apart_probabilities_[k], apart_successors_[k], cost);
  }
  check_expected_cost(model.costs_.costs, scratch_cost_, apart_);
  if (differ) {
    model.apart_.push_back({ActionId(model.num_actions()),
                            model.distributions_.intern(apart_probabilities_),
                            model.apart_successors_.size()});
    for (std::size_t k = 0; k < apart_.size(); ++k) {
      model.apart_successors_.push_back(apart_.successor(k));
      model.apart_costs_.push_back(model.cost_vectors_.intern(apart_.cost(k)));
    }
  }
  apart_probabilities_.clear();
  apart_successors_.clear();
  apart_costs_.clear();
  has_cost_.clear();
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
