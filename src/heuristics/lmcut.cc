#include "heuristics/lmcut.h"

#include <algorithm>
#include <limits>

namespace carl::heuristics {
namespace {

// What is left of a cost below this share of it is rounding, not cost. Setting it to zero can only
// lower the estimate.
constexpr double rounding = 1e-10;

}  // namespace

LmCut::LmCut(std::shared_ptr<const RelaxedTask> task)
    : task_(std::move(task)),
      explore_(*task_),
      zone_(task_->num_facts),
      taken_(task_->sharing.size(), false) {}

void LmCut::set_costs(std::span<const double> action_costs, double /*give_up_cost*/) {
  action_costs_.assign(action_costs.begin(), action_costs.end());
  costs_.set(*task_, action_costs);
}

double LmCut::estimate(std::span<const std::uint32_t> state, std::vector<ActionUse>& uses) {
  uses.clear();
  return add_cuts(state, costs_, uses);
}

double LmCut::add_cuts(std::span<const std::uint32_t> state, const OperatorCosts& costs,
                       std::vector<ActionUse>& uses) {
  left_ = costs.cost;
  explore_.run(state, left_);
  const double hmax = explore_.fact_cost(task_->goal_fact());
  if (hmax == std::numeric_limits<double>::infinity()) return hmax;
  const std::size_t first_use = uses.size();
  const bool shared = task_->sharing.size() > 0;
  if (shared) remember_hmax(costs);
  double estimate = 0;
  while (explore_.fact_cost(task_->goal_fact()) > rounding * estimate) {
    std::fill(zone_.begin(), zone_.end(), Zone::unknown);
    enters_goal_.assign(task_->num_operators(), false);
    mark_goal_zone();
    find_cut(state);
    if (shared) add_sharing_operators();
    const std::uint32_t cheapest = *std::min_element(
        cut_.begin(), cut_.end(), [&](auto a, auto b) { return left_[a] < left_[b]; });
    const double cost = left_[cheapest];
    for (const std::uint32_t op : cut_) {
      left_[op] -= cost;
      if (left_[op] < rounding * costs.cost[op]) left_[op] = 0;
    }
    estimate += cost;
    const std::uint32_t action = costs.action[cheapest];
    uses.push_back({action, cost / action_costs_[action]});
    explore_.lower(cut_, left_);
  }
  if (!shared || estimate >= hmax) return estimate;
  uses.resize(first_use);
  uses.insert(uses.end(), uses_of_hmax_.begin(), uses_of_hmax_.end());
  return hmax;
}

/// Cuts through shared costs may be worth less than h-max, which therefore is kept.
void LmCut::remember_hmax(const OperatorCosts& costs) {
  uses_of_hmax_.clear();
  for (std::uint32_t fact = task_->goal_fact(); explore_.achiever(fact) != HmaxExploration::none;) {
    const std::uint32_t op = explore_.achiever(fact);
    const std::uint32_t action = costs.action[op];
    if (costs.cost[op] > 0)
      uses_of_hmax_.push_back({action, costs.cost[op] / action_costs_[action]});
    fact = explore_.supporter(op);
  }
}

/// By one use of an action all of these may happen.
void LmCut::add_sharing_operators() {
  stack_.clear();
  for (const std::uint32_t op : cut_) {
    const std::uint32_t group = task_->shares_with[op];
    if (group == RelaxedTask::none) {
      stack_.push_back(op);
    } else if (!taken_[group]) {
      taken_[group] = true;
      stack_.insert(stack_.end(), task_->sharing[group].begin(), task_->sharing[group].end());
    }
  }
  for (const std::uint32_t op : cut_)
    if (task_->shares_with[op] != RelaxedTask::none) taken_[task_->shares_with[op]] = false;
  std::swap(cut_, stack_);
}

/// The facts from which the goal is reached at no cost along most expensive preconditions.
void LmCut::mark_goal_zone() {
  stack_.assign({task_->goal_fact()});
  zone_[task_->goal_fact()] = Zone::goal;
  while (!stack_.empty()) {
    const std::uint32_t fact = stack_.back();
    stack_.pop_back();
    for (const std::uint32_t op : task_->achieved_by[fact]) {
      if (left_[op] > 0) {
        enters_goal_[op] = true;
        continue;
      }
      const std::uint32_t supporter = explore_.supporter(op);
      if (supporter == HmaxExploration::none || zone_[supporter] == Zone::goal) continue;
      zone_[supporter] = Zone::goal;
      stack_.push_back(supporter);
    }
  }
}

void LmCut::enter_before_zone(std::uint32_t fact) {
  if (zone_[fact] != Zone::unknown) return;
  zone_[fact] = Zone::before;
  stack_.push_back(fact);
}

/// Operators that lead from the facts reachable outside the goal zone into it.
void LmCut::find_cut(std::span<const std::uint32_t> state) {
  cut_.clear();
  stack_.clear();
  enter_before_zone(task_->true_fact());
  for (std::size_t v = 0; v < state.size(); ++v)
    enter_before_zone(task_->fact(v, state[v]));
  while (!stack_.empty()) {
    const std::uint32_t fact = stack_.back();
    stack_.pop_back();
    for (const std::uint32_t op : task_->needed_by[fact]) {
      if (explore_.supporter(op) != fact) continue;
      if (enters_goal_[op]) {
        cut_.push_back(op);
        continue;
      }
      for (const std::uint32_t effect : task_->effects[op])
        enter_before_zone(effect);
    }
  }
}

}  // namespace carl::heuristics
