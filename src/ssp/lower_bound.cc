#include "ssp/lower_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ssp/policy_iteration.h"

namespace carl::ssp {
namespace {

// Sweeps remove rounding noise within a few rounds; real errors are left to θ.
constexpr int max_sweeps = 20;

/// Q(s,a) - or infinity when an outcome is hopeless.
double q_value(const SearchGraph& graph, PairId p, double cost, const std::vector<double>& value) {
  double q = cost;
  const auto successors = graph.successors(p);
  const auto probabilities = graph.probabilities(p);
  for (std::size_t k = 0; k < successors.size(); ++k)
    q += probabilities[k] * value[successors[k].index()];
  return q;
}

/// One pass of V ← min(V, Q); returns whether anything changed.
bool sweep(const SearchGraph& graph, std::span<const double> weights, std::vector<double>& value) {
  bool changed = false;
  // Successors tend to have larger ids than their parents (they were met later).
  for (std::size_t s = graph.num_states(); s-- > 0;) {
    double least = value[s];
    if (least == std::numeric_limits<double>::infinity()) continue;
    for (const PairId p : graph.pairs(StateId(s)))
      least = std::min(least, q_value(graph, p, weighted_cost(graph.cost(p), weights), value));
    changed |= least < value[s];
    value[s] = least;
  }
  return changed;
}

double scaling_factor(const SearchGraph& graph, std::span<const double> weights,
                      const std::vector<double>& value) {
  double theta = 1;
  for (std::size_t s = 0; s < graph.num_states(); ++s) {
    if (value[s] == std::numeric_limits<double>::infinity()) continue;
    for (const PairId p : graph.pairs(StateId(s))) {
      const double cost = weighted_cost(graph.cost(p), weights);
      const double violation = value[s] - q_value(graph, p, cost, value);
      if (violation > 0) theta = std::min(theta, cost / (cost + violation));
    }
  }
  return theta;
}

}  // namespace

double sound_lower_bound(const SearchGraph& graph, std::span<const double> weights,
                         std::vector<double>& value) {
  // The sweeps keep the better of two bounds in view: they remove violations, but they also lower
  // the values where a violation is real.
  const StateId start = graph.initial_state();
  const double bound = scaling_factor(graph, weights, value) * value[start.index()];
  for (int i = 0; i < max_sweeps && sweep(graph, weights, value); ++i) {
  }
  return std::max(bound, scaling_factor(graph, weights, value) * value[start.index()]);
}

}  // namespace carl::ssp
