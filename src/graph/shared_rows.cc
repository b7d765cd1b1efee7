#include "graph/shared_rows.h"

#include <limits>

#include "carl/monitor.h"
#include "model/transitions.h"

namespace carl::graph {

void SharedRows::make_row(std::span<const double> cost, double repeats) {
  row_.clear();
  for (const double c : cost)
    row_.push_back(c * repeats);
  row_.push_back(repeats);
}

void SharedRows::set_give_up(std::span<const double> penalties) {
  make_row(penalties, 1.0);
  costs_.replace_apart(give_up_row, row_);
}

void SharedRows::append(std::span<const double> cost, double repeats) {
  make_row(cost, repeats);
  costs_.append_apart(row_);
}

std::uint32_t SharedRows::intern_costs(std::span<const double> cost, double repeats) {
  make_row(cost, repeats);
  return costs_.intern(row_);
}

std::uint32_t SharedRows::intern_probabilities(std::span<const double> probabilities) {
  const std::size_t first = distributions_.offset(distributions_.intern(probabilities));
  if (first > std::numeric_limits<std::uint32_t>::max()) throw LimitReached(LimitKind::memory);
  return static_cast<std::uint32_t>(first);
}

}  // namespace carl::graph
