// Rounding in a chosen direction, for bounds that must stay bounds.
#ifndef CARL_UTIL_ROUNDING_H
#define CARL_UTIL_ROUNDING_H

#include <cmath>

namespace carl {

/// The largest double that is not above a non-negative q.
inline double rounded_down(long double q) {
  const auto nearest = static_cast<double>(q);
  return nearest > q ? std::nextafter(nearest, 0.0) : nearest;
}

}  // namespace carl

#endif
