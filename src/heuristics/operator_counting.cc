#include "heuristics/operator_counting.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carl::heuristics {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Reduced costs of free columns below this (relative to the largest cost) are rounding.
constexpr double rounding = 1e-9;

}  // namespace

void OperatorCountingLp::add(std::uint32_t column, std::uint32_t row, double coefficient) {
  auto& entries = columns[column].entries;
  const auto same =
      std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return e.first == row; });
  if (same == entries.end())
    entries.emplace_back(row, coefficient);
  else
    same->second += coefficient;
}

std::vector<double> column_costs(const OperatorCountingLp& lp, std::span<const double> action_costs,
                                 double give_up_cost) {
  std::vector<double> costs(lp.columns.size(), 0.0);
  for (std::size_t j = 0; j < lp.action_of.size(); ++j)
    costs[j] = action_costs[lp.action_of[j]];
  if (lp.give_up_column) costs[*lp.give_up_column] = give_up_cost;
  return costs;
}

void add_columns(const OperatorCountingLp& description, std::span<const double> costs,
                 lp::LinearProgram& lp) {
  std::vector<int> rows;
  std::vector<double> coefficients;
  for (std::size_t j = 0; j < description.columns.size(); ++j) {
    rows.clear();
    coefficients.clear();
    for (const auto& [row, coefficient] : description.columns[j].entries) {
      if (coefficient == 0) continue;
      rows.push_back(static_cast<int>(row));
      coefficients.push_back(coefficient);
    }
    lp.add_column(costs[j], 0.0, infinity, rows, coefficients);
  }
}

void make_dual_feasible(const OperatorCountingLp& lp, std::span<const double> costs,
                        std::vector<double>& duals) {
  for (std::size_t i = 0; i < duals.size(); ++i)
    if (!lp.rows[i].equality) duals[i] = std::max(0.0, duals[i]);
  double largest_cost = 1;
  double scale = 1;
  double slack_used = 0;
  for (std::size_t j = 0; j < costs.size(); ++j) {
    largest_cost = std::max(largest_cost, costs[j]);
    double reduced = 0;
    for (const auto& [row, coefficient] : lp.columns[j].entries)
      reduced += duals[row] * coefficient;
    if (reduced <= costs[j]) continue;
    if (costs[j] > 0)
      scale = std::min(scale, costs[j] / reduced);
    else
      slack_used = std::max(slack_used, reduced);
  }
  if (slack_used > rounding * largest_cost) scale = 0;
  for (double& dual : duals)
    dual *= scale;
}

std::uint32_t add_common_part(const task::Task& task, const OperatorCountingRules& rules,
                              OperatorCountingLp& lp) {
  for (std::size_t a = 0; a < task.actions.size(); ++a) {
    if (!rules.allowed[a]) continue;
    lp.add_column();
    lp.action_of.push_back(static_cast<std::uint32_t>(a));
  }
  const std::uint32_t end = lp.add_row({1.0, true, 0, 0, 0});
  const auto first_goal = static_cast<std::uint32_t>(lp.columns.size());
  for (std::size_t k = 0; k < task.goal.size(); ++k)
    lp.add(lp.add_column(), end, 1.0);
  if (rules.give_up) {
    lp.give_up_column = lp.add_column();
    lp.add(*lp.give_up_column, end, 1.0);
  }
  return first_goal;
}

OperatorCounting::OperatorCounting(OperatorCountingLp description)
    : description_(std::move(description)) {
  for (std::size_t i = 0; i < description_.rows.size(); ++i) {
    const auto& row = description_.rows[i];
    lp_.add_row(row.constant, row.upper(row.constant));
    if (row.when_fact == 0) continue;
    if (rows_of_variable_.size() <= row.fact_variable)
      rows_of_variable_.resize(row.fact_variable + 1);
    rows_of_variable_[row.fact_variable].push_back(static_cast<std::uint32_t>(i));
  }
  add_columns(description_, std::vector<double>(description_.columns.size(), 0.0), lp_);
  lp_.prepare_to_resolve();
}

void OperatorCounting::set_costs(std::span<const double> action_costs, double give_up_cost) {
  costs_ = column_costs(description_, action_costs, give_up_cost);
  for (std::size_t j = 0; j < costs_.size(); ++j)
    lp_.set_objective(j, costs_[j]);
}

void OperatorCounting::move_to(std::span<const std::uint32_t> state) {
  state_.resize(state.size(), ~std::uint32_t{0});
  for (std::size_t v = 0; v < std::min(state.size(), rows_of_variable_.size()); ++v) {
    if (state_[v] == state[v]) continue;
    for (const std::uint32_t i : rows_of_variable_[v]) {
      const auto& row = description_.rows[i];
      const double b = row.right_hand_side(state);
      lp_.set_row_bounds(i, b, row.upper(b));
    }
    state_[v] = state[v];
  }
}

double OperatorCounting::estimate(std::span<const std::uint32_t> state,
                                  std::vector<ActionUse>& uses) {
  uses.clear();
  move_to(state);
  ++solves_;
  const lp::Status status = lp_.resolve();
  if (status == lp::Status::infeasible) return infinity;
  if (status != lp::Status::optimal) return 0;
  const double objective = lp_.objective();
  const auto values = lp_.values();
  const double estimate = std::clamp(safe_bound(state), 0.0, std::max(0.0, objective));
  if (estimate == 0) return 0;
  const double share = estimate / objective;
  for (std::size_t j = 0; j < description_.action_of.size(); ++j)
    if (values[j] > 0) uses.push_back({description_.action_of[j], values[j] * share});
  if (const auto g = description_.give_up_column; g && values[*g] > 0)
    uses.push_back({give_up_use, values[*g] * share});
  return estimate;
}

/// y·b for duals y made feasible: whatever the solver rounded, this is a lower bound on the LP.
double OperatorCounting::safe_bound(std::span<const std::uint32_t> state) {
  const auto duals = lp_.duals();
  duals_.assign(duals.begin(), duals.end());
  make_dual_feasible(description_, costs_, duals_);
  double bound = 0;
  for (std::size_t i = 0; i < duals_.size(); ++i)
    bound += duals_[i] * description_.rows[i].right_hand_side(state);
  return bound;
}

}  // namespace carl::heuristics
