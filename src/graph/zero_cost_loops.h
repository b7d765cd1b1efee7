// Going round for ever at no primary cost. A CSSP allows free actions only as long as no policy can
// loop on them: otherwise waiting for ever would be "cheaper" than the goal. Such a loop is an end
// component of zero-cost actions (a set of states that some policy on free actions never leaves),
// found by the usual refinement of strongly connected components.
//
// End components: L. de Alfaro, "Formal Verification of Probabilistic Systems", PhD thesis,
// Stanford University, 1997.
#ifndef CARL_GRAPH_ZERO_COST_LOOPS_H
#define CARL_GRAPH_ZERO_COST_LOOPS_H

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "carl/error.h"
#include "carl/monitor.h"
#include "graph/search_graph.h"

namespace carl::graph {

struct ZeroCostLoop {
  std::vector<StateId> states;
  std::vector<PairId> pairs;
};

/// All zero-cost loops among the expanded states, for costs weights · C(a); each is maximal. None
/// if a limit ends a search that takes long.
std::vector<ZeroCostLoop> find_zero_cost_loops(const SearchGraph& graph,
                                               std::span<const double> weights, Monitor& monitor);
/// The same as a partition: all states of a loop count as one, since going from any of them to any
/// other costs nothing. States of no loop stand for themselves.
class CollapsedLoops {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  CollapsedLoops() = default;
  CollapsedLoops(const SearchGraph& graph, std::span<const double> weights, Monitor& monitor);

  /// The number of the loop that a state is part of, or none.
  std::uint32_t loop_of(StateId s) const { return loop_of_.empty() ? none : loop_of_[s.index()]; }
  const ZeroCostLoop& operator[](std::uint32_t loop) const { return loops_[loop]; }
  /// Calls visit(t) for all states that count as the same as `s`, itself included.
  template <class Visit>
  void for_each_same(StateId s, Visit visit) const {
    const std::uint32_t loop = loop_of(s);
    if (loop == none) return visit(s);
    for (const StateId member : loops_[loop].states)
      visit(member);
  }

 private:
  std::vector<ZeroCostLoop> loops_;
  std::vector<std::uint32_t> loop_of_;  // by state; empty if there are no loops
};

/// One for the primary cost, if there is any.
std::optional<ZeroCostLoop> find_zero_cost_loop(const SearchGraph& graph, Monitor& monitor);

class ZeroCostLoopError : public InputError {
 public:
  using InputError::InputError;
};

/// Throws an error that names states and actions of a zero-cost loop, if there is any.
void reject_zero_cost_loops(const SearchGraph& graph, Monitor& monitor);

}  // namespace carl::graph

#endif
