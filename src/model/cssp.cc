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

std::size_t find_cost(const std::vector<std::string>& costs, const std::string& name,
                      const char* option) {
  const auto found = std::find(costs.begin(), costs.end(), name);
  if (found == costs.end())
    throw OptionError(fmt::format("`{}`: there is no cost named '{}'", option, name),
                      fmt::format("the costs are: {}", fmt::join(costs, ", ")));
  return static_cast<std::size_t>(found - costs.begin());
}

double checked(const std::string& name, double value, const char* option) {
  try {
    check_cost("number", value);
  } catch (const InputError& error) {
    throw OptionError(fmt::format("`{} {}={}`: {}", option, name, value, error.message()),
                      error.hint());
  }
  return value;
}

void apply_bounds(CostModel& costs, const CsspOptions& options) {
  for (const auto& [name, value] : options.bounds) {
    const std::size_t cost = find_cost(costs.costs, name, "bounds");
    const auto same = std::find_if(costs.bounds.begin(), costs.bounds.end(),
                                   [&](const Bound& b) { return b.cost == cost; });
    if (value == std::numeric_limits<double>::infinity()) {
      if (same != costs.bounds.end()) costs.bounds.erase(same);
      continue;
    }
    const Bound bound{cost, checked(name, value, "bounds")};
    if (same != costs.bounds.end())
      *same = bound;
    else
      costs.bounds.push_back(bound);
  }
}

void apply_give_up(CostModel& costs, const CsspOptions& options) {
  if (!options.give_up) return;
  costs.give_up.emplace(costs.costs.size(), 0.0);
  for (const auto& [name, value] : *options.give_up)
    (*costs.give_up)[find_cost(costs.costs, name, "give_up")] = checked(name, value, "give_up");
}

}  // namespace

Cssp::Cssp(std::shared_ptr<Model> model, const CsspOptions& options)
    : model_(std::move(model)), costs_(model_->cost_model()), seed_(options.seed) {
  assert(!costs_.costs.empty());
  apply_bounds(costs_, options);
  apply_give_up(costs_, options);
  for (const Bound& bound : costs_.bounds) {
    if (bound.upper == 0 && options.remove_forbidden_actions)
      zero_costs_.push_back(bound.cost);
    else
      constraints_.push_back(bound);
  }
  can_give_up_ = costs_.give_up && !forbids(*costs_.give_up);
  units_.assign(num_costs(), 1.0);
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
