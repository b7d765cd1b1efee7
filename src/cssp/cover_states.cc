// What to do in states that an optimal policy does not meet. The policy is optimal for the scalar
// costs C0 + λ·C at the multipliers of the optimum, and so is what is added to it: a deterministic
// optimal policy of the scalarised problem over all reachable states. That policy is proper, so that
// from any state it comes to a goal or to the states that were met before, from where the policy
// goes on as it is.

#include "cssp/cover_states.h"

#include <algorithm>
#include <vector>

#include "graph/proper_region.h"
#include "graph/q_value.h"
#include "graph/search_graph.h"
#include "heuristics/make_heuristic.h"
#include "ssp/policy_iteration.h"
#include "ssp/scalarised_ssp.h"
#include "ssp/ssp_algorithm.h"

namespace carl {
namespace {

using graph::PairId;
using graph::ProperRegion;
using graph::SearchGraph;

// Residual of value iteration, relative to the largest cost of an action.
constexpr double precision = 1e-9;

/// [1 λ], for all costs.
std::vector<double> weights_of(const Cssp& cssp, const Solution& solution) {
  std::vector<double> weights(cssp.num_costs(), 0.0);
  weights[0] = 1;
  for (std::size_t b = 0; b < solution.multipliers.size(); ++b)
    if (cssp.bounds()[b].upper > 0 && solution.multipliers[b] > 0)
      weights[cssp.bounds()[b].cost] += solution.multipliers[b];
  return weights;
}

double largest_cost(const SearchGraph& graph, const std::vector<double>& weights) {
  double largest = 0;
  for (std::size_t row = 0; row < graph.num_cost_rows(); ++row)
    if (graph.is_row_allowed(row))
      largest = std::max(largest, graph::weighted_cost(graph.cost_of_row(row), weights));
  return largest > 0 ? largest : 1.0;
}

/// Whether these choices lead from every member of the region to a goal, with probability 1, that
/// is: whether none of them leaves it, and each member has some way to a goal.
bool is_proper(const SearchGraph& graph, const ProperRegion& region,
               const std::vector<PairId>& choice) {
  const std::size_t n = graph.num_states();
  std::vector<std::vector<std::uint32_t>> predecessors(n);
  std::vector<std::uint32_t> queue;
  std::vector<bool> seen(n, false);
  std::size_t members = 0;
  const auto reach = [&](std::size_t s) {
    if (!seen[s]) queue.push_back(static_cast<std::uint32_t>(s));
    seen[s] = true;
  };
  for (std::size_t s = 0; s < n; ++s) {
    if (!region.member[s]) continue;
    ++members;
    if (graph.is_goal(StateId(s))) {
      reach(s);
      continue;
    }
    const PairId p = choice[s];
    if (!p.valid() || !region.allows(graph, p)) return false;
    if (graph.ends(p)) reach(s);
    for (const StateId successor : graph.successors(p))
      predecessors[successor.index()].push_back(static_cast<std::uint32_t>(s));
  }
  for (std::size_t next = 0; next < queue.size(); ++next)
    for (const std::uint32_t before : predecessors[queue[next]])
      reach(before);
  return queue.size() == members;
}

std::vector<PairId> by_value_iteration(SearchGraph& graph, const std::vector<double>& weights,
                                       Monitor& monitor) {
  const auto zero =
      heuristics::make_heuristic(graph, HeuristicKind::zero, HeuristicMode::lambda, monitor);
  ssp::ScalarisedSsp ssp(graph, *zero, weights);
  ssp.use_scalar_residual();
  ssp::make_value_iteration(ssp)->solve({.epsilon = precision * largest_cost(graph, weights)},
                                        monitor);
  monitor.check();
  std::vector<PairId> choice;
  choice.reserve(graph.num_states());
  for (std::size_t s = 0; s < graph.num_states(); ++s)
    choice.push_back(ssp.choice(StateId(s)));
  return choice;
}

std::vector<PairId> optimal_choices(SearchGraph& graph, const ProperRegion& region,
                                    const std::vector<double>& weights,
                                    std::size_t most_by_policy_iteration, Monitor& monitor) {
  if (graph.num_states() > most_by_policy_iteration) {
    std::vector<PairId> choice = by_value_iteration(graph, weights, monitor);
    if (is_proper(graph, region, choice)) return choice;
  }
  std::vector<PairId> choice = ssp::policy_iteration(graph, region, weights, monitor).choice;
  monitor.check();
  return choice;
}

}  // namespace

Coverage cssp::cover(Cssp& cssp, const Solution& solution, std::size_t threads,
                     std::size_t most_by_policy_iteration, Monitor& monitor) {
  if (!solution.costs) throw NoCoverage("there is no policy");
  if (solution.multipliers.empty() && !cssp.constraints().empty())
    throw NoCoverage("no shadow prices of the bounds are known");
  SearchGraph graph(cssp, threads);
  if (!graph.expand_all(monitor)) {
    monitor.check();
    throw NoCoverage("there are too many states");
  }
  const ProperRegion region = graph::proper_region(graph, monitor);
  monitor.check();
  const std::vector<PairId> choice =
      optimal_choices(graph, region, weights_of(cssp, solution), most_by_policy_iteration, monitor);
  Coverage result;
  result.policy = solution.policy;
  for (const StateId s : graph.expanded_states()) {
    if (graph.is_goal(s) || solution.policy.find(s)) continue;
    if (!region.contains(s)) {
      ++result.hopeless;
      continue;
    }
    result.policy.add_state(s, 0.0);
    result.policy.add_choice(graph.action(choice[s.index()]));
    ++result.added;
  }
  return result;
}

Coverage cover_all_states(Cssp& cssp, const Solution& solution, std::size_t threads,
                          Monitor& monitor) {
  constexpr std::size_t most_by_policy_iteration = 50'000;
  return cssp::cover(cssp, solution, threads, most_by_policy_iteration, monitor);
}

}  // namespace carl
