#include "graph/pair_range.h"

namespace carl::graph {

PairRange::Iterator PairRange::Iterator::next_run(std::uint32_t from, std::uint32_t stop,
                                                  std::uint32_t extra,
                                                  const std::vector<bool>* mask) {
  const auto is_masked = [&](std::uint32_t pair) { return mask != nullptr && (*mask)[pair]; };
  Iterator run(stop, extra, mask);
  run.first_ = from;
  while (run.first_ < stop && is_masked(run.first_))
    ++run.first_;
  run.last_ = mask == nullptr ? stop : run.first_;
  while (run.last_ < stop && !is_masked(run.last_))
    ++run.last_;
  if (run.first_ < run.last_ || extra == none) return run;
  Iterator last(extra, extra + 1);
  if (is_masked(extra)) last.first_ = last.last_;
  return last;
}

}  // namespace carl::graph
