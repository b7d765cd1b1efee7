// Expanding is ten to a hundred times cheaper than an LM-cut value, so a problem with few states
// is best solved as a whole. Whether it has few shows on the way: of a space that is about to
// close, most states that are known are expanded already; one that explodes has more and more
// waiting.
#ifndef CARL_GRAPH_SMALL_SPACE_H
#define CARL_GRAPH_SMALL_SPACE_H

#include "graph/search_graph.h"

namespace carl::graph {

/// At 150 to 400 bytes a state these take 1 to 2 GB.
inline constexpr std::size_t most_states_to_expand = 5'000'000;

/// Expands everything reachable, blindly. False if that proves to be too much, or a limit ended it.
bool expand_small_space(SearchGraph& graph, Monitor& monitor,
                        std::size_t most_states = most_states_to_expand);

}  // namespace carl::graph

#endif
