#include "graph/predecessors.h"

#include <utility>

namespace carl::graph {

Predecessors::Predecessors(const SearchGraph& graph, std::size_t most_links_per_set)
    : graph_(graph), most_links_(most_links_per_set) {
  if (graph.num_expanded() > 0) sort_what_is_known();
}

/// A counting sort. Places are taken from the end, so that those known last come first.
void Predecessors::sort_what_is_known() {
  first_.assign(graph_.num_states() + 1, 0);
  for (const StateId s : graph_.expanded_states())
    for (const StateId t : graph_.all_successors(s))
      ++first_[t.index()];
  std::uint64_t sum = 0;
  for (std::uint64_t& number : first_)
    number = sum += number;
  sorted_.resize(sum);
  for (const StateId s : graph_.expanded_states())
    for (const PairId p : graph_.all_pairs(s)) {
      if (graph_.ends(p)) ending_.push_back(p);
      for (const StateId t : graph_.successors(p))
        sorted_[--first_[t.index()]] = p;
    }
  known_states_ = graph_.num_expanded();
}

void Predecessors::update() {
  for (; known_states_ < graph_.num_expanded(); ++known_states_)
    for (const PairId p : graph_.all_pairs(graph_.expanded_states()[known_states_])) {
      if (graph_.ends(p)) ending_.push_back(p);
      for (const StateId t : graph_.successors(p))
        add_link(t, p);
    }
}

void Predecessors::add_link(StateId to, PairId pair) {
  if (lists_.empty() || lists_.back().links.size() == most_links_) lists_.emplace_back();
  Lists& lists = lists_.back();
  if (to.index() >= lists.last.size()) lists.last.resize(graph_.num_states(), none);
  const auto link = static_cast<std::uint32_t>(lists.links.size());
  lists.links.push_back({pair, std::exchange(lists.last[to.index()], link)});
}

}  // namespace carl::graph
