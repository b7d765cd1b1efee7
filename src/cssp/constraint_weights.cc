#include "cssp/constraint_weights.h"

namespace carl::cssp {

std::vector<double> scalarisation(const Cssp& cssp, std::span<const double> multipliers) {
  std::vector<double> weights = per_cost(cssp, multipliers);
  weights[0] += 1;
  return weights;
}

std::vector<double> per_bound(const Cssp& cssp, std::span<const double> per_constraint) {
  std::vector<double> result(cssp.bounds().size(), 0.0);
  for (std::size_t b = 0; b < result.size(); ++b)
    for (std::size_t i = 0; i < per_constraint.size(); ++i)
      if (cssp.constraints()[i].cost == cssp.bounds()[b].cost) result[b] = per_constraint[i];
  return result;
}

std::vector<double> per_cost(const Cssp& cssp, std::span<const double> per_constraint) {
  std::vector<double> result(cssp.num_costs(), 0.0);
  for (std::size_t i = 0; i < per_constraint.size(); ++i)
    result[cssp.constraints()[i].cost] += per_constraint[i];
  return result;
}

std::vector<double> per_constraint(const Cssp& cssp, std::span<const double> per_cost) {
  std::vector<double> result;
  for (const Bound& bound : cssp.constraints())
    result.push_back(per_cost[bound.cost]);
  return result;
}

}  // namespace carl::cssp
