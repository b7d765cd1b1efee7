// What all algorithms note in a solution beside the answer: that a limit has ended them, and how
// much they expanded.
#ifndef CARL_CSSP_SOLVE_RECORD_H
#define CARL_CSSP_SOLVE_RECORD_H

#include "carl/monitor.h"
#include "carl/solution.h"
#include "graph/search_graph.h"

namespace carl::cssp {

/// Status and note of a solve that a limit has ended.
void end_by_limit(const Monitor& monitor, Solution& solution);

/// Sizes of what was expanded.
void record_graph(const graph::SearchGraph& graph, Statistics& statistics);

}  // namespace carl::cssp

#endif
