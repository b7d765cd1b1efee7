#include "carl/solution.h"

#include <algorithm>
#include <cmath>

namespace carl {

std::string_view to_string(Status status) {
  switch (status) {
    case Status::optimal:
      return "optimal";
    case Status::infeasible:
      return "infeasible";
    case Status::no_proper_policy:
      return "no-proper-policy";
    case Status::limit:
      return "limit";
    case Status::interrupted:
      return "interrupted";
  }
  return "limit";
}

std::optional<double> Solution::gap() const {
  if (!costs || !lower_bound) return std::nullopt;
  return relative_gap((*costs)[0], *lower_bound);
}

PolicySize Solution::policy_size() const {
  if (spread_policy) return *spread_policy;
  return {policy.size(), policy.num_stochastic_states()};
}

double relative_gap(double upper, double lower) {
  const double difference = upper - lower;
  return difference > 0 ? difference / std::abs(upper) : 0.0;
}

double bound_tolerance(const Bound& bound) {
  return 1e-9 * bound.upper;
}

double excess(const Bound& bound, double cost) {
  const double difference = cost - bound.upper;
  return difference > 1e-12 * bound.upper ? difference : 0.0;
}

}  // namespace carl
