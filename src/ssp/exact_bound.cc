#include "ssp/exact_bound.h"

#include <limits>

namespace carl::ssp {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Rational weighted_sum(std::span<const double> cost, std::span<const double> weights) {
  Rational sum = 0;
  for (std::size_t i = 0; i < cost.size(); ++i)
    if (weights[i] != 0 && cost[i] != 0) sum += Rational(weights[i]) * Rational(cost[i]);
  return sum;
}

}  // namespace

Rational exact_lower_bound(const SearchGraph& graph, std::span<const double> weights,
                           const std::vector<double>& value) {
  std::vector<Rational> row_cost;
  for (std::size_t row = 0; row < graph.num_cost_rows(); ++row)
    row_cost.push_back(weighted_sum(graph.cost_of_row(row), weights));
  Rational theta = 1;
  Rational q;
  for (std::size_t p = 0; p < graph.num_pairs(); ++p) {
    const PairId pair(p);
    const double from = value[graph.state(pair).index()];
    if (from == infinity || from <= 0) continue;
    q = 0;
    Rational total = 0;
    bool hopeless = false;
    const auto successors = graph.successors(pair);
    const auto probabilities = graph.probabilities(pair);
    for (std::size_t k = 0; k < successors.size() && !hopeless; ++k) {
      const double to = value[successors[k].index()];
      hopeless = to == infinity;
      total += Rational(probabilities[k]);
      if (!hopeless && to != 0) q += Rational(probabilities[k]) * Rational(to);
    }
    if (hopeless) continue;
    q = q / total + row_cost[graph.cost_row(pair)];
    if (q >= from) continue;
    const Rational& cost = row_cost[graph.cost_row(pair)];
    const Rational violation = Rational(from) - q;
    const Rational factor = cost / (cost + violation);
    if (factor < theta) theta = factor;
    if (theta == 0) break;
  }
  return theta * Rational(value[graph.initial_state().index()]);
}

}  // namespace carl::ssp
