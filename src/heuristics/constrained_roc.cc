#include "heuristics/constrained_roc.h"

#include <algorithm>

#include "heuristics/task_heuristics.h"
#include "lp/linear_program.h"

namespace carl::heuristics {
namespace {

/// The rows of the bounds are scaled: tolerances are absolute.
double row_scale(const Bound& bound) {
  return bound.upper > 0 ? bound.upper : 1.0;
}

}  // namespace

OperatorCountingLp constrained_roc_lp(const TaskContext& context) {
  OperatorCountingLp lp = roc_lp(context.model.task(), context.rules);
  for (const Bound& bound : context.cssp.constraints()) {
    const double scale = row_scale(bound);
    const std::uint32_t row = lp.add_row({-bound.upper / scale, false, 0, 0, 0});
    for (std::uint32_t j = 0; j < lp.action_of.size(); ++j) {
      const auto cost = context.cssp.cost(ActionId(lp.action_of[j]));
      lp.add(j, row, -cost[bound.cost] / scale);
    }
    if (lp.give_up_column)
      lp.add(*lp.give_up_column, row, -(*context.cssp.give_up_penalty())[bound.cost] / scale);
  }
  return lp;
}

std::optional<ConstrainedRoc> constrained_roc(const TaskContext& context, Monitor& monitor) {
  const Cssp& cssp = context.cssp;
  const OperatorCountingLp roc = constrained_roc_lp(context);
  std::vector<double> primary(cssp.num_costs(), 0.0);
  primary[0] = 1;
  const std::vector<std::uint32_t>& initial = context.model.task().initial;
  const std::vector<double> costs =
      column_costs(roc, scalar_costs(cssp, context.model, primary), give_up_cost(cssp, primary));
  lp::LinearProgram lp;
  for (const auto& row : roc.rows) {
    const double b = row.right_hand_side(initial);
    lp.add_row(b, row.upper(b));
  }
  add_columns(roc, costs, lp);
  if (lp.solve(lp::Method::dual_simplex, monitor) != lp::Status::optimal) return std::nullopt;
  ConstrainedRoc result;
  result.value = lp.objective();
  const std::size_t first = roc.rows.size() - cssp.constraints().size();
  for (std::size_t i = 0; i < cssp.constraints().size(); ++i)
    result.multipliers.push_back(std::max(0.0, lp.duals()[first + i]) /
                                 row_scale(cssp.constraints()[i]));
  return result;
}

}  // namespace carl::heuristics
