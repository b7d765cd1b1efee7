#include "heuristics/dijkstra.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "graph/predecessors.h"

namespace carl::heuristics {
namespace {

using graph::PairId;
using graph::SearchGraph;

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

DijkstraIdealPoint::DijkstraIdealPoint(SearchGraph& graph, Monitor& monitor, std::size_t threads) {
  // A graph of its own: who searches expands states one by one, and evaluates their successors then.
  SearchGraph whole(graph.cssp(), threads);
  whole.forbid_costs(graph.forbidden_costs());
  whole.expand_all(monitor);
  monitor.check();
  const graph::Predecessors predecessors(whole);
  const std::size_t n = whole.num_costs();
  distance_.assign(whole.num_states() * n, infinity);
  const auto run = [&](std::size_t c) {
    std::vector<std::pair<double, StateId>> queue;
    const auto relax = [&](StateId s, double distance) {
      double& known = distance_[s.index() * n + c];
      if (distance >= known) return;
      known = distance;
      queue.emplace_back(distance, s);
      std::push_heap(queue.begin(), queue.end(), std::greater<>());
    };
    for (std::size_t s = 0; s < whole.num_states(); ++s)
      if (whole.is_goal(StateId(s))) relax(StateId(s), 0);
    predecessors.for_each_ending([&](PairId p) { relax(whole.state(p), whole.cost(p)[c]); });
    while (!queue.empty()) {
      std::pop_heap(queue.begin(), queue.end(), std::greater<>());
      const auto [distance, s] = queue.back();
      queue.pop_back();
      if (distance > distance_[s.index() * n + c]) continue;
      monitor.check();
      predecessors.for_each(
          s, [&, d = distance](PairId p) { relax(whole.state(p), d + whole.cost(p)[c]); });
    }
  };
  whole.threads().for_each_block(n, [&](std::size_t c, std::size_t /*thread*/) { run(c); });
}

bool DijkstraIdealPoint::evaluate(StateId state, std::span<double> out) {
  ++evaluations_;
  const std::size_t n = out.size();
  std::copy_n(distance_.begin() + static_cast<std::ptrdiff_t>(state.index() * n), n, out.begin());
  // Giving up is an action of the problem, so its price is part of the distances already.
  return out[0] != infinity;
}

bool ZeroHeuristic::evaluate(StateId /*state*/, std::span<double> out) {
  ++evaluations_;
  std::fill(out.begin(), out.end(), 0.0);
  return true;
}

}  // namespace carl::heuristics
