#include "cssp/tied_support.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>

#include "carl/solution.h"

namespace carl::cssp {
namespace {

// How exactly equations of costs have to hold, relative to their right-hand side.
constexpr double equation_tolerance = 1e-7;
// Of what a bound was exceeded by: enough not to exceed it again.
constexpr double margin_of_excess = 2;

}  // namespace

TiedSupport::TiedSupport(ssp::ScalarisedSsp& ssp)
    : ssp_(ssp), row_of_(ssp.graph().num_states(), -1) {
  for (const Bound& bound : ssp.graph().cssp().constraints())
    upper_.push_back(bound.upper);
}

void TiedSupport::add(StateId s) {
  row_of_[s.index()] = static_cast<int>(states_.size());
  states_.push_back(s);
}

bool TiedSupport::is_closed(graph::PairId p) const {
  const graph::SearchGraph& graph = ssp_.graph();
  const auto successors = graph.successors(p);
  return std::all_of(successors.begin(), successors.end(),
                     [&](StateId t) { return graph.is_goal(t) || graph.is_expanded(t); });
}

TiedSupport::TiedSupport(ssp::ScalarisedSsp& ssp, double epsilon) : TiedSupport(ssp) {
  const graph::SearchGraph& graph = ssp.graph();
  const auto visit = [&](StateId s) {
    if (!has_row(s) && !graph.is_goal(s) && graph.is_expanded(s)) add(s);
  };
  visit(graph.initial_state());
  for (std::size_t next = 0; next < states_.size(); ++next) {
    const double limit = ssp.best_pair(states_[next]).q + epsilon;
    for (const graph::PairId p : graph.pairs(states_[next])) {
      if (ssp.q(p) > limit || !is_closed(p)) continue;
      pairs_.push_back(p);
      for (const StateId t : graph.successors(p))
        visit(t);
    }
  }
}

void TiedSupport::add_fringe_of(graph::PairId p) {
  for (const StateId t : ssp_.graph().successors(p))
    if (ssp_.is_fringe(t)) fringe_.push_back(t);
}

TiedSupport TiedSupport::up_to(double loss, ssp::ScalarisedSsp& ssp) {
  const graph::SearchGraph& graph = ssp.graph();
  TiedSupport support(ssp);
  std::priority_queue<std::pair<double, StateId>> queue;  // Dijkstra's algorithm on probabilities
  const auto visit = [&](StateId s, double probability) {
    if (!support.has_row(s) && !graph.is_goal(s) && graph.is_expanded(s))
      queue.emplace(probability, s);
  };
  visit(graph.initial_state(), 1.0);
  while (!queue.empty()) {
    const auto [rho, s] = queue.top();
    queue.pop();
    if (support.has_row(s)) continue;
    support.add(s);
    const double best = ssp.best_pair(s).q;
    for (const graph::PairId p : graph.pairs(s)) {
      if (rho * (ssp.q(p) - best) > loss) continue;
      if (!support.is_closed(p)) {
        support.add_fringe_of(p);
        continue;
      }
      support.pairs_.push_back(p);
      const auto successors = graph.successors(p);
      for (std::size_t k = 0; k < successors.size(); ++k)
        visit(successors[k], rho * graph.probabilities(p)[k]);
    }
  }
  return support;
}

std::optional<std::vector<double>> TiedSupport::solve_equations(
    const std::vector<double>& multipliers, Monitor& monitor) {
  if (!lp_) make_lp();
  const std::vector<Bound>& constraints = ssp_.graph().cssp().constraints();
  double primary = ssp_.value(ssp_.initial_state());
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    primary -= multipliers[i] * constraints[i].upper;
    const double slack = equation_tolerance * std::max(1.0, constraints[i].upper);
    lp_->set_row_bounds(states_.size() + i, multipliers[i] > 0 ? upper_[i] - slack : -lp::infinity,
                        upper_[i]);
  }
  const double slack = equation_tolerance * std::max(1.0, std::abs(primary));
  lp_->set_row_bounds(states_.size() + constraints.size(), primary - slack, primary + slack);
  return solve(monitor);
}

std::optional<std::vector<double>> TiedSupport::least_primary_cost(Monitor& monitor) {
  if (!lp_) make_lp();
  for (std::size_t i = 0; i < upper_.size(); ++i)
    lp_->set_row_bounds(states_.size() + i, -lp::infinity, upper_[i]);
  lp_->set_row_bounds(states_.size() + upper_.size(), -lp::infinity, lp::infinity);
  return solve(monitor);
}

void TiedSupport::keep_margin(std::span<const double> costs) {
  const std::vector<Bound>& constraints = ssp_.graph().cssp().constraints();
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const double excess = costs[constraints[i].cost] - constraints[i].upper;
    if (excess > 0) upper_[i] -= margin_of_excess * excess;
  }
}

void TiedSupport::make_lp() {
  const graph::SearchGraph& graph = ssp_.graph();
  lp_.emplace();
  for (const StateId s : states_) {
    const double enters = s == graph.initial_state() ? 1.0 : 0.0;
    lp_->add_row(enters, enters);
  }
  std::vector<std::size_t> cost_rows;
  for (const Bound& bound : graph.cssp().constraints())
    cost_rows.push_back(bound.cost);
  cost_rows.push_back(0);
  for (std::size_t i = 0; i < cost_rows.size(); ++i)
    lp_->add_row(-lp::infinity, lp::infinity);
  std::vector<int> rows;
  std::vector<double> coefficients;
  for (const graph::PairId p : pairs_) {
    rows.assign(1, row_of_[graph.state(p).index()]);
    coefficients.assign(1, 1.0);
    const auto successors = graph.successors(p);
    for (std::size_t k = 0; k < successors.size(); ++k) {
      if (row_of_[successors[k].index()] < 0) continue;
      rows.push_back(row_of_[successors[k].index()]);
      coefficients.push_back(-graph.probabilities(p)[k]);
    }
    for (std::size_t i = 0; i < cost_rows.size(); ++i) {
      const double cost = graph.cost(p)[cost_rows[i]];
      if (cost == 0) continue;
      rows.push_back(static_cast<int>(states_.size() + i));
      coefficients.push_back(cost);
    }
    lp_->add_column(graph.cost(p)[0], 0.0, lp::infinity, rows, coefficients);
  }
  start_from_greedy_policy();
}

/// One column for each state is basic, and the rows of costs.
void TiedSupport::start_from_greedy_policy() {
  const graph::SearchGraph& graph = ssp_.graph();
  lp_->start_basis();
  for (std::size_t j = 0; j < pairs_.size(); ++j) {
    const StateId s = graph.state(pairs_[j]);
    if (ssp_.choice(s) != pairs_[j]) continue;
    lp_->make_column_basic(j);
    lp_->make_row_nonbasic(static_cast<std::size_t>(row_of_[s.index()]));
  }
}

std::optional<std::vector<double>> TiedSupport::solve(Monitor& monitor) {
  if (lp_->solve(lp::Method::primal_simplex, monitor) != lp::Status::optimal) return std::nullopt;
  std::vector<double> flow(ssp_.graph().num_pairs(), 0.0);
  for (std::size_t j = 0; j < pairs_.size(); ++j)
    flow[pairs_[j].index()] = std::max(0.0, lp_->values()[j]);
  return flow;
}

}  // namespace carl::cssp
