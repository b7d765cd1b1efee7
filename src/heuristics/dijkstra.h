// The ideal point of a model without factored structure: for each cost by itself the cheapest path
// to a goal in the all-outcomes determinisation, by one Dijkstra per cost backwards from the goals
// over all states of the model. Exact about unreachability. An action costs what it costs until its
// state is left (see SearchGraph on self-loops).
//
// E. W. Dijkstra, "A note on two problems in connexion with graphs", Numerische Mathematik 1,
// 1959.
#ifndef CARL_HEURISTICS_DIJKSTRA_H
#define CARL_HEURISTICS_DIJKSTRA_H

#include <vector>

#include "carl/monitor.h"
#include "graph/search_graph.h"
#include "heuristics/heuristic.h"

namespace carl::heuristics {

class DijkstraIdealPoint final : public Heuristic {
 public:
  /// Looks at every state that is reachable by what costs allow in `graph`, which need not be
  /// expanded and is not; throws LimitReached. Costs are independent of
  /// each other: several threads may share them out (0: one for each processor).
  DijkstraIdealPoint(graph::SearchGraph& graph, Monitor& monitor, std::size_t threads = 1);

  void set_weights(std::span<const double> /*weights*/) override {}
  bool depends_on_weights() const override { return false; }
  bool evaluate(StateId state, std::span<double> out) override;

 private:
  std::vector<double> distance_;  // num_costs per state
};

/// Zero everywhere.
class ZeroHeuristic final : public Heuristic {
 public:
  void set_weights(std::span<const double> /*weights*/) override {}
  bool depends_on_weights() const override { return false; }
  bool evaluate(StateId state, std::span<double> out) override;
  bool is_zero() const override { return true; }
};

}  // namespace carl::heuristics

#endif
