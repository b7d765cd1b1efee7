// Heuristics by what users ask for.
#ifndef CARL_HEURISTICS_MAKE_HEURISTIC_H
#define CARL_HEURISTICS_MAKE_HEURISTIC_H

#include <memory>

#include "carl/cssp.h"
#include "carl/monitor.h"
#include "carl/options.h"
#include "graph/search_graph.h"
#include "heuristics/heuristic.h"

namespace carl::heuristics {

/// True if the problem is a grounded task, which most heuristics need.
bool has_task(const Cssp& cssp);
bool needs_task(HeuristicKind kind);
/// True if all states are in memory from the start; other models may have very many, or no end.
bool is_in_memory(const Cssp& cssp);

/// For the problem of the graph, which must have a task if the heuristic needs one. The mode is lambda or ideal_point:
/// C-ROC, of i-dual alone, is made by make_constrained_roc(). Zero and Dijkstra are ideal points
/// whatever is asked for. Throws LimitReached: some look at the whole problem first, on several
/// threads if there are (0: one for each processor).
std::unique_ptr<Heuristic> make_heuristic(graph::SearchGraph& graph, HeuristicKind kind,
                                          HeuristicMode mode, Monitor& monitor,
                                          std::size_t threads = 1);

}  // namespace carl::heuristics

#endif
