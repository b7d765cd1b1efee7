// For every state the pairs with an outcome there: which Q-values depend on its value; and the pairs
// that end a run. What the graph knows when the index is made is sorted by state, four bytes for an
// outcome. What comes later is held in linked lists, so that the index grows with the graph and is
// never rebuilt.
//
// All pairs are in it, and those that are masked when somebody asks are skipped. It is of no use
// any more when ids of pairs have changed (see SearchGraph::give_up_changed()).
#ifndef CARL_GRAPH_PREDECESSORS_H
#define CARL_GRAPH_PREDECESSORS_H

#include <cstdint>
#include <limits>
#include <vector>

#include "graph/search_graph.h"

namespace carl::graph {

class Predecessors {
 public:
  /// Links of a list have 32-bit numbers. There are as many sets of lists as that takes; fewer than
  /// they could hold is for tests.
  explicit Predecessors(const SearchGraph& graph, std::size_t most_links_per_set = none);

  /// Learns the pairs that have joined the graph since the last call.
  void update();

  /// Calls visit(pair) for every pair that ends a run (see SearchGraph), each once, those known last
  /// first.
  template <class Visit>
  void for_each_ending(Visit visit) const {
    for (std::size_t i = ending_.size(); i-- > 0;)
      if (graph_.is_allowed(ending_[i])) visit(ending_[i]);
  }
  /// Calls visit(pair) for every pair that can lead to `s`, each once, those known last first.
  template <class Visit>
  void for_each(StateId s, Visit visit) const {
    if (graph_.has_mask())
      for_all(s, [&](PairId p) {
        if (graph_.is_allowed(p)) visit(p);
      });
    else
      for_all(s, visit);
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct Link {
    PairId pair;
    std::uint32_t previous;
  };
  struct Lists {
    std::vector<std::uint32_t> last;  // per state: the link added last
    std::vector<Link> links;          // one per outcome
  };

  void sort_what_is_known();
  void add_link(StateId to, PairId pair);
  template <class Visit>
  void for_all(StateId s, Visit visit) const {
    for (std::size_t i = lists_.size(); i-- > 0;) {
      const Lists& lists = lists_[i];
      if (s.index() >= lists.last.size()) continue;
      for (std::uint32_t k = lists.last[s.index()]; k != none; k = lists.links[k].previous)
        visit(lists.links[k].pair);
    }
    if (s.index() + 1 >= first_.size()) return;
    for (std::uint64_t k = first_[s.index()]; k < first_[s.index() + 1]; ++k)
      visit(sorted_[k]);
  }

  const SearchGraph& graph_;
  std::size_t most_links_;
  std::size_t known_states_ = 0;      // of those that have been expanded
  std::vector<std::uint64_t> first_;  // per state, into the following
  std::vector<PairId> sorted_;
  std::vector<Lists> lists_;
  std::vector<PairId> ending_;
};

}  // namespace carl::graph

#endif
