#include "cssp/constraint_weights.h"

namespace carl::cssp {

std::vector<double> scalarisation(const Cssp& cssp, std::span<const double> multipliers) {
  std::vector<double> weights = secondary_weights(cssp, multipliers);
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

std::vector<double> secondary_weights(const Cssp& cssp, std::span<const double> per_constraint) {
  std::vector<double> weights(cssp.num_costs(), 0.0);
  for (std::size_t i = 0; i < per_constraint.size(); ++i)
    weights[cssp.constraints()[i].cost] += per_constraint[i];
  return weights;
}

}  // namespace carl::cssp
