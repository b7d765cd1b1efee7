#include "ssp/small_space.h"

namespace carl::ssp {
namespace {

constexpr std::size_t most_states = 300'000;
// Exploding blocks world and search and rescue (5,4,.75) have less than 0.6 of the states expanded
// when they are judged, and up to millions to come; the tireworld has 0.69, and is searched faster
// than expanded. The printer has 0.8, elevators 0.95.
constexpr std::size_t states_before_judging = 60'000;
constexpr double share_expanded = 0.7;

}  // namespace

bool expand_small_space(SearchGraph& graph, Limits& limits) {
  if (graph.expand_all(limits, {}, states_before_judging)) return true;
  const auto met = static_cast<double>(graph.num_states());
  if (static_cast<double>(graph.num_expanded()) < share_expanded * met) return false;
  return graph.expand_all(limits, {}, most_states);
}

}  // namespace carl::ssp
