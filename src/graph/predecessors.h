// For every state the pairs with an outcome there: which Q-values depend on its value; and the pairs
// that end a run. Linked lists in one array, so that the index grows with the graph and is never
// rebuilt.
#ifndef CARL_GRAPH_PREDECESSORS_H
#define CARL_GRAPH_PREDECESSORS_H

#include <cstdint>
#include <vector>

#include "graph/search_graph.h"

namespace carl::graph {

class Predecessors {
 public:
  explicit Predecessors(const SearchGraph& graph) : graph_(graph) { update(); }

  /// Learns the pairs that have joined the graph since the last call.
  void update();

  /// Calls visit(pair) for every pair that ends a run (see SearchGraph), each once.
  template <class Visit>
  void for_each_ending(Visit visit) const {
    for (std::size_t i = ending_.size(); i-- > 0;)
      visit(ending_[i]);
  }
  /// Calls visit(pair) for every pair that can lead to `s`, each once.
  template <class Visit>
  void for_each(StateId s, Visit visit) const {
    if (s.index() >= last_.size()) return;
    for (std::uint32_t i = last_[s.index()]; i != none; i = links_[i].previous)
      visit(links_[i].pair);
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct Link {
    PairId pair;
    std::uint32_t previous;
  };

  const SearchGraph& graph_;
  std::size_t known_pairs_ = 0;
  std::vector<std::uint32_t> last_;  // per state: the link added last
  std::vector<Link> links_;          // one per outcome
  std::vector<PairId> ending_;
};

}  // namespace carl::graph

#endif
