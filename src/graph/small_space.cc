#include "graph/small_space.h"

namespace carl::graph {
namespace {

// When 60,000 states are known, of elevators 0.93 are expanded, of the printer 0.6 to 0.8 with
// 0.06 more for every doubling. Exploding blocks world has 0.24 to 0.58, with millions to come; the
// tireworld has 0.65 to 0.69 at any size, and is searched faster than expanded.
constexpr std::size_t states_before_judging = 60'000;
constexpr double share_near_the_end = 0.7;
constexpr double share_on_the_way = 0.55;
constexpr double progress_on_the_way = 0.04;
// Of the memory allowed: before the next judgement it may double, and values take as much again.
constexpr double share_of_memory = 0.25;

/// Whether a space is about to close, by the shares of states expanded when that many were known
/// and when half as many were.
bool closes(double share, double half_way) {
  return share >= share_near_the_end ||
         (share >= share_on_the_way && share >= half_way + progress_on_the_way);
}

}  // namespace

bool expand_small_space(SearchGraph& graph, Monitor& monitor, std::size_t most_states) {
  double half_way = 0;
  for (std::size_t states = states_before_judging / 2; states < most_states; states *= 2) {
    if (graph.expand_all(monitor, {}, states)) return true;
    if (monitor.reached() || monitor.share_of_memory_used() > share_of_memory) return false;
    const double share =
        static_cast<double>(graph.num_expanded()) / static_cast<double>(graph.num_states());
    if (states >= states_before_judging && !closes(share, half_way)) return false;
    half_way = share;
  }
  return graph.expand_all(monitor, {}, most_states);
}

}  // namespace carl::graph
