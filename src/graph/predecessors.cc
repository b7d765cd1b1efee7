#include "graph/predecessors.h"

#include <utility>

namespace carl::graph {

Predecessors::Predecessors(const SearchGraph& graph, std::size_t most_links_per_set)
    : graph_(graph), most_links_(most_links_per_set) {
  if (graph.num_expanded() > 0) sort_what_is_known();
}

/// A counting sort. Places are taken from the end, so that those known last come first. Each thread
/// looks at all outcomes, which is quick, and takes care of those that lead to its part of the
/// states: it is the jumping about in memory there that takes the time.
void Predecessors::sort_what_is_known() {
  first_.assign(graph_.num_states() + 1, 0);
  const std::size_t parts = graph_.threads().count();
  const auto for_each_part = [&](const auto& visit) {
    graph_.threads().for_each_block(parts, [&](std::size_t part, std::size_t /*thread*/) {
      const std::size_t begin = graph_.num_states() * part / parts;
      const std::size_t size = graph_.num_states() * (part + 1) / parts - begin;
      visit(part, [=](StateId t) { return t.index() - begin < size; });
    });
  };
  for_each_part([&](std::size_t /*part*/, const auto& is_in_part) {
    for (const StateId s : graph_.expanded_states())
      for (const StateId t : graph_.all_successors(s))
        if (is_in_part(t)) ++first_[t.index()];
  });
  std::uint64_t sum = 0;
  for (std::uint64_t& number : first_)
    number = sum += number;
  sorted_.resize(sum);
  for_each_part([&](std::size_t part, const auto& is_in_part) {
    for (const StateId s : graph_.expanded_states())
      for (const PairId p : graph_.all_pairs(s)) {
        if (part == 0 && graph_.ends(p)) ending_.push_back(p);
        for (const StateId t : graph_.successors(p))
          if (is_in_part(t)) sorted_[--first_[t.index()]] = p;
      }
  });
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
