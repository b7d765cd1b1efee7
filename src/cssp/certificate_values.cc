#include "cssp/certificate_values.h"

#include <algorithm>

#include "cssp/constraint_weights.h"
#include "graph/proper_region.h"
#include "graph/zero_cost_loops.h"
#include "heuristics/make_heuristic.h"
#include "oracle/search_oracle.h"
#include "ssp/policy_iteration.h"
#include "ssp/scalarised_ssp.h"
#include "ssp/ssp_algorithm.h"
#include "ssp/sub_solution.h"

namespace carl::cssp {
namespace {

// Up to here policy iteration, whose values are exact; beyond, value iteration is first choice.
constexpr std::size_t most_states_of_policy_iteration = 50'000;
// Of the primary cost, relative to the others, in problems whose weights do not count it: without
// any, policies could go round for nothing. As little as it takes; where less proves more, less.
constexpr double primary_shares[] = {1e-3, 1e-6, 1e-9, 1e-11};
// Residuals of value iteration, relative to the largest cost of an action.
constexpr double precisions[] = {1e-6, 1e-9, 1e-12};
// Relative gap of a scalarised problem that is worth no more effort.
constexpr double negligible_gap = 1e-10;

/// Keeps the best values for the weights.
class BestValues {
 public:
  BestValues(std::span<const double> weights, double target)
      : weights_(weights.begin(), weights.end()), target_(target) {}

  void offer(const graph::SearchGraph& graph, std::vector<double> values, Monitor& monitor) {
    ssp::SubSolution found =
        ssp::make_sub_solution(graph, weights_, std::move(values), monitor,
                               {.negligible_loss = 1e-13, .holds_as_written = true});
    if (best_.value.empty() || found.bound > best_.bound) best_ = std::move(found);
  }
  void forget() { best_ = {}; }
  bool good_enough() const { return !best_.value.empty() && best_.bound >= target_; }
  std::vector<double> take() { return std::move(best_.value); }

  const std::vector<double>& weights() const { return weights_; }
  bool primary_counts() const { return weights_[0] > 0; }

 private:
  std::vector<double> weights_;
  double target_;
  ssp::SubSolution best_;
};

/// The largest weighted cost of an action.
double largest_cost(const graph::SearchGraph& graph, std::span<const double> weights) {
  double largest = 0;
  for (std::size_t row = 0; row < graph.num_cost_rows(); ++row)
    if (graph.is_row_allowed(row))
      largest = std::max(largest, graph::weighted_cost(graph.cost_of_row(row), weights));
  return largest;
}

/// The weights with a share of the primary cost added.
std::vector<double> with_primary(const graph::SearchGraph& graph, std::vector<double> weights,
                                 double share) {
  const double largest = largest_cost(graph, weights);
  const double primary = largest_cost(graph, scalarisation(graph.cssp(), {}));
  weights[0] += share * (largest > 0 ? largest : 1.0) / (primary > 0 ? primary : 1.0);
  return weights;
}

/// Value iteration to a precision that is tightened until the bound is good enough.
std::vector<graph::PairId> iterate_values(graph::SearchGraph& graph, std::vector<double> weights,
                                          BestValues& best, Monitor& monitor) {
  const auto zero =
      heuristics::make_heuristic(graph, HeuristicKind::zero, HeuristicMode::lambda, monitor);
  ssp::ScalarisedSsp ssp(graph, *zero, weights);
  ssp.use_scalar_residual();
  const auto algorithm = ssp::make_value_iteration(ssp);
  const double largest = largest_cost(graph, weights);
  const bool offer = best.weights() == weights;
  for (const double precision : precisions) {
    algorithm->solve({.epsilon = precision * (largest > 0 ? largest : 1.0)}, monitor);
    monitor.check();
    if (offer) best.offer(graph, ssp.values(), monitor);
    if (offer && best.good_enough()) break;
  }
  std::vector<graph::PairId> choice;
  for (std::size_t s = 0; s < graph.num_states(); ++s)
    choice.push_back(ssp.choice(StateId(s)));
  return choice;
}

void solve_whole(graph::SearchGraph& graph, const graph::ProperRegion& region, BestValues& best,
                 Monitor& monitor) {
  const bool small = graph.num_states() <= most_states_of_policy_iteration;
  if (best.primary_counts()) {
    if (small)
      best.offer(graph, ssp::policy_iteration(graph, region, best.weights(), monitor).value,
                 monitor);
    else
      iterate_values(graph, best.weights(), best, monitor);
    return;
  }
  for (const double share : primary_shares) {
    const std::vector<double> weights = with_primary(graph, best.weights(), share);
    std::vector<double> values;
    if (!small)
      values = ssp::region_values(graph, region, iterate_values(graph, weights, best, monitor),
                                  best.weights());
    if (values.empty())
      values = ssp::region_values(graph, region,
                                  ssp::policy_iteration(graph, region, weights, monitor).choice,
                                  best.weights());
    best.offer(graph, std::move(values), monitor);
    if (best.good_enough() || monitor.reached()) return;
  }
}

CertificateValues on_all_states(graph::SearchGraph& graph, BestValues& best, Monitor& monitor) {
  graph::reject_zero_cost_loops(graph, monitor);
  const graph::ProperRegion region = graph::proper_region(graph, monitor);
  monitor.check();
  CertificateValues result;
  if (region.contains(graph.initial_state())) {
    solve_whole(graph, region, best, monitor);
    monitor.check();
    result.value = best.take();
  } else {
    result.value.assign(graph.num_states(), ssp::infinity);
  }
  return result;
}

/// Searches, as an outer search does, until the values are good enough or cannot be made better.
void search(oracle::SearchOracle& oracle, BestValues& best, const std::vector<double>& weights,
            Monitor& monitor) {
  while (true) {
    const oracle::Answer answer = oracle.ask(weights);
    if (answer.outcome == oracle::Answer::Outcome::limit) {
      monitor.check();
      throw NoCertificate("the search for its values ends in numerical trouble");
    }
    best.forget();  // the graph has grown
    best.offer(oracle.graph(), oracle.values_for(best.weights()), monitor);
    if (best.good_enough() || answer.outcome == oracle::Answer::Outcome::no_proper_policy ||
        answer.weighted_cost - answer.lower_bound <= negligible_gap * answer.weighted_cost ||
        !oracle.tighten())
      return;
  }
}

/// A state that the heuristic knows to be a dead end gets no pair in the graph but giving up,
/// whatever actions the model has for it.
bool is_cut_off(Cssp& cssp, const graph::SearchGraph& graph, StateId s) {
  const graph::PairRange pairs = graph.pairs(s);
  if (pairs.size() != 1 || graph.action(*pairs.begin()) != Cssp::give_up_action) return false;
  Expansion expansion;
  cssp.expand(s, expansion);
  return expansion.num_actions() > 1;
}

CertificateValues on_some_states(Cssp& cssp, BestValues& best, const CertificateOptions& options,
                                 Monitor& monitor) {
  SolveOptions solve_options;
  solve_options.carl.inner = InnerAlgorithm::cg_ilao;
  solve_options.search.heuristic = options.heuristic;
  solve_options.gap = 1e-6;
  oracle::SearchOracle oracle(cssp, solve_options, monitor);
  if (best.primary_counts()) {
    search(oracle, best, best.weights(), monitor);
  } else {
    for (const double share : primary_shares) {
      search(oracle, best, with_primary(oracle.graph(), best.weights(), share), monitor);
      if (best.good_enough()) break;
    }
  }
  const graph::SearchGraph& graph = oracle.graph();
  CertificateValues result;
  result.heuristic = to_string(oracle.heuristic());
  result.value = best.take();
  result.unexpanded.assign(graph.num_states(), false);
  for (std::size_t s = 0; s < graph.num_states(); ++s) {
    const StateId state(s);
    if (graph.is_goal(state)) continue;
    result.unexpanded[s] = !graph.is_expanded(state) || is_cut_off(cssp, graph, state);
  }
  return result;
}

}  // namespace

CertificateValues certificate_values(Cssp& cssp, std::span<const double> weights, double target,
                                     const CertificateOptions& options, Monitor& monitor) {
  BestValues best(weights, target);
  {
    graph::SearchGraph graph(cssp, options.threads);
    if (graph.expand_all(monitor, options.max_states)) return on_all_states(graph, best, monitor);
  }
  monitor.check();
  return on_some_states(cssp, best, options, monitor);
}

}  // namespace carl::cssp
