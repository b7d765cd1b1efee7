// What a sub-solution of the Bellman equations must satisfy, V(s) ≤ c(a) + Σ p V(s') for every pair,
// and how far from it values are, with every rounding error accounted for.
#ifndef CARL_SSP_INEQUALITIES_H
#define CARL_SSP_INEQUALITIES_H

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "ssp/graph_names.h"

namespace carl::ssp {

/// For costs weights · C(a). Values are those of whoever holds the array, at the time of asking.
class Inequalities {
 public:
  Inequalities(const SearchGraph& graph, std::span<const double> weights,
               const std::vector<double>& value, bool holds_as_written)
      : graph_(graph),
        value_(value),
        rounding_(holds_as_written ? rounding_of_double : rounding_of_long_double) {
    for (std::size_t row = 0; row < graph.num_cost_rows(); ++row) {
      long double sum = 0;
      const auto cost = graph.cost_of_row(row);
      for (std::size_t i = 0; i < cost.size(); ++i)
        if (weights[i] != 0) sum += static_cast<long double>(weights[i]) * cost[i];
      row_cost_.push_back(sum);
    }
  }

  long double cost(PairId p) const { return row_cost_[graph_.cost_row(p)]; }
  bool is_free(PairId p) const { return cost(p) == 0; }

  /// Q(s,a) - V(s), and how much rounding may have added to it. Taken from differences of values,
  /// which lose no digits where a policy takes very many steps and all values are large; an average
  /// of equal values has no error at all.
  struct Slack {
    long double slack;
    long double error;
    bool is_violated() const { return slack < error; }
  };
  Slack slack(PairId p) const {
    const long double own = value_[graph_.state(p).index()];
    long double sum = cost(p);
    long double size = sum;
    const auto successors = graph_.successors(p);
    const auto probabilities = graph_.probabilities(p);
    for (std::size_t k = 0; k < successors.size(); ++k) {
      const double value = value_[successors[k].index()];
      if (value == infinity) return {infinity, 0};  // no proper policy uses this pair
      const long double part = probabilities[k] * (value - own);
      sum += part;
      size += part < 0 ? -part : part;
    }
    if (graph_.ends(p)) {
      sum -= own;
      size += own;
    }
    return {sum, size * share_lost(p)};
  }

  /// Most pairs have much room, which doubles can tell.
  bool has_much_room(PairId p) const {
    const double q = q_value(graph_, p, static_cast<double>(cost(p)),
                             [&](StateId s) { return value_[s.index()]; });
    return value_[graph_.state(p).index()] <= q * much_room;
  }

  /// Whether the pairs of a state are violated by no more than a share of its value.
  bool hold_but_for(double share, StateId s) const {
    const double value = value_[s.index()];
    if (value == 0 || value == infinity) return true;
    for (const PairId p : graph_.pairs(s)) {
      if (has_much_room(p)) continue;
      const auto [slack_left, error] = slack(p);
      if (slack_left < error - share * value) return false;
    }
    return true;
  }

  double least_successor(PairId p) const {
    double least = graph_.ends(p) ? 0.0 : infinity;
    for (const StateId t : graph_.successors(p))
      least = std::min(least, value_[t.index()]);
    return least;
  }

  /// max viol / c over the pairs of a state; infinite if a free one is violated.
  long double excess_at(StateId s) const {
    const double value = value_[s.index()];
    if (value == 0 || value == infinity) return 0;
    long double excess = 0;
    for (const PairId p : graph_.pairs(s)) {
      if (has_much_room(p)) continue;
      const auto [slack_left, error] = slack(p);
      if (!(slack_left < error)) continue;
      if (is_free(p)) return infinity;
      excess = std::max(excess, (error - slack_left) / (cost(p) * (1 - share_lost(p))));
    }
    return excess;
  }

 private:
  /// Of a sum over this pair's outcomes and costs, by rounding.
  long double share_lost(PairId p) const {
    const std::size_t outcomes = std::max<std::size_t>(graph_.successors(p).size(), 1);
    const std::size_t terms = outcomes + graph_.num_costs() + further_roundings;
    return rounding_ * static_cast<double>(terms);
  }

  // Relative errors of the sums above: one rounding per term and some more.
  static constexpr long double rounding_of_long_double = 0x1.0p-63L;
  static constexpr long double rounding_of_double = 0x1.0p-53L;
  static constexpr std::size_t further_roundings = 4;
  // Far more than the errors of sums over any number of outcomes that a pair can have.
  static constexpr double much_room = 1 - 1e-9;
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  const SearchGraph& graph_;
  const std::vector<double>& value_;
  long double rounding_;
  std::vector<long double> row_cost_;
};

}  // namespace carl::ssp

#endif
