// The one evaluation of a Q-value: Q(s,a) = C(s,a) + Σ P(s'|s,a) V(s'), and of scalar costs.
#ifndef CARL_GRAPH_Q_VALUE_H
#define CARL_GRAPH_Q_VALUE_H

#include <span>

#include "graph/search_graph.h"

namespace carl::graph {

/// Scalar cost of a pair: weights · C(a), one weight per cost.
inline double weighted_cost(std::span<const double> cost, std::span<const double> weights) {
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (weights[i] != 0) sum += weights[i] * cost[i];
  return sum;
}

/// `cost` is that of the pair under the scalarisation whose values `value(s')` returns.
template <class Value>
double q_value(const SearchGraph& graph, PairId pair, double cost, Value value) {
  double q = cost;
  const auto successors = graph.successors(pair);
  const auto probabilities = graph.probabilities(pair);
  for (std::size_t k = 0; k < successors.size(); ++k)
    q += probabilities[k] * value(successors[k]);
  return q;
}

}  // namespace carl::graph

#endif
