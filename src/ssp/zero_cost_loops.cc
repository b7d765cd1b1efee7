#include "ssp/zero_cost_loops.h"

#include <fmt/format.h>

#include <algorithm>

#include "carl/error.h"
#include "ssp/policy_iteration.h"
#include "util/strongly_connected.h"

namespace carl::ssp {
namespace {

/// The sub-graph of free pairs that may still be part of an end component.
class FreePart {
 public:
  /// `free` has an entry per cost row of the graph.
  FreePart(const SearchGraph& graph, const std::vector<bool>& free)
      : graph_(graph), pairs_(graph.num_states()) {
    for (std::size_t s = 0; s < graph.num_states(); ++s)
      for (const PairId p : graph.pairs(StateId(s)))
        if (free[graph.cost_row(p)]) pairs_[s].push_back(p);
    for (std::size_t s = 0; s < pairs_.size(); ++s)
      if (!pairs_[s].empty()) states_.emplace_back(s);
  }

  /// Drops pairs that can leave their component or reach a state without free pairs; true if any.
  bool refine() {
    const Components components = find_components();
    bool dropped = false;
    for (const StateId s : states_)
      dropped |= std::erase_if(pairs_[s.index()], [&](PairId p) {
                   const auto successors = graph_.successors(p);
                   return std::any_of(successors.begin(), successors.end(), [&](StateId t) {
                     return number_[t.index()] == outside ||
                            components.of[number_[t.index()]] != components.of[number_[s.index()]];
                   });
                 }) > 0;
    std::erase_if(states_, [&](StateId s) { return pairs_[s.index()].empty(); });
    return dropped;
  }

  bool empty() const { return states_.empty(); }

  /// The end components; after refine() found nothing more to drop.
  std::vector<ZeroCostLoop> loops() {
    const Components components = find_components();
    std::vector<ZeroCostLoop> result(components.count);
    for (std::size_t i = 0; i < states_.size(); ++i) {
      ZeroCostLoop& loop = result[components.of[i]];
      loop.states.push_back(states_[i]);
      const auto& pairs = pairs_[states_[i].index()];
      loop.pairs.insert(loop.pairs.end(), pairs.begin(), pairs.end());
    }
    return result;
  }

 private:
  static constexpr std::uint32_t outside = ~std::uint32_t{0};

  Components find_components() {
    number_.assign(graph_.num_states(), outside);
    for (std::size_t i = 0; i < states_.size(); ++i)
      number_[states_[i].index()] = static_cast<std::uint32_t>(i);
    std::vector<std::vector<std::uint32_t>> edges(states_.size());
    for (std::size_t i = 0; i < states_.size(); ++i)
      for (const PairId p : pairs_[states_[i].index()])
        for (const StateId t : graph_.successors(p))
          if (number_[t.index()] != outside) edges[i].push_back(number_[t.index()]);
    return strongly_connected_components(
        states_.size(), [&](std::size_t v) { return edges[v].size(); },
        [&](std::size_t v, std::size_t i) { return edges[v][i]; });
  }

  const SearchGraph& graph_;
  std::vector<std::vector<PairId>> pairs_;  // per state
  std::vector<StateId> states_;             // those with pairs
  std::vector<std::uint32_t> number_;       // state -> position in states_
};

}  // namespace

std::vector<ZeroCostLoop> find_zero_cost_loops(const SearchGraph& graph,
                                               std::span<const double> weights) {
  std::vector<bool> free;
  for (std::size_t row = 0; row < graph.num_cost_rows(); ++row)
    free.push_back(weighted_cost(graph.cost_of_row(row), weights) == 0);
  if (std::find(free.begin(), free.end(), true) == free.end()) return {};
  FreePart part(graph, free);
  while (!part.empty() && part.refine()) {
  }
  return part.loops();
}

std::optional<ZeroCostLoop> find_zero_cost_loop(const SearchGraph& graph) {
  std::vector<double> weights(graph.num_costs(), 0.0);
  weights[0] = 1;
  std::vector<ZeroCostLoop> loops = find_zero_cost_loops(graph, weights);
  if (loops.empty()) return std::nullopt;
  return std::move(loops.front());
}

void reject_zero_cost_loops(const SearchGraph& graph) {
  const auto loop = find_zero_cost_loop(graph);
  if (!loop) return;
  constexpr std::size_t shown = 5;
  const Cssp& cssp = graph.cssp();
  std::string text;
  for (const StateId s : loop->states) {
    if (&s - loop->states.data() == shown) {
      text += fmt::format("\n    … and {} more states", loop->states.size() - shown);
      break;
    }
    for (const PairId p : loop->pairs) {
      const PairRange own = graph.pairs(s);
      if (p < *own.begin() || !(p < *own.end())) continue;
      text += fmt::format("\n    in {}: {}", cssp.state_name(s), cssp.action_name(graph.action(p)));
    }
  }
  throw InputError(
      fmt::format("a loop at zero primary cost ({}) that never needs to reach the goal:{}",
                  cssp.cost_names()[0], text),
      fmt::format("give these actions a small positive '{}', so that going round is never free",
                  cssp.cost_names()[0]));
}

}  // namespace carl::ssp
