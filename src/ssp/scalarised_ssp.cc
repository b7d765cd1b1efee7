#include "ssp/scalarised_ssp.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "graph/proper_region.h"
#include "ssp/policy_iteration.h"
#include "util/strongly_connected.h"
#include "util/timer.h"

namespace carl::ssp {
namespace {

constexpr std::size_t states_per_report = 4096;
// Differences below this (relative) are rounding errors.
constexpr double rounding = 1e-14;
// Instructions of a search for every Q-value, the keeping of queues and floors included: 400 to 725
// in the domains of benchmarks/.
constexpr std::size_t work_per_q_value = 550;

/// Q(s,a) as a vector.
void compute_q_vector(const SearchGraph& graph, PairId p, const std::vector<double>& vector,
                      std::vector<double>& out) {
  const auto cost = graph.cost(p);
  std::copy(cost.begin(), cost.end(), out.begin());
  const auto successors = graph.successors(p);
  const auto probabilities = graph.probabilities(p);
  for (std::size_t k = 0; k < successors.size(); ++k) {
    const double* value = vector.data() + successors[k].index() * out.size();
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] += probabilities[k] * value[i];
  }
}

std::vector<double> difference(std::span<const double> a, std::span<const double> b) {
  std::vector<double> result(a.begin(), a.end());
  for (std::size_t i = 0; i < b.size(); ++i)
    result[i] -= b[i];
  return result;
}

/// The largest share ≤ 1 such that every cost for the new weights is at least that share of what it
/// is for the old ones; so is every cost-to-go.
double least_share(std::span<const double> weights, std::span<const double> old) {
  double share = 1;
  for (std::size_t i = 0; i < old.size(); ++i)
    if (old[i] > 0) share = std::min(share, weights[i] / old[i]);
  return share;
}

}  // namespace

ScalarisedSsp::ScalarisedSsp(SearchGraph& graph, heuristics::Heuristic& heuristic,
                             std::span<const double> weights)
    : graph_(graph),
      heuristic_(&heuristic),
      stride_(graph.num_costs()),
      weights_(weights.begin(), weights.end()),
      q_vector_(stride_),
      other_q_vector_(stride_) {
  heuristic_->set_weights(weights);
  learn_costs();
  learn_states();
  evaluate_if_new(initial_state());
  take_over_expanded_states();
}

/// What is expanded already has estimates for a start. Choices are left to who backs it up.
void ScalarisedSsp::take_over_expanded_states() {
  if (heuristic_->is_zero()) return evaluate_all();
  for (const StateId s : graph_.expanded_states()) {
    evaluate_if_new(s);
    evaluate_successors(s);
  }
}

/// Without a look at who leads to whom.
void ScalarisedSsp::evaluate_all() {
  const PhaseTimer timer(heuristic_seconds_);
  for (std::size_t s = 0; s < graph_.num_states(); ++s)
    evaluate_if_new(StateId(s));
}

void ScalarisedSsp::set_weights(std::span<const double> weights) {
  const std::vector<double> direction = difference(weights, weights_);
  const double share = least_share(weights, weights_);
  weights_.assign(weights.begin(), weights.end());
  heuristic_->set_weights(weights);
  row_cost_.clear();
  learn_costs();
  const bool estimates_age = heuristic_->depends_on_weights();
  const auto is_valued = [&](std::size_t s) { return evaluated_[s] && scalar_[s] != infinity; };
  const auto is_estimate = [&](std::size_t s) { return is_fringe(StateId(s)) && !dead_end_[s]; };
  graph_.threads().for_each(scalar_.size(), [&](std::size_t s) {
    if (!is_valued(s) || (estimates_age && is_estimate(s))) return;
    scalar_[s] = vectors_lag_
                     ? std::max(0.0, scalar_[s] + weighted_cost(vector(StateId(s)), direction))
                     : project(StateId(s));
  });
  if (!estimates_age) return;
  for (std::size_t s = 0; s < scalar_.size(); ++s) {
    if (!is_valued(s) || !is_estimate(s)) continue;
    scalar_[s] *= share;
    outdated_[s] = true;
  }
}

bool ScalarisedSsp::bring_up_to_date(StateId s) {
  return bring_up_to_date(std::span(&s, 1));
}

bool ScalarisedSsp::bring_up_to_date(PairId p) {
  return bring_up_to_date(graph_.successors(p));
}

bool ScalarisedSsp::bring_up_to_date(std::span<const StateId> states) {
  at_hand_.clear();
  old_values_.clear();
  for (const StateId s : states) {
    if (!outdated_[s.index()] || !is_fringe(s)) continue;
    at_hand_.push_back(s);
    old_values_.push_back(value(s));
    outdated_[s.index()] = false;
  }
  if (at_hand_.empty()) return false;
  const PhaseTimer timer(heuristic_seconds_);
  evaluate(at_hand_);
  bool changed = false;
  for (std::size_t i = 0; i < at_hand_.size(); ++i) {
    double& now = scalar_[at_hand_[i].index()];
    now = std::max(old_values_[i], now);  // both are lower bounds
    changed |= now != old_values_[i];
  }
  return changed;
}

void ScalarisedSsp::change_heuristic(heuristics::Heuristic& heuristic) {
  work_of_other_heuristics_ += heuristic_->evaluations() * heuristic_->work_per_evaluation();
  heuristic_ = &heuristic;
  heuristic_->set_weights(weights_);
  for (std::size_t s = 0; s < scalar_.size(); ++s)
    if (evaluated_[s] && is_fringe(StateId(s)) && !dead_end_[s]) outdated_[s] = true;
}

void ScalarisedSsp::pairs_changed() {
  for (std::size_t s = 0; s < scalar_.size(); ++s) {
    if (choice_[s].valid() && !graph_.is_allowed(choice_[s])) choice_[s] = PairId();
    if (scalar_[s] != infinity || dead_end_[s]) continue;
    choice_[s] = PairId();
    evaluate(StateId(s));
  }
}

double ScalarisedSsp::project(StateId s) const {
  return weighted_cost(vector(s), weights_);
}

void ScalarisedSsp::learn_costs() {
  for (std::size_t row = row_cost_.size(); row < graph_.num_cost_rows(); ++row)
    row_cost_.push_back(weighted_cost(graph_.cost_of_row(row), weights_));
}

void ScalarisedSsp::learn_states() {
  vector_.resize(graph_.num_states() * stride_, 0.0);
  scalar_.resize(graph_.num_states(), 0.0);
  evaluated_.resize(graph_.num_states(), false);
  outdated_.resize(graph_.num_states(), false);
  dead_end_.resize(graph_.num_states(), false);
  choice_.resize(graph_.num_states());
}

std::size_t ScalarisedSsp::work() const {
  return work_of_other_heuristics_ + heuristic_->evaluations() * heuristic_->work_per_evaluation() +
         num_q_values_ * work_per_q_value + graph_.num_outcomes() * graph::work_per_outcome;
}

void ScalarisedSsp::evaluate_if_new(StateId s) {
  if (is_to_be_evaluated(s)) evaluate(s);
}

/// Goals are known already.
bool ScalarisedSsp::is_to_be_evaluated(StateId s) {
  if (evaluated_[s.index()]) return false;
  evaluated_[s.index()] = true;
  return !graph_.is_goal(s);
}

void ScalarisedSsp::evaluate(StateId s) {
  const auto out = std::span(vector_).subspan(s.index() * stride_, stride_);
  learn_estimate(s, heuristic_->evaluate(s, out));
}

/// Which several threads may share.
void ScalarisedSsp::evaluate(std::span<const StateId> states) {
  if (states.empty()) return;
  if (states.size() == 1) return evaluate(states[0]);
  estimates_.resize(states.size() * stride_);
  is_hopeful_.resize(states.size());
  heuristic_->evaluate_all(states, estimates_, is_hopeful_);
  for (std::size_t i = 0; i < states.size(); ++i) {
    std::copy_n(&estimates_[i * stride_], stride_, &vector_[states[i].index() * stride_]);
    learn_estimate(states[i], is_hopeful_[i] != 0);
  }
}

/// The vector of the state is the estimate.
void ScalarisedSsp::learn_estimate(StateId s, bool is_hopeful) {
  dead_end_[s.index()] = !is_hopeful;
  const bool hopeless = !is_hopeful && !graph_.cssp().can_give_up();
  scalar_[s.index()] = hopeless ? infinity : project(s);
}

void ScalarisedSsp::expand(StateId state) {
  assert(is_fringe(state));
  if (dead_end_[state.index()])
    graph_.expand_to_give_up(state);
  else
    graph_.expand(state);
  learn_costs();
  learn_states();
  evaluate_successors(state);
}

void ScalarisedSsp::evaluate_successors(StateId state) {
  const PhaseTimer timer(heuristic_seconds_);
  at_hand_.clear();
  graph_.for_each_successor(state, [&](StateId t) {
    if (is_to_be_evaluated(t)) at_hand_.push_back(t);
  });
  evaluate(at_hand_);
}

bool ScalarisedSsp::expand_all(Monitor& monitor) {
  if (heuristic_->is_zero()) return expand_blindly(monitor);
  std::vector<StateId> queue{initial_state()};
  std::vector<bool> queued;
  const auto visit = [&](StateId s) {
    if (queued[s.index()] || graph_.is_goal(s) || value(s) == infinity) return;
    queued[s.index()] = true;
    queue.push_back(s);
  };
  for (std::size_t next = 0; next < queue.size(); ++next) {
    if (monitor.reached()) return false;
    if (next % states_per_report == 0) report_search(*this, monitor);
    if (is_fringe(queue[next]))
      expand(queue[next]);
    else
      evaluate_successors(queue[next]);  // the graph knew it already
    queued.resize(graph_.num_states(), false);
    queued[initial_state().index()] = true;
    for (const PairId p : graph_.pairs(queue[next]))
      for (const StateId t : graph_.successors(p))
        visit(t);
  }
  return true;
}

/// At once, which several threads can do.
bool ScalarisedSsp::expand_blindly(Monitor& monitor) {
  const bool whole = graph_.expand_all(monitor);
  learn_costs();
  learn_states();
  evaluate_all();
  return whole;
}

bool ScalarisedSsp::wins_tie(PairId candidate, PairId best) {
  compute_q_vector(graph_, candidate, vector_, q_vector_);
  compute_q_vector(graph_, best, vector_, other_q_vector_);
  for (std::size_t i = 0; i < stride_; ++i) {
    const double slack = tie * std::abs(other_q_vector_[i]);
    if (q_vector_[i] < other_q_vector_[i] - slack) return true;
    if (q_vector_[i] > other_q_vector_[i] + slack) return false;
  }
  return false;
}

double ScalarisedSsp::residual(StateId s, const Candidate& best) {
  if (best.q == infinity) return scalar_[s.index()] == infinity ? 0 : infinity;
  compute_q_vector(graph_, best.pair, vector_, q_vector_);
  double change = std::abs(best.q - scalar_[s.index()]);
  if (scalar_residual_) return change;
  const double* old = vector_.data() + s.index() * stride_;
  for (std::size_t i = 0; i < stride_; ++i)
    change = std::max(change, std::abs(q_vector_[i] - old[i]));
  return change;
}

double ScalarisedSsp::assign(StateId s, const Candidate& best) {
  ++num_backups_;
  const double change = residual(s, best);
  choice_[s.index()] = best.pair;
  scalar_[s.index()] = best.q;
  if (best.q != infinity)
    std::copy(q_vector_.begin(), q_vector_.end(),
              vector_.begin() + static_cast<std::ptrdiff_t>(s.index() * stride_));
  return change;
}

double ScalarisedSsp::assign_best_value(StateId s) {
  ++num_backups_;
  Candidate best{choice_[s.index()], infinity};
  if (best.pair.valid()) best.q = q(best.pair);
  for (const PairId p : graph_.pairs(s))
    if (const double value = q(p); value < best.q - tie * value) best = {p, value};
  const double change = std::abs(best.q - value(s));
  choice_[s.index()] = best.pair;
  assign_value(s, best.q);
  return change;
}

void ScalarisedSsp::set_vector(StateId s, std::span<const double> vector) {
  std::copy(vector.begin(), vector.end(),
            vector_.begin() + static_cast<std::ptrdiff_t>(s.index() * stride_));
  scalar_[s.index()] = project(s);
}

bool ScalarisedSsp::greedy_policy_is_closed() const {
  // Where all states have been solved there is no need to follow choices.
  const auto is_known = [&](std::size_t s) {
    return graph_.is_goal(StateId(s)) || (choice_[s].valid() && scalar_[s] != infinity);
  };
  std::size_t known = 0;
  while (known < graph_.num_states() && is_known(known))
    ++known;
  if (known == graph_.num_states()) return true;
  std::vector<bool> seen(graph_.num_states(), false);
  std::vector<StateId> stack{graph_.initial_state()};
  seen[graph_.initial_state().index()] = true;
  while (!stack.empty()) {
    const StateId s = stack.back();
    stack.pop_back();
    if (graph_.is_goal(s)) continue;
    if (!choice_[s.index()].valid() || value(s) == infinity) return false;
    for (const StateId t : graph_.successors(choice_[s.index()]))
      if (!seen[t.index()]) {
        seen[t.index()] = true;
        stack.push_back(t);
      }
  }
  return true;
}

bool ScalarisedSsp::goal_is_out_of_reach(Monitor& monitor) const {
  std::vector<bool> hopeful(graph_.num_states());
  for (std::size_t s = 0; s < graph_.num_states(); ++s)
    hopeful[s] =
        graph_.is_goal(StateId(s)) || (!graph_.is_expanded(StateId(s)) && scalar_[s] < infinity);
  return !graph::proper_region(graph_, hopeful, monitor).contains(graph_.initial_state());
}

bool ScalarisedSsp::lower_to_best(double tolerance, bool& changed, Monitor& monitor) {
  changed = false;
  // States found later tend to be nearer to the goal.
  for (std::size_t s = graph_.num_states(); s-- > 0;) {
    if (!graph_.is_expanded(StateId(s)) || scalar_[s] == infinity) continue;
    if (monitor.reached()) return false;
    const bool has_choice = choice_[s].valid();  // unless a limit ended a search just there
    const double limit = scalar_[s] - std::max(tolerance, rounding * scalar_[s]);
    Candidate best = best_pair(StateId(s));
    while (best.q < limit && bring_up_to_date(best.pair))
      best = best_pair(StateId(s));
    if (has_choice && best.q >= limit) continue;
    assign(StateId(s), best);
    changed = true;
  }
  return true;
}

bool ScalarisedSsp::escape_traps() {
  if (!greedy_policy_is_closed()) return false;
  const Policy policy = greedy_policy();
  constexpr std::uint32_t outside = ~std::uint32_t{0};
  std::vector<std::uint32_t> node_of(graph_.num_states(), outside);
  for (std::size_t i = 0; i < policy.size(); ++i)
    node_of[policy.state(i).index()] = static_cast<std::uint32_t>(i);
  const auto successors_of = [&](std::size_t i) {
    return graph_.successors(policy.choices(i)[0].pair);
  };
  // Goals are nodes, too: without them a component that leads to one would look like a trap.
  const std::size_t goal = policy.size();
  const Components components = strongly_connected_components(
      goal + 1, [&](std::size_t i) { return i == goal ? 0 : successors_of(i).size(); },
      [&](std::size_t i, std::size_t k) {
        const std::uint32_t node = node_of[successors_of(i)[k].index()];
        return node == outside ? goal : node;
      });
  bool changed = false;
  const ComponentMembers members(components);
  for (std::size_t c = 0; c < members.num_components(); ++c)
    changed |= raise_if_trap(policy, members[c], [&](StateId t) {
      const std::uint32_t node = node_of[t.index()];
      return node != outside && components.of[node] == c;
    });
  return changed;
}

template <class Inside>
bool ScalarisedSsp::raise_if_trap(const Policy& policy, std::span<const std::uint32_t> members,
                                  Inside inside) {
  for (const std::uint32_t i : members) {
    if (i == policy.size() || graph_.ends(policy.choices(i)[0].pair)) return false;
    for (const StateId t : graph_.successors(policy.choices(i)[0].pair))
      if (!inside(t)) return false;
  }
  double least = infinity;
  std::vector<double> way_out(stride_);
  for (const std::uint32_t i : members)
    for (const PairId p : graph_.pairs(policy.state(i))) {
      const auto successors = graph_.successors(p);
      const auto probabilities = graph_.probabilities(p);
      double leaving = graph_.ends(p) ? 1 : 0;
      double value = cost(p);
      std::vector<double> sum(graph_.cost(p).begin(), graph_.cost(p).end());
      for (std::size_t k = 0; k < successors.size(); ++k) {
        if (inside(successors[k])) continue;
        leaving += probabilities[k];
        value += probabilities[k] * this->value(successors[k]);
        for (std::size_t j = 0; j < stride_; ++j)
          sum[j] += probabilities[k] * vector(successors[k])[j];
      }
      if (leaving == 0 || value / leaving >= least) continue;
      least = value / leaving;
      for (std::size_t j = 0; j < stride_; ++j)
        way_out[j] = sum[j] / leaving;
    }
  bool changed = false;
  for (const std::uint32_t i : members) {
    const StateId s = policy.state(i);
    if (value(s) >= least) continue;
    changed = true;
    if (least != infinity) set_vector(s, way_out);
    scalar_[s.index()] = least;  // not the projection: vectors of outdated states are of another λ
  }
  return changed;
}

bool ScalarisedSsp::mark_hopeless(Monitor& monitor) {
  return !graph_.can_always_give_up() && mark_hopeless(hopeful_region(monitor));
}

graph::ProperRegion ScalarisedSsp::hopeful_region(Monitor& monitor) const {
  std::vector<bool> targets(graph_.num_states());
  for (std::size_t s = 0; s < graph_.num_states(); ++s)
    targets[s] = graph_.is_goal(StateId(s)) || is_fringe(StateId(s));
  return graph::proper_region(graph_, targets, monitor);
}

bool ScalarisedSsp::mark_hopeless(const graph::ProperRegion& hopeful) {
  bool found = false;
  for (std::size_t s = 0; s < graph_.num_states(); ++s)
    if (!hopeful.member[s] && scalar_[s] != infinity) {
      scalar_[s] = infinity;
      found = true;
    }
  return found;
}

void report_search(const ScalarisedSsp& ssp, Monitor& monitor) {
  monitor.report([&](Progress& progress) {
    progress.states = ssp.graph().num_states();
    progress.backups = ssp.num_backups();
  });
}

}  // namespace carl::ssp
