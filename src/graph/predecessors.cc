#include "graph/predecessors.h"

#include <utility>

namespace carl::graph {

void Predecessors::update() {
  last_.resize(graph_.num_states(), none);
  for (; known_pairs_ < graph_.num_pairs(); ++known_pairs_)
    for (const StateId t : graph_.successors(PairId(known_pairs_))) {
      const auto link = static_cast<std::uint32_t>(links_.size());
      links_.push_back({PairId(known_pairs_), std::exchange(last_[t.index()], link)});
    }
}

}  // namespace carl::graph
