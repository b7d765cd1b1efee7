#include "ssp/proper_region.h"

#include <algorithm>

namespace carl::ssp {
namespace {

/// For every state the pairs with an outcome there, and for every pair its state.
struct Predecessors {
  explicit Predecessors(const SearchGraph& graph)
      : first(graph.num_states() + 1, 0), pairs(graph.num_outcomes()), owner(graph.num_pairs()) {
    for (std::size_t s = 0; s < graph.num_states(); ++s)
      for (const PairId p : graph.pairs(StateId(s))) {
        owner[p.index()] = StateId(s);
        for (const StateId t : graph.successors(p))
          ++first[t.index() + 1];
      }
    for (std::size_t s = 0; s < graph.num_states(); ++s)
      first[s + 1] += first[s];
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    for (std::size_t p = 0; p < graph.num_pairs(); ++p)
      for (const StateId t : graph.successors(PairId(p)))
        pairs[next[t.index()]++] = PairId(p);
  }
  std::span<const PairId> of(StateId s) const {
    return std::span(pairs).subspan(first[s.index()], first[s.index() + 1] - first[s.index()]);
  }

  std::vector<std::size_t> first;
  std::vector<PairId> pairs;
  std::vector<StateId> owner;
};

}  // namespace

bool ProperRegion::allows(const SearchGraph& graph, PairId p) const {
  const auto successors = graph.successors(p);
  return std::all_of(successors.begin(), successors.end(), [&](StateId t) { return contains(t); });
}

ProperRegion proper_region(const SearchGraph& graph) {
  const Predecessors predecessors(graph);
  ProperRegion hopeful;
  hopeful.member.assign(graph.num_states(), true);
  std::vector<bool> allowed(graph.num_pairs(), true);
  while (true) {
    std::vector<bool> reaches(graph.num_states(), false);
    std::vector<StateId> queue;
    hopeful.choice.assign(graph.num_states(), PairId());
    for (std::size_t s = 0; s < graph.num_states(); ++s)
      if (graph.is_goal(StateId(s))) {
        reaches[s] = true;
        queue.emplace_back(s);
      }
    for (std::size_t next = 0; next < queue.size(); ++next)
      for (const PairId p : predecessors.of(queue[next])) {
        const StateId s = predecessors.owner[p.index()];
        if (!allowed[p.index()] || reaches[s.index()]) continue;
        reaches[s.index()] = true;
        hopeful.choice[s.index()] = p;
        queue.push_back(s);
      }
    if (reaches == hopeful.member) return hopeful;
    for (std::size_t s = 0; s < graph.num_states(); ++s)
      if (hopeful.member[s] && !reaches[s])
        for (const PairId p : predecessors.of(StateId(s)))
          allowed[p.index()] = false;
    hopeful.member = std::move(reaches);
  }
}

}  // namespace carl::ssp
