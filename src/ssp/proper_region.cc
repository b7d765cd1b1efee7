#include "ssp/proper_region.h"

#include <algorithm>

#include "ssp/predecessors.h"

namespace carl::ssp {
bool ProperRegion::allows(const SearchGraph& graph, PairId p) const {
  const auto successors = graph.successors(p);
  return std::all_of(successors.begin(), successors.end(), [&](StateId t) { return contains(t); });
}

ProperRegion proper_region(const SearchGraph& graph, const std::vector<bool>& targets) {
  const Predecessors predecessors(graph);
  ProperRegion hopeful;
  hopeful.member.assign(graph.num_states(), true);
  std::vector<bool> allowed(graph.num_pairs(), true);
  while (true) {
    std::vector<bool> reaches(graph.num_states(), false);
    std::vector<StateId>& queue = hopeful.order;
    queue.clear();
    hopeful.choice.assign(graph.num_states(), PairId());
    for (std::size_t s = 0; s < graph.num_states(); ++s)
      if (targets[s]) {
        reaches[s] = true;
        queue.emplace_back(s);
      }
    for (std::size_t next = 0; next < queue.size(); ++next)
      predecessors.for_each(queue[next], [&](PairId p) {
        const StateId s = graph.state(p);
        if (!allowed[p.index()] || reaches[s.index()]) return;
        reaches[s.index()] = true;
        hopeful.choice[s.index()] = p;
        queue.push_back(s);
      });
    if (reaches == hopeful.member) return hopeful;
    for (std::size_t s = 0; s < graph.num_states(); ++s)
      if (hopeful.member[s] && !reaches[s])
        predecessors.for_each(StateId(s), [&](PairId p) { allowed[p.index()] = false; });
    hopeful.member = std::move(reaches);
  }
}

ProperRegion proper_region(const SearchGraph& graph) {
  std::vector<bool> goals(graph.num_states());
  for (std::size_t s = 0; s < graph.num_states(); ++s)
    goals[s] = graph.is_goal(StateId(s));
  return proper_region(graph, goals);
}

}  // namespace carl::ssp
