#include "heuristics/hmax.h"

#include <algorithm>
#include <limits>

namespace carl::heuristics {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

HmaxExploration::HmaxExploration(const RelaxedTask& task)
    : task_(task),
      fact_cost_(task.num_facts, infinity),
      achiever_(task.num_facts, none),
      unsatisfied_(task.num_operators()),
      supporter_(task.num_operators()) {
  for (std::size_t o = 0; o < task.num_operators(); ++o)
    num_preconditions_.push_back(static_cast<std::uint32_t>(task.preconditions[o].size()));
}

void HmaxExploration::enqueue(std::uint32_t fact, double cost, std::uint32_t achiever) {
  if (cost >= fact_cost_[fact]) return;
  fact_cost_[fact] = cost;
  achiever_[fact] = achiever;
  queue_.push(cost, fact);
}

void HmaxExploration::run(std::span<const std::uint32_t> state, const std::vector<double>& cost,
                          std::uint32_t last) {
  std::fill(fact_cost_.begin(), fact_cost_.end(), infinity);
  std::copy(num_preconditions_.begin(), num_preconditions_.end(), unsatisfied_.begin());
  std::fill(supporter_.begin(), supporter_.end(), none);
  queue_.clear();
  enqueue(task_.true_fact(), 0, none);
  for (std::size_t v = 0; v < state.size(); ++v)
    enqueue(task_.fact(v, state[v]), 0, none);
  while (!queue_.empty()) {
    const auto [distance, fact] = queue_.pop();
    if (distance > fact_cost_[fact]) continue;
    if (fact == last) return;
    for (const std::uint32_t op : task_.needed_by[fact]) {
      if (--unsatisfied_[op] > 0) continue;
      // The last precondition to be reached is the most expensive.
      supporter_[op] = fact;
      for (const std::uint32_t effect : task_.effects[op])
        enqueue(effect, distance + cost[op], op);
    }
  }
}

void HmaxExploration::lower(std::span<const std::uint32_t> operators,
                            const std::vector<double>& cost) {
  queue_.clear();
  for (const std::uint32_t op : operators) {
    if (supporter_[op] == none) continue;  // it shares its cost with one that has been reached
    for (const std::uint32_t effect : task_.effects[op])
      enqueue(effect, fact_cost_[supporter_[op]] + cost[op], op);
  }
  while (!queue_.empty()) {
    const auto [distance, fact] = queue_.pop();
    if (distance > fact_cost_[fact]) continue;
    for (const std::uint32_t op : task_.needed_by[fact]) {
      if (supporter_[op] != fact) continue;
      update_supporter(op);
      const double through = fact_cost_[supporter_[op]] + cost[op];
      for (const std::uint32_t effect : task_.effects[op])
        enqueue(effect, through, op);
    }
  }
}

void HmaxExploration::update_supporter(std::uint32_t op) {
  for (const std::uint32_t fact : task_.preconditions[op])
    if (fact_cost_[fact] > fact_cost_[supporter_[op]]) supporter_[op] = fact;
}

DeadEndDetector::DeadEndDetector(std::shared_ptr<const RelaxedTask> task)
    : task_(std::move(task)), reached_(task_->num_facts) {
  for (std::size_t o = 0; o < task_->num_operators(); ++o)
    num_preconditions_.push_back(static_cast<std::uint32_t>(task_->preconditions[o].size()));
}

void DeadEndDetector::reach(std::uint32_t fact) {
  if (reached_[fact]) return;
  reached_[fact] = true;
  queue_.push_back(fact);
}

bool DeadEndDetector::is_dead_end(std::span<const std::uint32_t> state) {
  unsatisfied_ = num_preconditions_;
  std::fill(reached_.begin(), reached_.end(), false);
  queue_.clear();
  reach(task_->true_fact());
  for (std::size_t v = 0; v < state.size(); ++v)
    reach(task_->fact(v, state[v]));
  for (std::size_t next = 0; next < queue_.size() && !reached_[task_->goal_fact()]; ++next)
    for (const std::uint32_t op : task_->needed_by[queue_[next]])
      if (--unsatisfied_[op] == 0)
        for (const std::uint32_t effect : task_->effects[op])
          reach(effect);
  return !reached_[task_->goal_fact()];
}

void Hmax::set_costs(std::span<const double> action_costs, double /*give_up_cost*/) {
  costs_.set(*task_, action_costs);
}

double Hmax::estimate(std::span<const std::uint32_t> state, std::vector<ActionUse>& uses) {
  uses.clear();
  explore_.run(state, costs_.cost, task_->goal_fact());
  const double estimate = explore_.fact_cost(task_->goal_fact());
  if (estimate == infinity) return infinity;
  for (std::uint32_t fact = task_->goal_fact(); explore_.achiever(fact) != HmaxExploration::none;) {
    const std::uint32_t op = explore_.achiever(fact);
    if (costs_.cost[op] > 0) uses.push_back({costs_.action[op], 1.0});
    fact = explore_.supporter(op);
  }
  return estimate;
}

}  // namespace carl::heuristics
