#include "cssp/growing_lp.h"

#include <algorithm>
#include <cmath>

#include "cssp/constraint_weights.h"
#include "graph/q_value.h"
#include "ssp/policy_iteration.h"

namespace carl::cssp {
namespace {

using graph::PairId;

// Bounds below this are taken for this when the cost rows are scaled.
constexpr double least_row_scale = 1e-6;
// Unless it is rounding of zero, the scaled objective is kept in this range, far above the solver's
// tolerance of 1e-9 and well below where that tolerance would ask for more digits than there are.
constexpr double rounding = 1e-6;
constexpr double least_objective = 1;
constexpr double largest_objective = 1e4;
constexpr double preferred_objective = 1e3;

}  // namespace

GrowingLp::GrowingLp(const graph::SearchGraph& graph) : graph_(graph) {
  lp_.take_numbers_as_they_are();
  const auto& constraints = graph.cssp().constraints();
  for (const Bound& bound : constraints) {
    row_scale_.push_back(std::max(bound.upper, least_row_scale));
    lp_.add_row(-lp::infinity, bound.upper / row_scale_.back());
    upper_.push_back(bound.upper);
  }
  // The z of the relaxed LP, closed until then.
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const int row = static_cast<int>(i);
    const double coefficient = -1;
    lp_.add_column(0.0, 0.0, 0.0, {&row, 1}, {&coefficient, 1});
    primary_cost_.push_back(0);
    pair_of_.emplace_back();
  }
  multipliers_.assign(constraints.size(), 0.0);
  weights_ = scalarisation(graph.cssp(), multipliers_);
}

std::size_t GrowingLp::add_column(std::span<const double> costs, const Entries& entries) {
  rows_.clear();
  coefficients_.clear();
  for (const auto& [row, coefficient] : entries) {
    if (coefficient == 0) continue;
    rows_.push_back(static_cast<int>(row));
    coefficients_.push_back(coefficient);
  }
  return add_collected_column(costs);
}

std::size_t GrowingLp::add_collected_column(std::span<const double> costs) {
  const auto& constraints = graph_.cssp().constraints();
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const double cost = costs[constraints[i].cost];
    if (cost == 0) continue;
    rows_.push_back(static_cast<int>(i));
    coefficients_.push_back(cost / row_scale_[i]);
  }
  primary_cost_.push_back(costs[0]);
  pair_of_.emplace_back();
  return lp_.add_column(costs[0] / primary_scale_, 0.0, lp::infinity, rows_, coefficients_);
}

void GrowingLp::add_fringe_state(StateId s, const Exit& exit) {
  if (row_of_.size() < graph_.num_states()) {
    row_of_.resize(graph_.num_states(), -1);
    exit_of_.resize(graph_.num_states(), no_column);
    value_.resize(graph_.num_states(), 0.0);
  }
  const double inflow = s == graph_.initial_state() ? 1 : 0;
  row_of_[s.index()] = static_cast<int>(lp_.add_row(inflow, inflow));
  // The value at which the exit has no reduced cost, for the choice of greedy actions.
  double value = graph::weighted_cost(exit.costs, weights_);
  rows_.assign({row_of_[s.index()]});
  coefficients_.assign({1.0});
  for (const auto& [row, coefficient] : exit.entries) {
    rows_.push_back(static_cast<int>(row));
    coefficients_.push_back(coefficient);
    value -= coefficient * dual(row);
  }
  value_[s.index()] = value;
  exit_of_[s.index()] = static_cast<std::uint32_t>(add_collected_column(exit.costs));
  new_states_.push_back(s);
}

bool GrowingLp::usable(PairId pair) const {
  const std::uint32_t column =
      pair.index() < column_of_.size() ? column_of_[pair.index()] : no_column;
  return column != no_column && !barred_[pair.index()];
}

bool GrowingLp::add_pair(PairId pair) {
  const auto successors = graph_.successors(pair);
  const auto probabilities = graph_.probabilities(pair);
  rows_.assign({row_of_[graph_.state(pair).index()]});
  coefficients_.assign({1.0});
  for (std::size_t k = 0; k < successors.size(); ++k) {
    if (graph_.is_goal(successors[k])) continue;
    if (!contains(successors[k])) return false;
    rows_.push_back(row_of_[successors[k].index()]);
    coefficients_.push_back(-probabilities[k]);
  }
  column_of_[pair.index()] = static_cast<std::uint32_t>(add_collected_column(graph_.cost(pair)));
  pair_of_.back() = pair;
  return true;
}

PairId GrowingLp::replace_exit(StateId s) {
  column_of_.resize(graph_.num_pairs(), no_column);
  barred_.resize(graph_.num_pairs(), false);
  PairId greedy;
  double least = lp::infinity;
  for (const PairId p : graph_.pairs(s)) {
    if (!add_pair(p)) continue;
    const double q = q_value(p);
    if (greedy.valid() && q >= least) continue;
    greedy = p;
    least = q;
  }
  if (greedy.valid()) value_[s.index()] = least;
  replaced_.emplace_back(s, greedy);
  return greedy;
}

bool GrowingLp::bar(PairId pair) {
  if (!usable(pair)) return false;
  barred_[pair.index()] = true;
  lp_.flush();
  lp_.set_column_bounds(column_of_[pair.index()], 0.0, 0.0);
  return true;
}

double GrowingLp::q_value(PairId pair) const {
  return graph::q_value(graph_, pair, graph::weighted_cost(graph_.cost(pair), weights_),
                        [&](StateId s) { return graph_.is_goal(s) ? 0.0 : value_[s.index()]; });
}

PairId GrowingLp::choice(StateId s) const {
  PairId best;
  double least = lp::infinity;
  for (const PairId p : graph_.pairs(s)) {
    if (!usable(p)) continue;
    if (lp_.is_basic(column_of_[p.index()])) return p;
    const double q = q_value(p);
    if (best.valid() && q >= least) continue;
    best = p;
    least = q;
  }
  return best;
}

void GrowingLp::give_hints() {
  lp_.flush();
  for (const StateId s : new_states_) {
    lp_.make_row_nonbasic(static_cast<std::size_t>(row_of_[s.index()]));
    lp_.make_column_basic(exit_of_[s.index()]);
  }
  for (const auto& [s, greedy] : replaced_) {
    const std::size_t exit = exit_of_[s.index()];
    lp_.set_column_bounds(exit, 0.0, 0.0);
    if (!greedy.valid() || !lp_.is_basic(exit)) continue;
    lp_.make_column_nonbasic(exit);
    lp_.make_column_basic(column_of_[greedy.index()]);
  }
  new_states_.clear();
  replaced_.clear();
}

lp::Status GrowingLp::solve(Monitor& monitor, const std::function<void(std::size_t)>& observe) {
  if (solves_ == 0) lp_.start_basis();
  give_hints();
  ++solves_;
  lp::Status status = lp_.solve(lp::Method::primal_simplex, monitor, observe);
  // Costs are not negative, so both are the solver's fault.
  if (status == lp::Status::failed || status == lp::Status::unbounded)
    status = solve_from_scratch(monitor);
  if (status != lp::Status::optimal) return status;
  objective_ = lp_.objective() * primary_scale_;
  learn_solution(primary_scale_);
  learn_flow();
  keep_in_range();
  return status;
}

void GrowingLp::learn_solution(double scale) {
  const auto duals = lp_.duals();
  dual_.assign(duals.begin(), duals.end());
  for (double& dual : dual_)
    dual *= scale;
  for (std::size_t i = 0; i < multipliers_.size(); ++i)
    multipliers_[i] = std::max(0.0, -dual_[i] / row_scale_[i]);
  weights_ = scalarisation(graph_.cssp(), multipliers_);
  for (std::size_t s = 0; s < row_of_.size(); ++s)
    if (row_of_[s] >= 0) value_[s] = dual_[static_cast<std::size_t>(row_of_[s])];
}

void GrowingLp::learn_flow() {
  const auto values = lp_.values();
  flow_.assign(graph_.num_pairs(), 0.0);
  for (std::size_t j = 0; j < pair_of_.size(); ++j)
    if (pair_of_[j].valid() && !barred_[pair_of_[j].index()])
      flow_[pair_of_[j].index()] = std::max(0.0, values[j]);
}

/// Another scale of the primary costs leaves the optimal basis optimal.
void GrowingLp::keep_in_range() {
  const double scaled = objective_ / primary_scale_;
  if (scaled < rounding || (scaled >= least_objective && scaled <= largest_objective)) return;
  primary_scale_ = objective_ / preferred_objective;
  set_scaled_objective();
}

void GrowingLp::set_scaled_objective() {
  for (std::size_t j = 0; j < primary_cost_.size(); ++j)
    lp_.set_objective(j, primary_cost_[j] / primary_scale_);
}

void GrowingLp::tighten_bounds(std::span<const double> costs) {
  for (std::size_t i = 0; i < upper_.size(); ++i) {
    const Bound& bound = graph_.cssp().constraints()[i];
    upper_[i] -= 2 * std::max(0.0, costs[bound.cost] - bound.upper);
    lp_.set_row_bounds(i, -lp::infinity, upper_[i] / row_scale_[i]);
  }
}

void GrowingLp::lift_bounds() {
  set_scaled_objective();
  for (std::size_t i = 0; i < row_scale_.size(); ++i)
    lp_.set_row_bounds(i, -lp::infinity, lp::infinity);
}

lp::Status GrowingLp::solve_from_scratch(Monitor& monitor) {
  lp_.start_basis();
  return lp_.solve(lp::Method::dual_simplex, monitor);
}

lp::Status GrowingLp::solve_relaxed(Monitor& monitor) {
  give_hints();
  for (std::size_t j = 0; j < primary_cost_.size(); ++j) {
    const bool is_slack = j < row_scale_.size();
    lp_.set_objective(j, is_slack ? 1.0 : 0.0);
    if (is_slack) lp_.set_column_bounds(j, 0.0, lp::infinity);
  }
  ++solves_;
  lp::Status status = lp_.solve(lp::Method::primal_simplex, monitor);
  if (status != lp::Status::optimal) status = solve_from_scratch(monitor);
  if (status != lp::Status::optimal) return status;
  objective_ = lp_.objective();
  learn_solution(1.0);
  return status;
}

}  // namespace carl::cssp
