// Expanding everything before a search that would do so anyway, one state after the other.
#ifndef CARL_CSSP_EXPAND_AHEAD_H
#define CARL_CSSP_EXPAND_AHEAD_H

#include "carl/limits.h"
#include "carl/solve.h"
#include "ssp/search_graph.h"

namespace carl::cssp {

/// Before value iteration: if it is blind it will expand everything, which several threads can do.
void expand_ahead(ssp::SearchGraph& graph, HeuristicKind heuristic, const SolveOptions& options,
                  Limits& limits);

}  // namespace carl::cssp

#endif
