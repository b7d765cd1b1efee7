#include "heuristics/landmarks.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "task/changes.h"

namespace carl::heuristics {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// What is left of a cost below this share of it is rounding, not cost.
constexpr double rounding = 1e-10;
// A landmark with more achievers takes longer to price than it is likely to be worth.
constexpr std::size_t most_achievers = 200;

using Facts = std::vector<std::uint32_t>;

Facts facts_of(const RelaxedTask& relaxed, std::span<const task::Fact> condition) {
  Facts facts;
  for (const task::Fact& f : condition)
    facts.push_back(relaxed.fact(f.variable.index(), f.value));
  std::sort(facts.begin(), facts.end());
  return facts;
}

bool contains(std::span<const std::uint32_t> sorted, std::uint32_t fact) {
  return std::binary_search(sorted.begin(), sorted.end(), fact);
}

/// Facts that several conditions have in common.
class Shared {
 public:
  void add(const Facts& condition) {
    if (first_)
      facts_ = condition;
    else
      std::erase_if(facts_, [&](std::uint32_t fact) { return !contains(condition, fact); });
    first_ = false;
  }
  const Facts& facts() const { return facts_; }

 private:
  bool first_ = true;
  Facts facts_;
};

std::vector<task::Change> changes(const task::Task& task, std::uint32_t a) {
  const task::Action& action = task.actions[a];
  return action.conditionals.empty() ? task::changes_of(action)
                                     : task::changes_by_context(task, action);
}

}  // namespace

Landmarks::Landmarks(const task::Task& task, const std::vector<bool>& allowed,
                     std::shared_ptr<const RelaxedTask> relaxed)
    : relaxed_(std::move(relaxed)),
      achievers_(relaxed_->num_facts),
      has_too_many_(relaxed_->num_facts),
      action_of_(task.actions.size()),
      potentials_(task, allowed),
      lmcut_(relaxed_) {
  std::iota(action_of_.begin(), action_of_.end(), 0U);
  find_achievers(task, allowed);
  find_operators();
  coefficient_.assign(action_of_.size(), 0.0);
  landmark_of_.resize(relaxed_->num_facts);
  bonus_.assign(action_of_.size(), 0.0);
  risks_ = RiskySteps(task, allowed, *relaxed_, shared_);
  for (std::uint32_t fact = 0; risks_.any() && fact < relaxed_->num_facts; ++fact)
    for (Achiever& achiever : achievers_[fact])
      achiever.along = risks_.added_along(achiever.payer, fact);
}

void Landmarks::find_achievers(const task::Task& task, const std::vector<bool>& allowed) {
  std::vector<Shared> shared(relaxed_->num_facts);
  for (const auto& conjunction : task.goal)
    shared[relaxed_->goal_fact()].add(facts_of(*relaxed_, conjunction));
  for (std::uint32_t a = 0; a < task.actions.size(); ++a) {
    if (!allowed[a]) continue;
    std::optional<Facts> condition;  // the one that was added last
    for (const task::Change& change : changes(task, a)) {
      Facts needed = facts_of(*relaxed_, change.condition);
      if (condition != needed) {
        conditions_.add(needed);
        condition = std::move(needed);
      }
      const std::uint32_t payer = payer_of(a, change.group);
      for (const std::uint32_t fact : facts_of(*relaxed_, change.effects)) {
        if (contains(*condition, fact)) continue;
        shared[fact].add(*condition);
        add_achiever(
            fact, {payer, static_cast<std::uint32_t>(conditions_.size() - 1), change.probability});
      }
    }
  }
  for (const Shared& of_fact : shared)
    shared_.add(of_fact.facts());
  for (std::uint32_t fact = 0; fact < relaxed_->num_facts; ++fact)
    for (Achiever& achiever : achievers_[fact])
      for (const std::uint32_t other : conditions_[achiever.condition]) {
        if (contains(shared_[other], fact)) achiever.not_before.push_back(other);
        if (!contains(shared_[fact], other)) achiever.own.push_back(other);
      }
}

std::uint32_t Landmarks::payer_of(std::uint32_t action, std::uint32_t group) {
  if (group == 0) return action;
  const auto [entry, is_new] =
      payers_.try_emplace(std::pair(action, group), static_cast<std::uint32_t>(action_of_.size()));
  if (is_new) action_of_.push_back(action);
  return entry->second;
}

void Landmarks::find_operators() {
  std::vector<Facts> operators(action_of_.size());
  for (std::uint32_t o = 0; o < relaxed_->num_operators(); ++o)
    for (const std::uint32_t a : relaxed_->actions[o]) {
      const std::uint32_t item = relaxed_->shares_with[o];
      const std::uint32_t group = item == RelaxedTask::none ? 0 : item - relaxed_->first_group[a];
      operators[payer_of(a, group)].push_back(o);
    }
  for (const Facts& of_payer : operators)
    operators_.add(of_payer);
}

void Landmarks::add_achiever(std::uint32_t fact, const Achiever& achiever) {
  if (has_too_many_[fact]) return;
  std::vector<Achiever>& achievers = achievers_[fact];
  if (!achievers.empty() && achievers.back().condition == achiever.condition) {
    achievers.back().probability += achiever.probability;
    return;
  }
  if (achievers.size() == most_achievers) {
    has_too_many_[fact] = true;
    achievers = {};
    return;
  }
  achievers.push_back(achiever);
}

void Landmarks::set_costs(std::span<const double> action_costs, double give_up_cost) {
  action_costs_.assign(action_costs.begin(), action_costs.end());
  give_up_cost_ = give_up_cost;
  lmcut_.set_costs(action_costs, give_up_cost);
  potentials_.set_costs(action_costs);
  choose_potentials();
}

void Landmarks::use_costs() {
  costs_.resize(action_of_.size());
  for (std::size_t p = 0; p < costs_.size(); ++p)
    costs_[p] = potentials_.costs()[action_of_[p]];
  left_ = costs_;
  operator_costs_.set(*relaxed_, potentials_.costs());
  left_of_operators_ = operator_costs_;
}

double Landmarks::estimate(std::span<const std::uint32_t> state, std::vector<ActionUse>& uses) {
  if (potentials_.size() > 0 && potentials_.see(state)) choose_potentials();
  return estimate_with_potentials(state, uses);
}

void Landmarks::choose_potentials() {
  std::vector<ActionUse> uses;
  potentials_.choose([&](const std::vector<FactPotentials::State>& states) {
    use_costs();
    std::vector<double> estimates;
    for (const FactPotentials::State& state : states)
      estimates.push_back(estimate_with_potentials(state, uses));
    return estimates;
  });
  use_costs();
}

double Landmarks::estimate_with_potentials(std::span<const std::uint32_t> state,
                                           std::vector<ActionUse>& uses) {
  uses.clear();
  if (!find_landmarks(state)) return infinity;
  double sum = 0;
  for (const Landmark& landmark : landmarks_)
    sum += take_cost_of_fact(landmark, uses);
  for (const Landmark& landmark : landmarks_)
    sum += take_cost_of_detours(landmark, uses);
  const double safe = sum;
  if (risks_.any() && give_up_cost_ != infinity) sum += take_cost_of_risky_steps(state, uses);
  const bool takes_risks = sum > safe;
  lower_operators();
  sum += lmcut_.add_cuts(state, left_of_operators_, uses);
  restore_costs();
  if (sum == infinity || sum == 0) return sum;
  double estimate = std::min(sum + potentials_.of_goal(), give_up_cost_);
  if (takes_risks)
    estimate = std::max(std::min(estimate, share_of_giving_up * give_up_cost_),
                        std::min(safe + potentials_.of_goal(), give_up_cost_));
  estimate = std::max(0.0, estimate - potentials_.of_state(state));
  if (estimate != sum)
    for (ActionUse& use : uses)
      use.uses *= estimate / sum;
  return estimate;
}

// --- landmarks -----------------------------------------------------------------------------------

bool Landmarks::find_landmarks(std::span<const std::uint32_t> state) {
  true_.assign(relaxed_->num_facts, false);
  for (std::size_t v = 0; v < state.size(); ++v)
    true_[relaxed_->fact(v, state[v])] = true;
  met_ = true_;
  first_achievers_.clear();
  landmarks_.assign(1, {.fact = relaxed_->goal_fact()});
  orders_.clear();
  for (std::size_t next = 0; next < landmarks_.size(); ++next) {
    if (!find_first_achievers(landmarks_[next])) return false;
    add_shared_preconditions(static_cast<std::uint32_t>(next));
  }
  return true;
}

bool Landmarks::find_first_achievers(Landmark& landmark) {
  landmark.first = landmark.last = static_cast<std::uint32_t>(first_achievers_.size());
  if (landmark.fact == relaxed_->goal_fact() || has_too_many_[landmark.fact]) return true;
  for (const Achiever& achiever : achievers_[landmark.fact])
    if (may_be_first(achiever)) first_achievers_.push_back(&achiever);
  landmark.last = static_cast<std::uint32_t>(first_achievers_.size());
  return landmark.first < landmark.last;
}

bool Landmarks::may_be_first(const Achiever& achiever) const {
  return std::all_of(achiever.not_before.begin(), achiever.not_before.end(),
                     [&](std::uint32_t fact) { return true_[fact]; });
}

void Landmarks::add_shared_preconditions(std::uint32_t parent) {
  const Landmark landmark = landmarks_[parent];  // a copy: they are about to grow
  const bool single = landmark.last == landmark.first + 1;
  for (const std::uint32_t fact :
       single ? conditions_[first_achievers_[landmark.first]->condition] : shared_[landmark.fact]) {
    if (true_[fact]) continue;
    if (!met_[fact]) {
      met_[fact] = true;
      landmark_of_[fact] = static_cast<std::uint32_t>(landmarks_.size());
      landmarks_.push_back({.fact = fact});
    }
    if (!risks_.any()) continue;
    Landmark& earlier = landmarks_[landmark_of_[fact]];
    orders_.push_back({parent, earlier.orders});
    earlier.orders = static_cast<std::uint32_t>(orders_.size() - 1);
  }
}

// --- costs ---------------------------------------------------------------------------------------

double Landmarks::take_cost_of_fact(const Landmark& landmark, std::vector<ActionUse>& uses) {
  for (std::uint32_t i = landmark.first; i < landmark.last; ++i)
    add_member(*first_achievers_[i]);
  return take_cost_of_members(uses);
}

/// The second landmark: an achiever that needs another false fact, which the others do not need, is
/// replaced by the achievers of that.
double Landmarks::take_cost_of_detours(const Landmark& landmark, std::vector<ActionUse>& uses) {
  bool detours = false;
  for (std::uint32_t i = landmark.first; i < landmark.last; ++i) {
    const Achiever& achiever = *first_achievers_[i];
    const auto other =
        std::find_if(achiever.own.begin(), achiever.own.end(),
                     [&](std::uint32_t fact) { return !met_[fact] && !has_too_many_[fact]; });
    if (other == achiever.own.end()) {
      add_member(achiever);
      continue;
    }
    detours = true;
    for (const Achiever& before : achievers_[*other])
      if (may_be_first(before)) add_member(before);
  }
  if (detours) return take_cost_of_members(uses);
  forget_members();
  return 0;
}

/// An outcome that meets a landmark in two ways counts twice, which only lowers the estimate.
void Landmarks::add_member(std::uint32_t payer, double coefficient) {
  if (coefficient_[payer] == 0) members_.push_back(payer);
  coefficient_[payer] += coefficient;
}

void Landmarks::forget_members() {
  for (const std::uint32_t payer : members_)
    coefficient_[payer] = bonus_[payer] = 0;
  members_.clear();
}

double Landmarks::take_cost_of_members(std::vector<ActionUse>& uses) {
  double cost = infinity;
  std::uint32_t cheapest = 0;
  for (const std::uint32_t payer : members_)
    if (left_[payer] + bonus_[payer] < cost * coefficient_[payer]) {
      cost = (left_[payer] + bonus_[payer]) / coefficient_[payer];
      cheapest = payer;
    }
  if (cost == infinity || cost == 0) {
    forget_members();
    return 0;
  }
  const double by_risk = std::min(cost, bonus_[cheapest] / coefficient_[cheapest]);
  if (by_risk > 0) uses.push_back({give_up_use, by_risk / give_up_cost_});
  if (by_risk < cost) {
    const std::uint32_t action = action_of_[cheapest];
    uses.push_back({action, (cost - by_risk) / action_costs_[action]});
  }
  for (const std::uint32_t payer : members_) {
    if (bonus_[payer] > 0) spent_.push_back(payer);
    const double taken = coefficient_[payer] * cost - bonus_[payer];
    if (taken <= 0) continue;
    if (left_[payer] == costs_[payer]) touched_.push_back(payer);
    left_[payer] -= taken;
    if (left_[payer] < rounding * costs_[payer]) left_[payer] = 0;
  }
  forget_members();
  return cost;
}

void Landmarks::lower_operators() {
  for (const std::uint32_t payer : touched_)
    for (const std::uint32_t op : operators_[payer])
      if (left_[payer] < left_of_operators_.cost[op]) {
        left_of_operators_.cost[op] = left_[payer];
        left_of_operators_.action[op] = action_of_[payer];
      }
}

void Landmarks::restore_costs() {
  for (const std::uint32_t payer : touched_) {
    left_[payer] = costs_[payer];
    for (const std::uint32_t op : operators_[payer]) {
      left_of_operators_.cost[op] = operator_costs_.cost[op];
      left_of_operators_.action[op] = operator_costs_.action[op];
    }
  }
  touched_.clear();
}

}  // namespace carl::heuristics
