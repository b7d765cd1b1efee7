// All that is given is checked at once, and goes into the arrays of the model that is being built.
#include "carl/explicit_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "model/explicit_model.h"
#include "model/probability_shares.h"
#include "model/validity.h"
#include "util/shown.h"

namespace carl {
namespace {

InputError numbers_or_names() {
  return InputError("states are known by their numbers or by their names, not by both",
                    "add all states by number and name them then");
}

void check_offsets(std::string_view what, std::span<const std::uint64_t> offsets, std::size_t end) {
  if (offsets.empty() || offsets.front() != 0 || offsets.back() != end ||
      !std::is_sorted(offsets.begin(), offsets.end()))
    throw InputError(fmt::format("{} must begin with 0, never fall, and end with {}", what, end));
}

void check_arrays(const TransitionArrays& arrays, std::size_t num_costs) {
  if (arrays.first_outcome.empty())
    throw InputError("first_outcome must have one entry more than there are pairs");
  const std::size_t num_pairs = arrays.first_outcome.size() - 1;
  check_offsets("first_pair", arrays.first_pair, num_pairs);
  check_offsets("first_outcome", arrays.first_outcome, arrays.successors.size());
  const auto require_size = [](const char* what, std::size_t size, std::size_t wanted) {
    if (size != wanted)
      throw InputError(fmt::format("{} has {} entries, but must have {}", what, size, wanted));
  };
  require_size("probabilities", arrays.probabilities.size(), arrays.successors.size());
  require_size("costs", arrays.costs.size(), num_pairs * num_costs);
  if (!arrays.action_names.empty())
    require_size("action_names", arrays.action_names.size(), num_pairs);
}

}  // namespace

ExplicitBuilder::ExplicitBuilder(CostModel costs) {
  check_cost_model(costs);
  model_ = std::make_shared<ExplicitModel>(std::move(costs));
}

void ExplicitBuilder::set_bounds(std::vector<Bound> bounds) {
  model_->costs_.bounds = std::move(bounds);
  check_cost_model(model_->costs_);
}

void ExplicitBuilder::set_give_up(std::vector<double> penalty) {
  model_->costs_.give_up = std::move(penalty);
  check_cost_model(model_->costs_);
}

void ExplicitBuilder::set_rewards(std::vector<bool> rewards) {
  model_->costs_.rewards = std::move(rewards);
  check_cost_model(model_->costs_);
}

void ExplicitBuilder::set_guarantees(std::vector<Guarantee> guarantees) {
  model_->costs_.guarantees = std::move(guarantees);
}

void ExplicitBuilder::set_goal_probability(const GoalProbability& probability) {
  model_->costs_.goal_probability = probability;
}

void ExplicitBuilder::add_states(std::size_t count) {
  if (model_->state_names_.size() > 0) throw numbers_or_names();
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max() - 1;
  if (count > most - model_->num_states_)
    throw InputError("the model has more than four billion states");
  model_->num_states_ += count;
}

void ExplicitBuilder::name_states(std::span<const std::string> names) {
  NameTable& known = model_->state_names_;
  if (known.size() > 0) throw InputError("the states have names already");
  if (names.size() != model_->num_states_)
    throw InputError(
        fmt::format("there are {} names for {} states", names.size(), model_->num_states_));
  for (std::size_t s = 0; s < names.size(); ++s) {
    if (names[s].empty()) throw InputError(fmt::format("the name of state {} is empty", s));
    if (const std::size_t other = known.intern(names[s]); other != s)
      throw InputError(
          fmt::format("the states {} and {} are both named '{}'", other, s, shown(names[s])));
  }
}

StateId ExplicitBuilder::state(std::string_view name) {
  if (model_->num_states_ != model_->state_names_.size()) throw numbers_or_names();
  const StateId state(model_->state_names_.intern(name));
  model_->num_states_ = model_->state_names_.size();
  return state;
}

void ExplicitBuilder::require_state(StateId state) const {
  if (state.index() < model_->num_states_) return;
  throw InputError(fmt::format("there is no state {}", state.index()),
                   model_->num_states_ == 0
                       ? "no state has been added yet"
                       : fmt::format("states are numbered from 0 to {}", model_->num_states_ - 1));
}

std::optional<StateId> ExplicitBuilder::find_state(std::string_view name) const {
  return model_->find_state(name);
}

void ExplicitBuilder::set_share(const StateRange& states) {
  model_->share_ = states;
}

void ExplicitBuilder::add_goal(StateId state) {
  require_state(state);
  if (model_->goals_.size() <= state.index()) model_->goals_.resize(state.index() + 1);
  model_->goals_[state.index()] = true;
}

void ExplicitBuilder::add_label(std::string name, std::vector<bool> states) {
  LabelTable& labels = model_->labels_;
  if (states.size() != model_->num_states_)
    throw InputError(fmt::format("the label '{}' has {} entries for {} states", shown(name),
                                 states.size(), model_->num_states_));
  if (std::find(labels.names_.begin(), labels.names_.end(), name) != labels.names_.end())
    throw InputError(fmt::format("there are two labels named '{}'", shown(name)));
  labels.names_.push_back(std::move(name));
  labels.sets_.push_back(std::move(states));
}

void ExplicitBuilder::require_one_kind_of_outcomes(bool of_one_kind) const {
  if (!of_one_kind)
    throw InputError("some outcomes of the action have costs of their own and others have not",
                     "give all of them a cost, an empty one for that of the action");
}

void ExplicitBuilder::add_outcome(double probability, StateId successor) {
  require_one_kind_of_outcomes(apart_successors_.empty());
  check_probability(probability);
  require_state(successor);
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

void ExplicitBuilder::add_outcome(double probability, StateId successor,
                                  std::span<const double> cost) {
  require_one_kind_of_outcomes(successors_.empty());
  check_probability(probability);
  require_state(successor);
  if (!cost.empty()) check_cost_vector(model_->costs_.costs, cost);
  if (probability == 0) return;
  apart_probabilities_.push_back(probability);
  apart_successors_.push_back(successor);
  has_cost_.push_back(!cost.empty());
  for (std::size_t i = 0; i < model_->costs_.costs.size(); ++i)
    apart_costs_.push_back(cost.empty() ? 0.0 : cost[i] + 0.0);  // no negative zero, as below
}

void ExplicitBuilder::normalise_outcomes() {
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
void ExplicitBuilder::merge_outcomes() {
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
void ExplicitBuilder::scale_shares(const std::vector<double>& before) {
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

ActionId ExplicitBuilder::add_action(StateId state, std::string_view name,
                                     std::span<const double> cost) {
  check_action_name(name);
  ExplicitModel& model = *model_;
  if (model.name_.empty()) model.name_.assign(model.num_actions(), ExplicitModel::unnamed);
  const std::uint32_t number = model.action_names_.intern(name);
  const ActionId action = finish_action(state, cost);
  model.name_.push_back(number);
  return action;
}

ActionId ExplicitBuilder::add_action(StateId state, std::span<const double> cost) {
  const ActionId action = finish_action(state, cost);
  if (!model_->name_.empty()) model_->name_.push_back(ExplicitModel::unnamed);
  return action;
}

ActionName ExplicitBuilder::action_name(std::string_view name) {
  check_action_name(name);
  return ActionName(model_->action_names_.intern(name));
}

std::string_view ExplicitBuilder::text_of(ActionName name) const {
  return model_->action_names_[name.index()];
}

ActionId ExplicitBuilder::add_action(StateId state, ActionName name, std::span<const double> cost,
                                     std::span<const double> probabilities,
                                     std::span<const StateId> successors) {
  ExplicitModel& model = *model_;
  probabilities_.clear();
  successors_.clear();
  if (name.valid() && model.name_.empty())
    model.name_.assign(model.num_actions(), ExplicitModel::unnamed);
  if (!repeat_action(state, cost, probabilities, successors))
    add_new_action(state, cost, probabilities, successors);
  if (!model.name_.empty() || name.valid())
    model.name_.push_back(name.valid() ? static_cast<std::uint32_t>(name.index())
                                       : ExplicitModel::unnamed);
  return ActionId(model.num_actions() - 1);
}

/// True if that was all, since another action had these costs and probabilities a moment ago, and
/// they were found to be right.
bool ExplicitBuilder::repeat_action(StateId state, std::span<const double> cost,
                                    std::span<const double> probabilities,
                                    std::span<const StateId> successors) {
  ExplicitModel& model = *model_;
  const std::size_t num_states = model.num_states_;
  std::size_t loop = RecentPairs::no_loop;
  bool known = state.index() < num_states;
  for (std::size_t k = successors.size(); k-- > 0;) {
    known &= successors[k].index() < num_states;
    if (successors[k] == state) loop = k;
  }
  if (!known || !apart_successors_.empty() ||
      !model.transitions_.repeat_pair(state, {cost, probabilities, loop}, successors))
    return false;
  model.num_outcomes_ += successors.size();
  return true;
}

void ExplicitBuilder::add_new_action(StateId state, std::span<const double> cost,
                                     std::span<const double> probabilities,
                                     std::span<const StateId> successors) {
  for (std::size_t k = 0; k < successors.size(); ++k) {
    check_probability(probabilities[k]);
    require_state(successors[k]);
    if (probabilities[k] == 0) continue;
    probabilities_.push_back(probabilities[k]);
    successors_.push_back(successors[k]);
  }
  const bool is_whole = successors_.size() == successors.size() && apart_successors_.empty();
  finish_action(state, cost);
  if (!is_whole) return;
  const auto own = std::find(successors.begin(), successors.end(), state);
  const std::size_t loop = own == successors.end()
                               ? RecentPairs::no_loop
                               : static_cast<std::size_t>(own - successors.begin());
  model_->transitions_.remember_pair({cost, probabilities, loop});
}

void ExplicitBuilder::reserve(std::size_t actions, std::size_t outcomes) {
  // With room for giving up.
  model_->transitions_.reserve(actions + model_->num_states(), outcomes);
}

ActionId ExplicitBuilder::finish_action(StateId state, std::span<const double> cost) {
  ExplicitModel& model = *model_;
  require_state(state);
  check_cost_vector(model.costs_.costs, cost);
  scratch_cost_.assign(cost.begin(), cost.end());
  for (double& value : scratch_cost_)
    value += 0.0;  // no negative zero: vectors are compared by their bytes
  normalise_outcomes();
  if (!apart_successors_.empty()) keep_outcomes_apart();
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max() - 1;
  if (model.num_actions() == most) throw InputError("the model has more than four billion actions");

  model.transitions_.add_pair(state, scratch_cost_, probabilities_, successors_);
  model.num_outcomes_ += successors_.size();
  probabilities_.clear();
  successors_.clear();
  return ActionId(model.num_actions() - 1);
}

/// Once they are normalised, and the cost of the action is known.
void ExplicitBuilder::keep_outcomes_apart() {
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
                            model.apart_distributions_.intern(apart_probabilities_),
                            model.apart_successors_.size()});
    for (std::size_t k = 0; k < apart_.size(); ++k) {
      model.apart_successors_.push_back(apart_.successor(k));
      model.apart_costs_.push_back(model.apart_cost_vectors_.intern(apart_.cost(k)));
    }
  }
  apart_probabilities_.clear();
  apart_successors_.clear();
  apart_costs_.clear();
  has_cost_.clear();
}

ActionId ExplicitBuilder::add_action(std::string_view state, std::string_view name,
                                     std::initializer_list<double> cost,
                                     std::initializer_list<NamedOutcome> outcomes) {
  const StateId from = this->state(state);
  for (const NamedOutcome& outcome : outcomes)
    add_outcome(outcome.probability, this->state(outcome.successor));
  return add_action(from, name, std::span(cost.begin(), cost.size()));
}

void ExplicitBuilder::add_transitions(const TransitionArrays& arrays, StateId first) {
  const std::size_t num_costs = model_->costs_.costs.size();
  check_arrays(arrays, num_costs);
  // With room for giving up.
  if (model_->num_actions() == 0)
    model_->transitions_.reserve(arrays.first_outcome.size() - 1 + model_->num_states(),
                                 arrays.successors.size());
  for (std::size_t i = 0; i + 1 < arrays.first_pair.size(); ++i)
    for (std::size_t p = arrays.first_pair[i]; p < arrays.first_pair[i + 1]; ++p) {
      const StateId state(first.index() + i);
      try {
        for (std::size_t k = arrays.first_outcome[p]; k < arrays.first_outcome[p + 1]; ++k)
          add_outcome(arrays.probabilities[k], StateId(arrays.successors[k]));
        const auto cost = arrays.costs.subspan(p * num_costs, num_costs);
        if (arrays.action_names.empty())
          add_action(state, cost);
        else
          add_action(state, arrays.action_names[p], cost);
      } catch (const InputError& error) {
        throw InputError(fmt::format("state {}, action {}: {}", state.index(),
                                     p - arrays.first_pair[i], error.message()),
                         error.hint());
      }
    }
}

std::shared_ptr<Model> ExplicitBuilder::build(StateId initial) {
  require_state(initial);
  model_->initial_ = initial;
  model_->goals_.resize(model_->num_states());
  group_actions_by_state();
  model_->action_names_.forget_index();
  model_->apart_cost_vectors_.forget_index();
  model_->apart_distributions_.forget_index();
  last_outcome_ = {};
  return std::move(model_);
}

std::shared_ptr<Model> ExplicitBuilder::build_drawn(StateId before) {
  // As in factored problems (task/initial_draw.cc).
  add_action(before, "(draw the initial state)",
             std::vector<double>(model_->costs_.costs.size(), 0.0));
  ExplicitModel& model = *model_;
  std::shared_ptr<Model> result = build(before);
  const std::vector<ActionId> actions = model.actions(before);
  if (actions.size() != 1)
    throw InputError("before the initial state is drawn nothing else can be done",
                     "no action may be added to that state, and it is no goal");
  model.draw_ = actions.front();
  return result;
}

void ExplicitBuilder::group_actions_by_state() {
  ExplicitModel& model = *model_;
  std::vector<ActionId> order;  // what each has been before; empty if that is the same
  for (const PairId p : model.transitions_.finish(model.num_states()))
    order.emplace_back(p.index());
  model.view_ = model.transitions_.pairs().view();
  if (!order.empty()) reorder_actions(order);
  if (model.name_.empty()) return;
  name_other_actions();
  check_duplicate_actions(order);
}

/// Where some actions have names the others get theirs now, so that all can be told apart.
void ExplicitBuilder::name_other_actions() {
  ExplicitModel& model = *model_;
  for (std::size_t i = 0; i < model.name_.size(); ++i)
    if (model.name_[i] == ExplicitModel::unnamed)
      model.name_[i] =
          model.action_names_.intern(fmt::format("a{}", model.place_in_state(ActionId(i))));
}

/// Gives the i-th place to the action that has been order[i].
void ExplicitBuilder::reorder_actions(std::span<const ActionId> order) {
  ExplicitModel& model = *model_;
  if (!model.name_.empty()) {
    const std::vector<std::uint32_t> old = std::move(model.name_);
    model.name_.clear();
    for (const ActionId action : order)
      model.name_.push_back(old[action.index()]);
  }
  if (model.apart_.empty()) return;
  std::vector<ActionId> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    place[order[i].index()] = ActionId(i);
  for (ExplicitModel::Apart& apart : model.apart_)
    apart.action = place[apart.action.index()];
  std::sort(model.apart_.begin(), model.apart_.end(),
            [](const auto& a, const auto& b) { return a.action < b.action; });
}

/// Reports the first action in the order of adding whose name its state has already. `order` says
/// which an action was then. Relies on group_actions_by_state(): the last action of a name is a
/// rival only if it is of the same state.
void ExplicitBuilder::check_duplicate_actions(std::span<const ActionId> order) const {
  const ExplicitModel& model = *model_;
  const auto as_added = [&](std::size_t action) {
    return order.empty() ? ActionId(action) : order[action];
  };
  const std::span<const std::uint32_t> first_action = model.transitions_.first_pair();
  std::vector<std::uint32_t> after_last(model.action_names_.size(), 0);  // by name: one more
  ActionId first;
  ActionId second;
  StateId state;
  std::uint32_t duplicate = 0;
  for (std::size_t s = 0; s < model.num_states(); ++s)
    for (std::uint32_t i = first_action[s]; i < first_action[s + 1]; ++i) {
      std::uint32_t& rival = after_last[model.name_[i]];
      if (rival <= first_action[s]) {
        rival = i + 1;
      } else if (as_added(i) < second) {  // an invalid id is the greatest
        first = as_added(rival - 1);
        second = as_added(i);
        state = StateId(s);
        duplicate = model.name_[i];
      }
    }
  if (!second.valid()) return;
  throw DuplicateAction(
      fmt::format("state '{}' has two actions named '{}'", shown(model.state_name(state)),
                  shown(model.action_names_[duplicate])),
      first, second);
}

}  // namespace carl
