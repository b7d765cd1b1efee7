// Going round for ever at no primary cost. A CSSP allows free actions only as long as no policy can
// loop on them: otherwise waiting for ever would be "cheaper" than the goal. Such a loop is an end
// component of zero-cost actions (a set of states that some policy on free actions never leaves),
// found by the usual refinement of strongly connected components.
//
// End components: L. de Alfaro, "Formal Verification of Probabilistic Systems", PhD thesis,
// Stanford University, 1997.
#ifndef CARL_GRAPH_ZERO_COST_LOOPS_H
#define CARL_GRAPH_ZERO_COST_LOOPS_H

#include <optional>
#include <vector>

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
/// One for the primary cost, if there is any.
std::optional<ZeroCostLoop> find_zero_cost_loop(const SearchGraph& graph, Monitor& monitor);

/// Throws an InputError that names states and actions of a zero-cost loop, if there is any.
void reject_zero_cost_loops(const SearchGraph& graph, Monitor& monitor);

}  // namespace carl::graph

#endif
