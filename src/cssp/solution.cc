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
  const double upper = (*costs)[0];
  return std::max(0.0, upper - *lower_bound) / std::max(1.0, std::abs(upper));
}

}  // namespace carl
