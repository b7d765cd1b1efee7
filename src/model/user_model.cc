#include "carl/user_model.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>

#include "carl/error.h"
#include "model/intern_table.h"
#include "model/validity.h"

namespace carl {

struct UserModelBase::Actions {
  // An action is a name and a cost vector: what it leads to depends on the state.
  NameTable names;
  VectorTable costs;
  absl::flat_hash_map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> ids;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> name_and_cost;  // by action

  // The state being expanded.
  Expansion* out = nullptr;
  std::size_t begun = 0;
  std::string name;  // of the action begun last
  std::vector<double> scratch_cost;
  std::vector<double> probabilities;
  std::vector<StateId> successors;
  std::vector<double> outcome_costs;  // one vector after the other
  bool costs_differ = false;          // between these and the cost of the action
  std::uint64_t expansions = 0;
  std::vector<std::uint64_t> last_expansion;  // by name: the one that used it last

  // Of the state expanded last: the actions whose outcomes differ in cost. Other states are listed
  // again when somebody asks, so nobody pays for it by memory.
  StateId state;
  std::vector<std::pair<ActionId, OutcomeCosts>> apart;
  bool any_apart = false;  // in any state
};

UserModelBase::UserModelBase(CostModel costs)
    : costs_(std::move(costs)), actions_(std::make_unique<Actions>()) {
  check_cost_model(costs_);
}

UserModelBase::~UserModelBase() = default;

void UserModelBase::expand(StateId state, Expansion& out) {
  Actions& actions = *actions_;
  out.clear();
  actions.out = &out;
  actions.begun = 0;
  actions.name.clear();
  actions.probabilities.clear();
  actions.successors.clear();
  actions.outcome_costs.clear();
  actions.costs_differ = false;
  actions.state = StateId();
  actions.apart.clear();
  ++actions.expansions;
  try {
    list_actions(state);
    end_action();
    actions.state = state;
  } catch (const InputError& error) {
    const std::string where = actions.begun == 0 ? "" : fmt::format(", action '{}'", actions.name);
    throw InputError(
        fmt::format("state '{}'{}: {}", state_facts(state).front(), where, error.message()),
        error.hint());
  }
}

std::size_t UserModelBase::begin_action(std::string_view name, std::span<const double> cost) {
  end_action();
  Actions& actions = *actions_;
  actions.name = name;
  ++actions.begun;
  check_action_name(name);
  check_cost_vector(costs_.costs, cost);

  const std::uint32_t name_number = actions.names.intern(name);
  actions.last_expansion.resize(actions.names.size());
  std::uint64_t& last = actions.last_expansion[name_number];
  if (last == actions.expansions) throw InputError("the state has another action of this name");
  last = actions.expansions;

  actions.scratch_cost.assign(cost.begin(), cost.end());
  for (double& value : actions.scratch_cost)
    value += 0.0;  // no negative zero: vectors are compared by their bytes
  const std::pair key(name_number, actions.costs.intern(actions.scratch_cost));
  const auto [entry, is_new] =
      actions.ids.try_emplace(key, static_cast<std::uint32_t>(actions.name_and_cost.size()));
  if (is_new) actions.name_and_cost.push_back(key);
  actions.out->begin_action(ActionId(entry->second));
  return actions.begun;
}

void UserModelBase::add_outcome(std::size_t action, double probability, StateId successor,
                                std::span<const double> cost) {
  Actions& actions = *actions_;
  if (action != actions.begun)
    throw InputError("the outcomes of an action must come before the next action");
  check_probability(probability);
  if (!cost.empty()) check_cost_vector(costs_.costs, cost);
  if (probability == 0) return;
  actions.probabilities.push_back(probability);
  actions.successors.push_back(successor);
  if (cost.empty()) cost = actions.scratch_cost;
  for (const double value : cost)
    actions.outcome_costs.push_back(value + 0.0);
  if (!std::equal(cost.begin(), cost.end(), actions.scratch_cost.begin()))
    actions.costs_differ = true;
}

void UserModelBase::end_action() {
  Actions& actions = *actions_;
  if (actions.begun == 0) return;
  normalise(actions.probabilities);
  for (std::size_t i = 0; i < actions.successors.size(); ++i)
    actions.out->add_outcome(actions.probabilities[i], actions.successors[i]);
  if (actions.costs_differ) keep_outcomes_apart();
  actions.probabilities.clear();
  actions.successors.clear();
  actions.outcome_costs.clear();
  actions.costs_differ = false;
}

void UserModelBase::keep_outcomes_apart() {
  Actions& actions = *actions_;
  const std::size_t num_costs = costs_.costs.size();
  auto& [action, outcomes] = actions.apart.emplace_back();
  action = actions.out->action(actions.out->num_actions() - 1);
  for (std::size_t i = 0; i < actions.successors.size(); ++i)
    outcomes.add(actions.probabilities[i], actions.successors[i],
                 std::span(actions.outcome_costs).subspan(i * num_costs, num_costs));
  check_expected_cost(costs_.costs, actions.scratch_cost, outcomes);
  actions.any_apart = true;
}

bool UserModelBase::outcome_costs(StateId state, ActionId action, OutcomeCosts& out) {
  Actions& actions = *actions_;
  out.clear();
  if (!actions.any_apart) return false;
  if (actions.state != state) {
    Expansion expansion;
    expand(state, expansion);
  }
  const auto found = std::find_if(actions.apart.begin(), actions.apart.end(),
                                  [&](const auto& entry) { return entry.first == action; });
  if (found == actions.apart.end()) return false;
  out = found->second;
  return true;
}

std::span<const double> UserModelBase::cost(ActionId action) const {
  return actions_->costs[actions_->name_and_cost[action.index()].second];
}

std::string UserModelBase::action_name(ActionId action) const {
  return std::string(actions_->names[actions_->name_and_cost[action.index()].first]);
}

}  // namespace carl
