// What SearchGraph::expand_all() does, in pieces of work of any size. How large they are makes a
// difference to the time alone.
#ifndef CARL_GRAPH_BREADTH_FIRST_EXPANSION_H
#define CARL_GRAPH_BREADTH_FIRST_EXPANSION_H

#include <cstddef>

#include "carl/monitor.h"
#include "graph/search_graph.h"

namespace carl::graph {

/// For several threads.
struct PiecesOfWork {
  /// Enough for threads to be worth waking, few enough for caches.
  std::size_t states_per_batch = 16384;
  /// What one thread takes at a time.
  std::size_t states_per_block = 512;
  /// Where fewer are to be expanded they are left to one thread, until there are more.
  std::size_t least_states_per_batch = 2048;
};

bool expand_breadth_first(SearchGraph& graph, Monitor& monitor, std::size_t max_states,
                          std::size_t max_expanded, const PiecesOfWork& pieces);

}  // namespace carl::graph

#endif
