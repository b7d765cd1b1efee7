// How often values occur, in few enough bars to look at.
#ifndef CARL_HISTOGRAM_H
#define CARL_HISTOGRAM_H

#include <cstddef>
#include <optional>
#include <vector>

#include "carl/simulate.h"

namespace carl {

/// The values from `from` to below `to`, or one value if the two are the same.
struct HistogramBar {
  double from = 0;
  double to = 0;
  std::size_t count = 0;
  bool above = false;  // the bound
};

/// A bar for each value if there are no more than `most` different ones, else for each of about as
/// many intervals of equal width with round limits. No bar has values on both sides of `bound`: an
/// interval ends there. `values` must not be empty.
std::vector<HistogramBar> histogram_bars(const Distribution& values,
                                         const std::optional<Bound>& bound, std::size_t most);

}  // namespace carl

#endif
