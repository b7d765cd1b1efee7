#include "cssp/tied_support.h"

#include <algorithm>
#include <cmath>

#include "lp/linear_program.h"

namespace carl::cssp {
namespace {

// How exactly equations of costs have to hold, relative to their right-hand side.
constexpr double equation_tolerance = 1e-7;

}  // namespace

TiedSupport::TiedSupport(ssp::ScalarisedSsp& ssp, double epsilon)
    : ssp_(ssp), row_of_(ssp.graph().num_states(), -1) {
  const graph::SearchGraph& graph = ssp.graph();
  const auto visit = [&](StateId s) {
    if (row_of_[s.index()] >= 0 || graph.is_goal(s) || !graph.is_expanded(s)) return;
    row_of_[s.index()] = static_cast<int>(states_.size());
    states_.push_back(s);
  };
  visit(graph.initial_state());
  for (std::size_t next = 0; next < states_.size(); ++next) {
    const double limit = ssp.best_pair(states_[next]).q + epsilon;
    for (const graph::PairId p : graph.pairs(states_[next])) {
      if (ssp.q(p) > limit) continue;
      const auto successors = graph.successors(p);
      const bool closed = std::all_of(successors.begin(), successors.end(), [&](StateId t) {
        return graph.is_goal(t) || graph.is_expanded(t);
      });
      if (!closed) continue;
      pairs_.push_back(p);
      for (const StateId t : successors)
        visit(t);
    }
  }
}

std::optional<std::vector<double>> TiedSupport::solve_equations(
    const std::vector<double>& multipliers, Monitor& monitor) const {
  const std::vector<Bound>& constraints = ssp_.graph().cssp().constraints();
  double primary = ssp_.value(ssp_.initial_state());
  std::vector<CostRow> rows;
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const auto [cost, upper] = constraints[i];
    primary -= multipliers[i] * upper;
    const double slack = equation_tolerance * std::max(1.0, upper);
    rows.push_back({cost, multipliers[i] > 0 ? upper - slack : -lp::infinity, upper});
  }
  const double slack = equation_tolerance * std::max(1.0, std::abs(primary));
  rows.push_back({0, primary - slack, primary + slack});
  return solve(rows, monitor);
}

std::optional<std::vector<double>> TiedSupport::least_primary_cost(Monitor& monitor) const {
  std::vector<CostRow> rows;
  for (const auto& [cost, upper] : ssp_.graph().cssp().constraints())
    rows.push_back({cost, -lp::infinity, upper});
  return solve(rows, monitor);
}

std::optional<std::vector<double>> TiedSupport::solve(const std::vector<CostRow>& cost_rows,
                                                      Monitor& monitor) const {
  const graph::SearchGraph& graph = ssp_.graph();
  lp::LinearProgram lp;
  for (const StateId s : states_) {
    const double enters = s == graph.initial_state() ? 1.0 : 0.0;
    lp.add_row(enters, enters);
  }
  for (const CostRow& row : cost_rows)
    lp.add_row(row.lower, row.upper);
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
      const double cost = graph.cost(p)[cost_rows[i].cost];
      if (cost == 0) continue;
      rows.push_back(static_cast<int>(states_.size() + i));
      coefficients.push_back(cost);
    }
    lp.add_column(graph.cost(p)[0], 0.0, lp::infinity, rows, coefficients);
  }
  if (lp.solve(lp::Method::dual_simplex, monitor) != lp::Status::optimal) return std::nullopt;
  std::vector<double> flow(graph.num_pairs(), 0.0);
  for (std::size_t j = 0; j < pairs_.size(); ++j)
    flow[pairs_[j].index()] = std::max(0.0, lp.values()[j]);
  return flow;
}

}  // namespace carl::cssp
