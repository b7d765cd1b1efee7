// The one evaluation of a Q-value: Q(s,a) = C(s,a) + Σ P(s'|s,a) V(s').
#ifndef CARL_SSP_Q_VALUE_H
#define CARL_SSP_Q_VALUE_H

#include "ssp/search_graph.h"

namespace carl::ssp {

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

}  // namespace carl::ssp

#endif
