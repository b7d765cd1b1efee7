#include "cssp/feasibility.h"

#include <algorithm>
#include <numeric>

#include "cssp/constraint_weights.h"

namespace carl::cssp {

bool meets_bounds(const Cssp& cssp, const std::vector<double>& costs) {
  // A little less than what is allowed: an exact check of the policy must come to the same end.
  constexpr double share = 1 - 1e-4;
  return std::all_of(cssp.constraints().begin(), cssp.constraints().end(), [&](const Bound& b) {
    return costs[b.cost] <= b.upper + share * bound_tolerance(b);
  });
}

Infeasibility infeasibility(const Cssp& cssp, std::span<const double> weights, double least) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  Infeasibility reason;
  reason.least = least / sum;
  reason.weights = per_bound(cssp, weights);
  for (double& weight : reason.weights)
    weight /= sum;
  for (std::size_t i = 0; i < weights.size(); ++i)
    reason.allowed += weights[i] / sum * cssp.constraints()[i].upper;
  return reason;
}

}  // namespace carl::cssp
