// What this room calls by its first name of the room before it.
#ifndef CARL_SSP_GRAPH_NAMES_H
#define CARL_SSP_GRAPH_NAMES_H

#include "graph/q_value.h"
#include "graph/search_graph.h"

namespace carl::ssp {

using graph::PairId;
using graph::PairRange;
using graph::q_value;
using graph::SearchGraph;
using graph::weighted_cost;

}  // namespace carl::ssp

#endif
