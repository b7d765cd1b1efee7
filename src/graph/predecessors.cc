#include "graph/predecessors.h"

#include <utility>

namespace carl::graph {

void Predecessors::update() {
  last_.resize(graph_.num_states(), none);
  for (; known_pairs_ < graph_.num_pairs(); ++known_pairs_) {
    const PairId p(known_pairs_);
    if (graph_.ends(p)) ending_.push_back(p);
    for (const StateId t : graph_.successors(p)) {
      const auto link = static_cast<std::uint32_t>(links_.size());
      links_.push_back({p, std::exchange(last_[t.index()], link)});
    }
  }
}

}  // namespace carl::graph
