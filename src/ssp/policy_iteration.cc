#include "ssp/policy_iteration.h"

#include <array>
#include <cmath>
#include <limits>

#include "ssp/policy_evaluation.h"

namespace carl::ssp {
namespace {

// Improvements smaller than this (relative) are rounding errors of the evaluation; following them
// could go round in circles.
constexpr double least_improvement = 1e-12;

/// All members of the region with their chosen pairs.
Policy whole_region(const SearchGraph& graph, const graph::ProperRegion& region,
                    const std::vector<PairId>& choice) {
  Policy policy;
  const auto add = [&](StateId s) {
    policy.add_state(s);
    policy.add_choice(choice[s.index()], 1.0);
  };
  for (std::size_t s = 0; s < graph.num_states(); ++s)
    if (region.member[s] && !graph.is_goal(StateId(s))) add(StateId(s));
  return policy;
}

}  // namespace

std::vector<double> region_values(const SearchGraph& graph, const graph::ProperRegion& region,
                                  const std::vector<PairId>& choice,
                                  std::span<const double> weights) {
  const Policy policy = whole_region(graph, region, choice);
  const Evaluation evaluation = evaluate(graph, policy);
  if (!evaluation.proper) return {};
  std::vector<double> value(graph.num_states(), std::numeric_limits<double>::infinity());
  for (std::size_t s = 0; s < graph.num_states(); ++s)
    if (graph.is_goal(StateId(s))) value[s] = 0;
  for (std::size_t i = 0; i < policy.size(); ++i)
    value[policy.state(i).index()] = weighted_cost(
        std::span(evaluation.values).subspan(i * graph.num_costs(), graph.num_costs()), weights);
  return value;
}

OptimalValues policy_iteration(const SearchGraph& graph, const graph::ProperRegion& region,
                               std::span<const double> weights, Monitor& monitor) {
  OptimalValues result;
  result.choice = region.choice;
  result.value.assign(graph.num_states(), std::numeric_limits<double>::infinity());
  for (std::size_t s = 0; s < graph.num_states(); ++s)
    if (graph.is_goal(StateId(s))) result.value[s] = 0;
  const auto q_of = [&](PairId p) {
    return q_value(graph, p, weighted_cost(graph.cost(p), weights),
                   [&](StateId s) { return result.value[s.index()]; });
  };
  while (true) {
    const Policy policy = whole_region(graph, region, result.choice);
    const Evaluation evaluation = evaluate(graph, policy, {.monitor = &monitor});
    if (!evaluation.proper) return result;
    for (std::size_t i = 0; i < policy.size(); ++i)
      result.value[policy.state(i).index()] = weighted_cost(
          std::span(evaluation.values).subspan(i * graph.num_costs(), graph.num_costs()), weights);
    if (monitor.reached_now()) return result;
    bool changed = false;
    for (std::size_t i = 0; i < policy.size(); ++i) {
      const StateId s = policy.state(i);
      PairId& chosen = result.choice[s.index()];
      double best = q_of(chosen);
      for (const PairId p : graph.pairs(s)) {
        const double q = q_of(p);
        if (q < best - least_improvement * std::abs(best)) {
          best = q;
          chosen = p;
          changed = true;
        }
      }
    }
    if (!changed) break;
  }
  result.complete = true;
  return result;
}

}  // namespace carl::ssp
