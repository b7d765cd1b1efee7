// Strongly connected components of a search graph, by the pairs that may be used.
#ifndef CARL_GRAPH_COMPONENTS_H
#define CARL_GRAPH_COMPONENTS_H

#include "graph/search_graph.h"
#include "util/strongly_connected.h"

namespace carl::graph {

Components strongly_connected_components(const SearchGraph& graph);

}  // namespace carl::graph

#endif
