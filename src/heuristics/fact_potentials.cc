#include "heuristics/fact_potentials.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "task/changes.h"

namespace carl::heuristics {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Each potential has to be looked for.
constexpr std::size_t most_facts = 8;
// States seen before a choice, and looked at for it (up to twice as many).
constexpr std::size_t least_seen = 512;
constexpr std::size_t least_sample = 16;
// A potential is a loss where the fact is not put at risk any more, so it should be small beside the
// estimates.
constexpr double share_of_estimate = 0.25;
constexpr int halvings = 7;
constexpr int refinements = 4;
// An estimate that is less than this share of what it was is as good as none.
constexpr double nearly_nothing = 0.05;

bool has(std::span<const task::Fact> sorted, const task::Fact& fact) {
  return std::binary_search(sorted.begin(), sorted.end(), fact);
}

/// Whether conditional effects may change the variable, so that nothing is known of what happens.
bool may_interfere(const task::Action& action, task::VariableId variable) {
  for (const task::ConditionalEffect& effect : action.conditionals)
    for (const task::Outcome& outcome : effect.outcomes)
      if (task::fixed_value(outcome.effects, variable) != UINT32_MAX) return true;
  return false;
}

/// The probability that the outcome sets the variable, to this value or to another one.
double chance(const task::Action& action, const task::Fact& fact, bool same) {
  double sum = 0;
  for (const task::Outcome& outcome : action.outcomes) {
    const std::uint32_t value = task::fixed_value(outcome.effects, fact.variable);
    if (value != UINT32_MAX && (value == fact.value) == same) sum += outcome.probability;
  }
  return sum;
}

/// The probability with which a fact that holds is lost, at least; or, negative, with which one that
/// may not hold comes true, at most.
double expected_fall(const task::Action& action, const task::Fact& fact) {
  const bool needed = has(action.precondition, fact);
  if (may_interfere(action, fact.variable)) return needed ? 0.0 : -1.0;
  return needed ? chance(action, fact, false) : -chance(action, fact, true);
}

/// The facts that an action needs and loses in some outcomes, but not in all.
std::set<task::Fact> facts_at_risk(const task::Task& task, const std::vector<bool>& allowed) {
  std::set<task::Fact> facts;
  for (std::size_t a = 0; a < task.actions.size(); ++a) {
    const task::Action& action = task.actions[a];
    if (!allowed[a] || action.outcomes.size() < 2) continue;
    for (const task::Fact& fact : action.precondition) {
      const double fall = expected_fall(action, fact);
      if (fall > 0 && fall < 1) facts.insert(fact);
    }
  }
  return facts;
}

/// The mean of those that are finite.
double mean(const std::vector<double>& estimates) {
  double sum = 0;
  std::size_t count = 0;
  for (const double estimate : estimates)
    if (estimate != infinity) {
      sum += estimate;
      ++count;
    }
  return count == 0 ? 0.0 : sum / static_cast<double>(count);
}

/// In the logarithm: what is half as much again here is not worth what is lost altogether there.
double gain(const std::vector<double>& estimates, const std::vector<double>& before) {
  double sum = 0;
  for (std::size_t k = 0; k < before.size(); ++k)
    if (before[k] != infinity && before[k] > 0)
      sum += std::log(std::max(estimates[k] / before[k], nearly_nothing));
  return sum;
}

}  // namespace

FactPotentials::FactPotentials(const task::Task& task, const std::vector<bool>& allowed) {
  for (const task::Fact& fact : facts_at_risk(task, allowed))
    if (facts_.size() < most_facts) add(task, allowed, fact);
  for (const std::vector<task::Fact>& conjunction : task.goal) {
    goals_.emplace_back();
    for (std::size_t i = 0; i < facts_.size(); ++i)
      if (has(conjunction, facts_[i].fact)) goals_.back().push_back(i);
  }
}

void FactPotentials::add(const task::Task& task, const std::vector<bool>& allowed,
                         task::Fact fact) {
  PricedFact priced{fact, {}};
  bool comes_back = false;
  for (std::size_t a = 0; a < task.actions.size(); ++a) {
    const double fall = allowed[a] ? expected_fall(task.actions[a], fact) : 0.0;
    if (fall != 0) priced.changes.push_back({static_cast<std::uint32_t>(a), fall});
    comes_back |= fall < 0;
  }
  if (comes_back) facts_.push_back(std::move(priced));
}

void FactPotentials::set_costs(std::span<const double> action_costs) {
  action_costs_.assign(action_costs.begin(), action_costs.end());
  costs_ = action_costs_;
  for (PricedFact& fact : facts_)
    fact.potential = 0;
  of_goal_ = 0;
}

double FactPotentials::limit(std::size_t i) const {
  double limit = infinity;
  for (const Change& change : facts_[i].changes)
    if (change.fall < 0)
      limit = std::min(limit, facts_[i].potential - costs_[change.action] / change.fall);
  return limit;
}

void FactPotentials::set_potential(std::size_t i, double potential) {
  facts_[i].potential = potential;
  costs_ = action_costs_;
  for (const PricedFact& fact : facts_)
    for (const Change& change : fact.changes)
      if (action_costs_[change.action] > 0) costs_[change.action] += change.fall * fact.potential;
  for (double& cost : costs_)
    cost = std::max(cost, 0.0);  // rounding
  of_goal_ = goals_.empty() ? 0.0 : infinity;
  for (const std::vector<std::size_t>& goal : goals_) {
    double sum = 0;
    for (const std::size_t k : goal)
      sum += facts_[k].potential;
    of_goal_ = std::min(of_goal_, sum);
  }
}

double FactPotentials::of_state(std::span<const std::uint32_t> state) const {
  double sum = 0;
  for (const PricedFact& fact : facts_)
    if (state[fact.fact.variable.index()] == fact.fact.value) sum += fact.potential;
  return sum;
}

// --- which potentials ----------------------------------------------------------------------------

bool FactPotentials::see(std::span<const std::uint32_t> state) {
  if (seen_++ % distance_ == 0) sample_.emplace_back(state.begin(), state.end());
  if (sample_.size() == 2 * least_sample) {
    for (std::size_t i = 1; i < least_sample; ++i)
      sample_[i] = std::move(sample_[2 * i]);
    sample_.resize(least_sample);
    distance_ *= 2;
  }
  return seen_ == least_seen;
}

void FactPotentials::choose(const Estimate& estimate) {
  if (seen_ < least_seen) return;
  for (std::size_t i = 0; i < facts_.size(); ++i)
    choose(i, estimate);
}

/// First among halves, quarters, … of the most it may be, then between those.
void FactPotentials::choose(std::size_t i, const Estimate& estimate) {
  set_potential(i, 0);
  const std::vector<double> before = estimate(sample_);
  const double most = std::min(limit(i), share_of_estimate * mean(before));
  if (most == 0) return;
  double best = 0;
  double best_gain = 0;
  const auto offer = [&](double potential) {
    set_potential(i, potential);
    const double gained = gain(estimate(sample_), before);
    if (gained <= best_gain) return;
    best = potential;
    best_gain = gained;
  };
  double potential = most;
  for (int k = 0; k < halvings; ++k, potential /= 2)
    offer(potential);
  double distance = best / 4;
  for (int k = 0; k < refinements && best > 0; ++k, distance /= 2) {
    const double middle = best;
    offer(middle - distance);
    offer(std::min(most, middle + distance));
  }
  set_potential(i, best);
}

}  // namespace carl::heuristics
