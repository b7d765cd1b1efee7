// Expanding everything before a search that would do so anyway, one state after the other.
#ifndef CARL_CSSP_EXPAND_AHEAD_H
#define CARL_CSSP_EXPAND_AHEAD_H

#include "carl/monitor.h"
#include "carl/solve.h"
#include "graph/search_graph.h"

namespace carl::cssp {

/// Before value iteration: if it is blind it will expand everything, which several threads can do.
void expand_ahead(graph::SearchGraph& graph, HeuristicKind heuristic, const SolveOptions& options,
                  Monitor& monitor);

}  // namespace carl::cssp

#endif
