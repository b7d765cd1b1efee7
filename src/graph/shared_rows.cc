#include "graph/shared_rows.h"

#include <limits>

#include "carl/monitor.h"

namespace carl::graph {

std::uint32_t SharedRows::intern_costs(std::span<const double> cost, double repeats) {
  row_.clear();
  for (const double c : cost)
    row_.push_back(c * repeats);
  row_.push_back(repeats);
  return costs_.intern(row_);
}

std::uint32_t SharedRows::intern_probabilities(std::span<const double> probabilities) {
  const std::size_t first = distributions_.offset(distributions_.intern(probabilities));
  if (first > std::numeric_limits<std::uint32_t>::max()) throw LimitReached(LimitKind::memory);
  return static_cast<std::uint32_t>(first);
}

}  // namespace carl::graph
