#include "cssp/lower_line.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "cssp/constraint_weights.h"
#include "ssp/sub_solution.h"

namespace carl::cssp {

LowerLine lower_line(const graph::SearchGraph& graph, std::span<const double> multipliers,
                     std::vector<double> values, Monitor& monitor) {
  const std::vector<double> weights = scalarisation(graph.cssp(), multipliers);
  const double least = ssp::sound_lower_bound(graph, weights, std::move(values), monitor);
  return {per_cost(graph.cssp(), multipliers), least};
}

LineConditions::LineConditions(const Cssp& cssp)
    : zero_costs(cssp.zero_costs()),
      penalties(cssp.give_up_penalty().value_or(
          std::vector<double>(cssp.num_costs(), std::numeric_limits<double>::infinity()))) {
  std::sort(zero_costs.begin(), zero_costs.end());
}

bool LineConditions::cover(const Cssp& cssp) const {
  const LineConditions now(cssp);
  return std::includes(now.zero_costs.begin(), now.zero_costs.end(), zero_costs.begin(),
                       zero_costs.end()) &&
         std::equal(penalties.begin(), penalties.end(), now.penalties.begin(),
                    [](double then, double later) { return later >= then; });
}

bool is_about(const Cssp& cssp, const LowerLine& line) {
  for (std::size_t c = 0; c < line.multipliers.size(); ++c) {
    const auto is_of_cost = [&](const Bound& bound) { return bound.cost == c; };
    if (line.multipliers[c] > 0 &&
        std::none_of(cssp.bounds().begin(), cssp.bounds().end(), is_of_cost))
      return false;
  }
  return true;
}

double lower_bound(const Cssp& cssp, const LowerLine& line,
                   const std::optional<std::vector<double>>& costs) {
  // The terms may be much larger than their difference, so every digit counts.
  long double bound = line.least;
  for (const auto& [cost, upper] : cssp.constraints()) {
    const double allowed = costs ? std::max(upper, (*costs)[cost]) : upper;
    bound -= static_cast<long double>(line.multipliers[cost]) * allowed;
  }
  return std::max(0.0, static_cast<double>(bound));
}

void set_lower_bound(const Cssp& cssp, std::span<const LowerLine> lines, Solution& solution) {
  solution.lower_bound.reset();
  for (const LowerLine& line : lines) {
    const double bound = lower_bound(cssp, line, solution.costs);
    if (solution.lower_bound && bound <= *solution.lower_bound) continue;
    solution.lower_bound = bound;
    solution.multipliers = per_bound(cssp, per_constraint(cssp, line.multipliers));
  }
  // It holds for this policy too; what is left are the last digits.
  if (solution.lower_bound && solution.costs)
    solution.lower_bound = std::min(*solution.lower_bound, solution.costs->front());
}

}  // namespace carl::cssp
