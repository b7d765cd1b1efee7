#include "cssp/outer_search.h"

#include <algorithm>
#include <cmath>

#include "cssp/extract.h"

namespace carl::cssp {

namespace {

constexpr double rounding = 1e-12;

}  // namespace

double violation(const Bound& bound, const std::vector<double>& costs) {
  const double difference = costs[bound.cost] - bound.upper;
  return std::abs(difference) <= rounding * std::max(1.0, bound.upper) ? 0.0 : difference;
}

double Incumbent::gap() const {
  if (upper_bound == std::numeric_limits<double>::infinity()) return upper_bound;
  return std::max(0.0, upper_bound - lower_bound) / std::max(1.0, std::abs(upper_bound));
}

Lagrangian::Answer OuterSearch::query(const std::vector<double>& multipliers) {
  const Lagrangian::Answer answer = lagrangian_.query(multipliers);
  if (answer.outcome != Lagrangian::Outcome::answered) return answer;
  double bound = answer.lower_bound;
  for (std::size_t i = 0; i < multipliers.size(); ++i) {
    // A lower bound for every policy that counts as feasible.
    const Bound& constraint = lagrangian_.constraints()[i];
    bound -= multipliers[i] * (constraint.upper + feasibility_tolerance(constraint));
  }
  if (bound > incumbent_.lower_bound || incumbent_.multipliers.empty()) {
    incumbent_.lower_bound = std::max(bound, incumbent_.lower_bound);
    incumbent_.multipliers = multipliers;
  }
  return answer;
}

}  // namespace carl::cssp
