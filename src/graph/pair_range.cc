#include "graph/pair_range.h"

namespace carl::graph {

PairRange::Iterator::Run PairRange::Iterator::next_run(std::uint32_t from, std::uint32_t stop,
                                                       std::uint32_t extra,
                                                       const std::vector<bool>* mask) {
  const auto is_masked = [&](std::uint32_t pair) { return mask != nullptr && (*mask)[pair]; };
  while (from < stop && is_masked(from))
    ++from;
  std::uint32_t last = mask == nullptr && from < stop ? stop : from;
  while (last < stop && !is_masked(last))
    ++last;
  if (from < last) return {from, last};
  if (extra != none && from <= extra && !is_masked(extra)) return {extra, extra + 1};
  return {from, from};
}

}  // namespace carl::graph
