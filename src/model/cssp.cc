#include "carl/cssp.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <limits>

#include "carl/error.h"
#include "carl/options.h"
#include "model/validity.h"
#include "util/random.h"
#include "util/shown.h"

namespace carl {
namespace {

std::size_t find_cost(const std::vector<std::string>& costs, std::string_view name,
                      const char* option) {
  const auto found = std::find(costs.begin(), costs.end(), name);
  if (found == costs.end())
    throw OptionError(fmt::format("`{}`: there is no cost named '{}'", option, name),
                      fmt::format("the costs are: {}", fmt::join(costs, ", ")));
  return static_cast<std::size_t>(found - costs.begin());
}

double checked(std::string_view name, double value, const char* option) {
  try {
    check_cost("number", value);
  } catch (const InputError& error) {
    throw OptionError(fmt::format("`{} {}={}`: {}", option, name, value, error.message()),
                      error.hint());
  }
  return value;
}

/// `value` is in the unit of the model, what is kept in the one given.
void apply_bound(CostModel& costs, std::string_view name, double value,
                 const std::vector<double>& units) {
  const std::size_t cost = find_cost(costs.costs, name, "bounds");
  const auto same = std::find_if(costs.bounds.begin(), costs.bounds.end(),
                                 [&](const Bound& b) { return b.cost == cost; });
  if (value == std::numeric_limits<double>::infinity()) {
    if (same != costs.bounds.end()) costs.bounds.erase(same);
    return;
  }
  const Bound bound{cost, checked(name, value, "bounds") / units[cost]};
  if (same != costs.bounds.end())
    *same = bound;
  else
    costs.bounds.push_back(bound);
}

std::vector<double> penalties_of(const CostModel& costs,
                                 const std::vector<std::pair<std::string, double>>& given,
                                 const std::vector<double>& units) {
  std::vector<double> penalties(costs.costs.size(), 0.0);
  for (const auto& [name, value] : given) {
    const std::size_t cost = find_cost(costs.costs, name, "give_up");
    penalties[cost] = checked(name, value, "give_up") / units[cost];
  }
  return penalties;
}

}  // namespace

Cssp::Cssp(std::shared_ptr<Model> model, const CsspOptions& options)
    : model_(std::move(model)),
      costs_(model_->cost_model()),
      seed_(options.seed),
      remove_forbidden_actions_(options.remove_forbidden_actions),
      units_(costs_.costs.size(), 1.0) {
  assert(!costs_.costs.empty());
  if (options.expected_costs_only) {
    costs_.guarantees.clear();
    costs_.goal_probability.reset();
  }
  if (!costs_.guarantees.empty() || !options.guarantees.empty() || costs_.goal_probability ||
      options.goal_probability)
    throw OptionError("a problem that asks for more than expected costs is made by make_problem()");
  for (const auto& [name, value] : options.bounds)
    apply_bound(costs_, name, value, units_);
  if (options.give_up) costs_.give_up = penalties_of(costs_, *options.give_up, units_);
  settle();
}

void Cssp::settle() {
  constraints_.clear();
  zero_costs_.clear();
  for (const Bound& bound : costs_.bounds) {
    if (bound.upper == 0 && remove_forbidden_actions_)
      zero_costs_.push_back(bound.cost);
    else
      constraints_.push_back(bound);
  }
  can_give_up_ = costs_.give_up && !forbids(*costs_.give_up);
}

void Cssp::set_bound(std::string_view cost, double upper) {
  apply_bound(costs_, cost, upper, units_);
  settle();
}

void Cssp::remove_forbidden_actions(bool remove) {
  remove_forbidden_actions_ = remove;
  settle();
}

void Cssp::set_penalties(
    const std::optional<std::vector<std::pair<std::string, double>>>& penalties) {
  if (penalties)
    costs_.give_up = penalties_of(costs_, *penalties, units_);
  else
    costs_.give_up.reset();
  settle();
}

void Cssp::use_units(std::vector<double> units) {
  assert(units.size() == num_costs());
  const auto convert = [&](std::size_t cost, double& number) {
    number = number * units_[cost] / units[cost];
  };
  for (std::vector<Bound>* bounds : {&costs_.bounds, &constraints_})
    for (Bound& bound : *bounds)
      convert(bound.cost, bound.upper);
  for (std::size_t i = 0; costs_.give_up && i < num_costs(); ++i)
    convert(i, (*costs_.give_up)[i]);
  units_ = std::move(units);
  has_own_units_ = std::any_of(units_.begin(), units_.end(), [](double unit) { return unit != 1; });
  cost_in_units_.resize(num_costs());
}

Cssp Cssp::with_zero_bounds_only(std::span<const std::size_t> zero_bounds) const {
  Cssp result = *this;
  result.costs_.bounds.clear();
  result.constraints_.clear();
  result.zero_costs_.clear();
  for (const std::size_t b : zero_bounds) {
    result.costs_.bounds.push_back(bounds()[b]);
    result.zero_costs_.push_back(bounds()[b].cost);
  }
  result.can_give_up_ = costs_.give_up && !result.forbids(*costs_.give_up);
  return result;
}

Cssp Cssp::with_zero_bounds_as_constraints() const {
  Cssp result = *this;
  result.constraints_ = bounds();
  result.zero_costs_.clear();
  result.can_give_up_ = costs_.give_up.has_value();
  return result;
}

std::vector<std::size_t> Cssp::zero_bounds() const {
  std::vector<std::size_t> result;
  for (std::size_t b = 0; b < bounds().size(); ++b)
    if (std::find(zero_costs_.begin(), zero_costs_.end(), bounds()[b].cost) != zero_costs_.end())
      result.push_back(b);
  return result;
}

std::string Cssp::cost_label(std::size_t cost) const {
  return is_reward(cost) ? "lost " + costs_.costs[cost] : costs_.costs[cost];
}

void Cssp::set_give_up(std::optional<std::vector<double>> penalties) {
  costs_.give_up = std::move(penalties);
  can_give_up_ = costs_.give_up && !forbids(*costs_.give_up);
}

void Cssp::set_upper(std::size_t cost, double upper) {
  for (std::vector<Bound>* bounds : {&costs_.bounds, &constraints_}) {
    const auto bound = std::find_if(bounds->begin(), bounds->end(),
                                    [&](const Bound& b) { return b.cost == cost; });
    assert(bound != bounds->end());
    bound->upper = upper;
  }
}

bool Cssp::forbids(std::span<const double> cost) const {
  return std::any_of(zero_costs_.begin(), zero_costs_.end(),
                     [&](std::size_t i) { return cost[i] > 0; });
}

bool Cssp::is_forbidden(const Expansion& expansion, std::size_t i) const {
  if (zero_costs_.empty()) return false;
  const ActionId action = expansion.action(i);
  return forbids(action == give_up_action ? *costs_.give_up : model_->cost(action));
}

void Cssp::expand(StateId state, Expansion& out) {
  expand_with_forbidden(state, out);
  if (zero_costs_.empty()) return;
  const auto is_one = [&](std::size_t i) { return is_forbidden(out, i); };
  const std::size_t before = out.num_actions() - (costs_.give_up && !can_give_up_ ? 1 : 0);
  out.remove_if(is_one);
  forbidden_pairs_ += before - out.num_actions();
}

void Cssp::expand_with_forbidden(StateId state, Expansion& out) {
  assert(!is_goal(state));
  model_->expand(state, out);
  complete(state, out);
}

void Cssp::complete(StateId state, Expansion& out) {
  if (costs_.give_up) out.begin_action(give_up_action);
  if (!shuffles_actions()) return;
  // Those that are forbidden come last, so that the others have an order that does not depend on
  // them.
  std::vector<std::size_t> order;
  std::vector<std::size_t> forbidden;
  for (std::size_t i = 0; i < out.num_actions(); ++i)
    (is_forbidden(out, i) ? forbidden : order).push_back(i);
  // Drawn through the generator once: neighbouring states would share most of their numbers.
  SplitMix64 random(SplitMix64(seed_ ^ ((state.index() + 1) << 32)).next());
  random.shuffle(order);
  order.insert(order.end(), forbidden.begin(), forbidden.end());
  out.reorder(order);
}

std::vector<std::string> Cssp::warnings() const {
  std::vector<std::string> warnings = model_->warnings();
  for (const Bound& bound : costs_.bounds)
    if (!model_->has_cost(bound.cost) && !(can_give_up_ && (*costs_.give_up)[bound.cost] > 0))
      warnings.push_back(fmt::format("the bound on '{}' restricts nothing: no action increases it",
                                     shown(cost_names()[bound.cost])));
  return warnings;
}

std::span<const double> Cssp::cost(ActionId action) const {
  if (action == give_up_action) return *costs_.give_up;
  const std::span<const double> cost = model_->cost(action);
  if (!has_own_units_) return cost;
  for (std::size_t i = 0; i < cost.size(); ++i)
    cost_in_units_[i] = cost[i] / units_[i];
  return cost_in_units_;
}

bool Cssp::outcome_costs(StateId state, ActionId action, OutcomeCosts& out) {
  out.clear();
  if (action == give_up_action) return false;
  return model_->outcome_costs(state, action, out);
}

std::vector<std::string> Cssp::state_facts(StateId state) const {
  if (state == given_up) return {"(given-up)"};
  return model_->state_facts(state);
}

std::string Cssp::state_name(StateId state) const {
  return fmt::format("{}", fmt::join(state_facts(state), " "));
}

std::string Cssp::action_name(ActionId action) const {
  if (action == give_up_action) return std::string(give_up_name);
  return model_->action_name(action);
}

}  // namespace carl
