#include "carl/cssp.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>

#include "carl/error.h"
#include "model/validity.h"
#include "util/random.h"

namespace carl {
namespace {

std::size_t find_cost(const std::vector<std::string>& costs, const std::string& name,
                      const char* option) {
  const auto found = std::find(costs.begin(), costs.end(), name);
  if (found == costs.end())
    throw InputError(fmt::format("{}: there is no cost named '{}'", option, name),
                     fmt::format("the costs are: {}", fmt::join(costs, ", ")));
  return static_cast<std::size_t>(found - costs.begin());
}

double checked(const std::string& name, double value, const char* option) {
  try {
    check_cost("number", value);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{} {}={}: {}", option, name, value, error.message()),
                     error.hint());
  }
  return value;
}

void apply_bounds(CostModel& costs, const CsspOptions& options) {
  for (const auto& [name, value] : options.bounds) {
    const std::size_t cost = find_cost(costs.costs, name, "--bound");
    const auto same = std::find_if(costs.bounds.begin(), costs.bounds.end(),
                                   [&](const Bound& b) { return b.cost == cost; });
    if (value == std::numeric_limits<double>::infinity()) {
      if (same != costs.bounds.end()) costs.bounds.erase(same);
      continue;
    }
    const Bound bound{cost, checked(name, value, "--bound")};
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
    (*costs.give_up)[find_cost(costs.costs, name, "--give-up")] = checked(name, value, "--give-up");
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

void Cssp::expand(StateId state, Expansion& out) {
  assert(!is_goal(state));
  model_->expand(to_model(state), out);
  complete(state, out);
}

void Cssp::complete(StateId state, Expansion& out) {
  if (!zero_costs_.empty()) {
    const std::size_t before = out.num_actions();
    out.remove_if([&](std::size_t i) { return forbids(model_->cost(out.action(i))); });
    forbidden_pairs_ += before - out.num_actions();
  }
  out.shift_ids(1, 1);
  if (can_give_up_) {
    out.begin_action(give_up_action);
    out.add_outcome(1.0, given_up);
  }
  if (seed_ != 0) {
    std::vector<std::size_t> order(out.num_actions());
    std::iota(order.begin(), order.end(), std::size_t{0});
    // Drawn through the generator once: neighbouring states would share most of their numbers.
    SplitMix64 random(SplitMix64(seed_ ^ (state.index() << 32)).next());
    random.shuffle(order);
    out.reorder(order);
  }
}

std::span<const double> Cssp::cost(ActionId action) const {
  if (action == give_up_action) return *costs_.give_up;
  return model_->cost(to_model(action));
}

std::vector<std::string> Cssp::state_facts(StateId state) const {
  if (state == given_up) return {"(given-up)"};
  return model_->state_facts(to_model(state));
}

std::string Cssp::state_name(StateId state) const {
  return fmt::format("{}", fmt::join(state_facts(state), " "));
}

std::string Cssp::action_name(ActionId action) const {
  if (action == give_up_action) return std::string(give_up_name);
  return model_->action_name(to_model(action));
}

}  // namespace carl
