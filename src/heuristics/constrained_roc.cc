#include "heuristics/constrained_roc.h"

#include <algorithm>

#include "heuristics/make_heuristic.h"
#include "heuristics/task_heuristics.h"
#include "lp/linear_program.h"

namespace carl::heuristics {
namespace {

/// The cost vector of a column: an action's, giving up's, or none.
std::vector<double> cost_of_column(const TaskContext& context, const OperatorCountingLp& lp,
                                   std::size_t column) {
  const task::Task& task = context.model.task();
  if (column < lp.action_of.size())
    return task.cost_vectors[task.actions[lp.action_of[column]].cost];
  if (lp.give_up_column == column) return *context.cssp.give_up_penalty();
  return std::vector<double>(context.cssp.num_costs(), 0.0);
}

}  // namespace

std::optional<ConstrainedRoc> constrained_roc(Cssp& cssp, Limits& limits) {
  if (!has_task(cssp)) return std::nullopt;
  const TaskContext context(cssp);
  const OperatorCountingLp roc = roc_lp(context.model.task(), context.rules);
  const std::vector<std::uint32_t>& initial = context.model.task().initial;
  lp::LinearProgram lp;
  for (const auto& row : roc.rows) {
    const double b = row.right_hand_side(initial);
    lp.add_row(b, row.upper(b));
  }
  for (const Bound& bound : cssp.constraints())
    lp.add_row(-lp::infinity, bound.upper);
  for (std::size_t j = 0; j < roc.columns.size(); ++j) {
    std::vector<int> rows;
    std::vector<double> coefficients;
    const auto add = [&](std::size_t row, double coefficient) {
      if (coefficient == 0) return;
      rows.push_back(static_cast<int>(row));
      coefficients.push_back(coefficient);
    };
    for (const auto& [row, coefficient] : roc.columns[j].entries)
      add(row, coefficient);
    const std::vector<double> cost = cost_of_column(context, roc, j);
    for (std::size_t i = 0; i < cssp.constraints().size(); ++i)
      add(roc.rows.size() + i, cost[cssp.constraints()[i].cost]);
    lp.add_column(cost[0], 0.0, lp::infinity, rows, coefficients);
  }
  if (lp.solve(lp::Method::dual_simplex, limits) != lp::Status::optimal) return std::nullopt;
  ConstrainedRoc result;
  result.value = lp.objective();
  for (std::size_t i = 0; i < cssp.constraints().size(); ++i)
    result.multipliers.push_back(std::max(0.0, -lp.duals()[roc.rows.size() + i]));
  return result;
}

}  // namespace carl::heuristics
