// Random suites run at a fraction of their size where time is short (under sanitizers): they
// multiply their number of cases by the environment variable CARL_TEST_SCALE.
#ifndef CARL_TESTS_SUPPORT_SCALE_H
#define CARL_TESTS_SUPPORT_SCALE_H

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace carl::testing {

inline std::size_t scaled(std::size_t cases) {
  const char* scale = std::getenv("CARL_TEST_SCALE");
  if (scale == nullptr) return cases;
  const double wanted = std::atof(scale) * static_cast<double>(cases);
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::max(wanted, 0.0)));
}

/// How often something must have been seen: `n` times, unless the suite was cut short.
inline std::size_t at_full_scale(std::size_t n) {
  return scaled(10) == 10 ? n : 0;
}

}  // namespace carl::testing

#endif
