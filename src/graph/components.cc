#include "graph/components.h"

namespace carl::graph {

Components strongly_connected_components(const SearchGraph& graph) {
  if (!graph.has_mask())
    return carl::strongly_connected_components(
        graph.num_states(), [&](std::size_t s) { return graph.all_successors(StateId(s)).size(); },
        [&](std::size_t s, std::size_t i) { return graph.all_successors(StateId(s))[i].index(); });
  std::vector<std::uint64_t> first{0};
  std::vector<StateId> successors;
  for (std::size_t s = 0; s < graph.num_states(); ++s) {
    graph.for_each_successor(StateId(s), [&](StateId t) { successors.push_back(t); });
    first.push_back(successors.size());
  }
  return carl::strongly_connected_components(
      graph.num_states(), [&](std::size_t s) { return first[s + 1] - first[s]; },
      [&](std::size_t s, std::size_t i) { return successors[first[s] + i].index(); });
}

}  // namespace carl::graph
