#include "ssp/topological_iteration.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "util/strongly_connected.h"

namespace carl::ssp {
namespace {

// The policy that all begins with is evaluated to this accuracy: it is a bad one anyway.
constexpr double first_residual = 1e-2;
constexpr int max_first_sweeps = 200;
// Later ones until their residual is so much below that of the last sweep over all actions.
constexpr double worthwhile = 0.005;
constexpr int max_policy_sweeps = 100;
// From the wrong values modified policy iteration could go on for ever. Value iteration cannot: it
// takes over after so many rounds.
constexpr std::size_t max_modified_rounds = 1000;
constexpr double rounding = 1e-14;

}  // namespace

// --- the greedy equations
// -------------------------------------------------------------------------

void GreedyEquations::solve(ScalarisedSsp& ssp, std::span<const StateId> component, double residual,
                            int max_sweeps) {
  write_down(ssp, component);
  double change = 2 * residual;
  for (int i = 0; i < max_sweeps && change > residual; ++i) {
    change = sweep();
    ssp.count_backups(component.size());
  }
  for (std::size_t i = 0; i < component.size(); ++i)
    ssp.assign_value(component[i], value_[i]);
}

void GreedyEquations::write_down(const ScalarisedSsp& ssp, std::span<const StateId> component) {
  const SearchGraph& graph = ssp.graph();
  position_.resize(graph.num_states(), outside);
  value_.resize(component.size());
  constant_.resize(component.size());
  last_term_.resize(component.size());
  terms_.clear();
  for (std::size_t i = 0; i < component.size(); ++i)
    position_[component[i].index()] = static_cast<std::uint32_t>(i);
  for (std::size_t i = 0; i < component.size(); ++i) {
    const PairId p = ssp.choice(component[i]);
    const auto successors = graph.successors(p);
    const auto probabilities = graph.probabilities(p);
    value_[i] = ssp.value(component[i]);
    constant_[i] = ssp.cost(p);
    for (std::size_t k = 0; k < successors.size(); ++k) {
      const std::uint32_t position = position_[successors[k].index()];
      if (position == outside)  // its value is final
        constant_[i] += probabilities[k] * ssp.value(successors[k]);
      else
        terms_.push_back({probabilities[k], position});
    }
    last_term_[i] = terms_.size();
  }
  for (const StateId s : component)
    position_[s.index()] = outside;
}

double GreedyEquations::sweep() {
  double largest = 0;
  const Term* term = terms_.data();
  for (std::size_t i = 0; i < value_.size(); ++i) {
    double value = constant_[i];
    for (const Term* const end = terms_.data() + last_term_[i]; term != end; ++term)
      value += term->probability * value_[term->position];
    largest = std::max(largest, std::abs(value - value_[i]));
    value_[i] = value;
  }
  return largest;
}

// --- component after component
// --------------------------------------------------------------------

void TopologicalIteration::start() {
  const ProperRegion hopeful = ssp_.hopeful_region();
  ssp_.mark_hopeless(hopeful);
  find_components(hopeful.order);
  // From below, values rise by no more than the cost of a step in each sweep. Those of a proper
  // policy, even a bad one, come down much faster; but not those of giving up everywhere.
  if (values_ == Values::scalars && !ssp_.graph().cssp().can_give_up()) start_from(hopeful.choice);
}

/// Within a component states stay in the order given until values tell a better one.
void TopologicalIteration::find_components(const std::vector<StateId>& order) {
  const SearchGraph& graph = ssp_.graph();
  const auto outcomes_of = [&](std::size_t s) { return graph.successors(graph.pairs(StateId(s))); };
  const Components components = strongly_connected_components(
      graph.num_states(), [&](std::size_t s) { return outcomes_of(s).size(); },
      [&](std::size_t s, std::size_t i) { return outcomes_of(s)[i].index(); });
  const auto component_of = [&](StateId s) { return components.of[s.index()]; };
  std::copy_if(order.begin(), order.end(), std::back_inserter(states_),
               [&](StateId s) { return graph.is_expanded(s); });
  std::stable_sort(states_.begin(), states_.end(),
                   [&](StateId a, StateId b) { return component_of(a) < component_of(b); });
  for (std::size_t i = 0; i < states_.size(); ++i)
    if (i == 0 || component_of(states_[i]) != component_of(states_[i - 1])) first_.push_back(i);
  first_.push_back(states_.size());
}

void TopologicalIteration::start_from(const std::vector<PairId>& proper_policy) {
  for (const StateId s : states_)
    ssp_.set_choice(s, proper_policy[s.index()]);
  for (std::size_t c = 0; c < num_components(); ++c)
    equations_.solve(ssp_, component(c), first_residual, max_first_sweeps);
}

bool TopologicalIteration::solve(double epsilon, Limits& limits,
                                 const std::function<void()>& observe) {
  for (std::size_t c = 0; c < num_components(); ++c)
    if (!solve_component(component(c), epsilon, limits, observe)) return false;
  return true;
}

bool TopologicalIteration::solve_component(std::span<StateId> component, double epsilon,
                                           Limits& limits, const std::function<void()>& observe) {
  for (std::size_t round = 0;; ++round) {
    if (component.size() > 1 && round % 2 == 0) sort_by_value(component);
    // To and fro: where another λ turns a policy round, the order of the values is the wrong one.
    const double residual = sweep(component, round % 2 == 0, limits);
    if (limits.reached()) return false;
    if (residual <= epsilon || component.size() == 1) return true;
    if (observe) observe();
    if (values_ == Values::scalars && round < max_modified_rounds)
      equations_.solve(ssp_, component, worthwhile * residual, max_policy_sweeps);
  }
}

void TopologicalIteration::sort_by_value(std::span<StateId> component) const {
  std::stable_sort(component.begin(), component.end(),
                   [&](StateId a, StateId b) { return ssp_.value(a) < ssp_.value(b); });
}

/// Backs up every state. Returns the residual.
double TopologicalIteration::sweep(std::span<const StateId> component, bool forward,
                                   Limits& limits) {
  double residual = 0;
  for (std::size_t i = 0; i < component.size() && !limits.reached(); ++i) {
    const StateId s = component[forward ? i : component.size() - 1 - i];
    const double change =
        values_ == Values::scalars ? ssp_.assign_best_value(s) : ssp_.assign(s, ssp_.best_pair(s));
    // Where λ is huge, so are values, and their last digits never come to rest.
    if (change > rounding * std::abs(ssp_.value(s))) residual = std::max(residual, change);
  }
  return residual;
}

}  // namespace carl::ssp
