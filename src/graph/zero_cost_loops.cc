#include "graph/zero_cost_loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>

#include "carl/error.h"
#include "graph/q_value.h"
#include "util/strongly_connected.h"

namespace carl::graph {
namespace {

// Rounds that are made even after a limit, since bounds that are computed at the end need loops,
// too. More than a few are rare.
constexpr int rounds_after_a_limit = 10;

/// The sub-graph of free pairs that may still be part of an end component. States and pairs are
/// numbered anew, in the order of the graph.
class FreePart {
 public:
  /// `free` has an entry per cost row of the graph.
  FreePart(const SearchGraph& graph, const std::vector<bool>& free) : graph_(graph) {
    std::vector<std::uint32_t> number(graph.num_states(), outside);
    for (std::size_t s = 0; s < graph.num_states(); ++s)
      for (const PairId p : graph.pairs(StateId(s))) {
        if (!free[graph.cost_row(p)]) continue;
        if (number[s] == outside) {
          number[s] = static_cast<std::uint32_t>(states_.size());
          states_.emplace_back(s);
          first_pair_.push_back(pairs_.size());
        }
        pairs_.push_back(p);
      }
    first_pair_.push_back(pairs_.size());
    find_successors(number);
  }

  /// Drops pairs that can leave their component; true if any.
  bool refine() {
    const Components components = find_components();
    bool dropped = false;
    for (std::uint32_t i = 0; i < states_.size(); ++i)
      for (std::size_t p = first_pair_[i]; p < first_pair_[i + 1]; ++p)
        if (is_left(p) && leaves(components, i, p)) {
          drop(p);
          dropped = true;
        }
    return dropped;
  }

  bool empty() const { return states_left_ == 0; }

  /// The end components; after refine() found nothing more to drop.
  std::vector<ZeroCostLoop> loops() const {
    const Components components = find_components();
    std::vector<ZeroCostLoop> result(components.count);
    for (std::size_t i = 0; i < states_.size(); ++i) {
      if (left_[i] == 0) continue;
      ZeroCostLoop& loop = result[components.of[i]];
      loop.states.push_back(states_[i]);
      for (std::size_t p = first_pair_[i]; p < first_pair_[i + 1]; ++p)
        if (is_left(p)) loop.pairs.push_back(pairs_[p]);
    }
    std::erase_if(result, [](const ZeroCostLoop& loop) { return loop.states.empty(); });
    return result;
  }

 private:
  static constexpr std::uint32_t outside = ~std::uint32_t{0};

  bool is_left(std::size_t p) const { return !dropped_[p]; }

  std::span<const std::uint32_t> successors(std::size_t p) const {
    return std::span(successors_).subspan(first_[p], first_[p + 1] - first_[p]);
  }

  bool leaves(const Components& components, std::uint32_t state, std::size_t p) const {
    const auto to = successors(p);
    return std::any_of(to.begin(), to.end(),
                       [&](std::uint32_t t) { return components.of[t] != components.of[state]; });
  }

  /// Pairs that end a run or may reach a state without free pairs are dropped right away.
  void find_successors(const std::vector<std::uint32_t>& number) {
    std::vector<std::size_t> leaving;
    first_.push_back(0);
    entering_.resize(states_.size());
    dropped_.assign(pairs_.size(), false);
    for (std::size_t i = 0; i < states_.size(); ++i) {
      left_.push_back(first_pair_[i + 1] - first_pair_[i]);
      state_of_.insert(state_of_.end(), left_.back(), static_cast<std::uint32_t>(i));
    }
    states_left_ = states_.size();
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      bool inside = !graph_.ends(pairs_[p]);
      for (const StateId t : graph_.successors(pairs_[p])) {
        inside &= number[t.index()] != outside;
        if (number[t.index()] == outside) continue;
        successors_.push_back(number[t.index()]);
        entering_[number[t.index()]].push_back(static_cast<std::uint32_t>(p));
      }
      first_.push_back(successors_.size());
      if (!inside) leaving.push_back(p);
    }
    for (const std::size_t p : leaving)
      if (is_left(p)) drop(p);
  }

  /// A state that has lost its last pair is one that no other pair may reach: following that at
  /// once spares a round for each.
  void drop(std::size_t pair) {
    queue_.assign(1, pair);
    while (!queue_.empty()) {
      const std::size_t p = queue_.back();
      queue_.pop_back();
      if (dropped_[p]) continue;
      dropped_[p] = true;
      const std::uint32_t i = state_of_[p];
      if (--left_[i] > 0) continue;
      --states_left_;
      queue_.insert(queue_.end(), entering_[i].begin(), entering_[i].end());
    }
  }

  Components find_components() const {
    std::vector<std::size_t> first{0};
    std::vector<std::uint32_t> edges;
    for (std::size_t i = 0; i < states_.size(); ++i) {
      for (std::size_t p = first_pair_[i]; p < first_pair_[i + 1]; ++p)
        if (is_left(p)) edges.insert(edges.end(), successors(p).begin(), successors(p).end());
      first.push_back(edges.size());
    }
    return strongly_connected_components(
        states_.size(), [&](std::size_t v) { return first[v + 1] - first[v]; },
        [&](std::size_t v, std::size_t k) { return edges[first[v] + k]; });
  }

  const SearchGraph& graph_;
  std::vector<StateId> states_;          // with free pairs
  std::vector<PairId> pairs_;            // the free ones
  std::vector<std::size_t> first_pair_;  // by state, with a sentinel
  std::vector<std::uint32_t> state_of_;  // by pair
  std::vector<std::size_t> first_;       // by pair, with a sentinel
  std::vector<std::uint32_t> successors_;
  std::vector<std::vector<std::uint32_t>> entering_;  // by state: pairs that may lead to it
  std::vector<bool> dropped_;                         // by pair
  std::vector<std::size_t> left_;                     // by state: pairs not dropped
  std::size_t states_left_ = 0;                       // with such pairs
  std::vector<std::size_t> queue_;
};

}  // namespace

std::vector<ZeroCostLoop> find_zero_cost_loops(const SearchGraph& graph,
                                               std::span<const double> weights, Monitor& monitor) {
  std::vector<bool> free;
  for (std::size_t row = 0; row < graph.num_cost_rows(); ++row)
    free.push_back(graph.is_row_allowed(row) &&
                   weighted_cost(graph.cost_of_row(row), weights) == 0);
  if (std::find(free.begin(), free.end(), true) == free.end()) return {};
  FreePart part(graph, free);
  for (int round = 1; !part.empty() && part.refine(); ++round)
    if (round >= rounds_after_a_limit && monitor.reached_now()) return {};
  return part.loops();
}

CollapsedLoops::CollapsedLoops(const SearchGraph& graph, std::span<const double> weights,
                               Monitor& monitor)
    : loops_(find_zero_cost_loops(graph, weights, monitor)) {
  if (loops_.empty()) return;
  loop_of_.assign(graph.num_states(), none);
  for (std::size_t i = 0; i < loops_.size(); ++i)
    for (const StateId s : loops_[i].states)
      loop_of_[s.index()] = static_cast<std::uint32_t>(i);
}

std::optional<ZeroCostLoop> find_zero_cost_loop(const SearchGraph& graph, Monitor& monitor) {
  std::vector<double> weights(graph.num_costs(), 0.0);
  weights[0] = 1;
  std::vector<ZeroCostLoop> loops = find_zero_cost_loops(graph, weights, monitor);
  if (loops.empty()) return std::nullopt;
  return std::move(loops.front());
}

void reject_zero_cost_loops(const SearchGraph& graph, Monitor& monitor) {
  const auto loop = find_zero_cost_loop(graph, monitor);
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
      if (graph.state(p) != s) continue;
      text += fmt::format("\n    in {}: {}", cssp.state_name(s), cssp.action_name(graph.action(p)));
    }
  }
  throw ZeroCostLoopError(
      fmt::format("a loop at zero primary cost ({}) that never needs to reach the goal:{}",
                  cssp.cost_names()[0], text),
      fmt::format("give these actions a small positive '{}', so that going round is never free",
                  cssp.cost_names()[0]));
}

}  // namespace carl::graph
