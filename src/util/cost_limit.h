// How large a cost, a bound or a penalty may be: one limit for all who read or make one.
#ifndef CARL_UTIL_COST_LIMIT_H
#define CARL_UTIL_COST_LIMIT_H

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace carl {

/// Beyond this a double no longer resolves single units, and sums of costs become meaningless.
inline constexpr double largest_cost = 1e15;

inline std::string above_largest_cost(std::string_view what, double value) {
  return fmt::format("the {} is {}, but must not be above {:.0e}", what, value, largest_cost);
}

inline constexpr const char* largest_cost_hint =
    "larger numbers cannot be added up accurately; use a larger unit";

}  // namespace carl

#endif
