#include "cssp/farkas.h"

#include <algorithm>

#include "cssp/constraint_weights.h"
#include "cssp/feasibility.h"
#include "cssp/occupation_lp.h"
#include "ssp/policy_iteration.h"
#include "ssp/sub_solution.h"
#include "util/rational.h"

namespace carl::cssp {
namespace {

constexpr double negligible_loss = 1e-14;  // of a lower bound
// A proof is worth more sweeps than a bound that the next query may improve.
constexpr ssp::SubSolutionOptions for_a_proof{
    .negligible_loss = negligible_loss, .max_sweeps = 2000, .holds_as_written = true};
// On so many pairs an LP takes milliseconds.
constexpr std::size_t most_pairs_of_small_lp = 2'000;

Rational allowed(const Cssp& cssp, const std::vector<double>& r) {
  Rational sum = 0;
  for (std::size_t i = 0; i < r.size(); ++i)
    sum += Rational(r[i]) * Rational(cssp.constraints()[i].upper);
  return sum;
}

}  // namespace

std::optional<Infeasibility> prove_infeasibility(const graph::SearchGraph& graph,
                                                 const std::vector<double>& r,
                                                 std::vector<double> values, Monitor& monitor) {
  const ssp::SubSolution proof = ssp::make_sub_solution(graph, per_cost(graph.cssp(), r),
                                                        std::move(values), monitor, for_a_proof);
  if (proof.bound == ssp::infinity) return std::nullopt;  // there is no proper policy at all
  const double start = proof.value[graph.initial_state().index()];
  const Rational least = Rational(proof.theta) * Rational(start);
  if (least <= allowed(graph.cssp(), r)) return std::nullopt;
  return infeasibility(graph.cssp(), r, to_double(least));
}

std::optional<Infeasibility> prove_infeasibility(const graph::SearchGraph& graph,
                                                 const graph::ProperRegion& region,
                                                 const std::vector<double>& r, Monitor& monitor) {
  const std::vector<double> weights = per_cost(graph.cssp(), r);
  return prove_infeasibility(graph, r, ssp::policy_iteration(graph, region, weights, monitor).value,
                             monitor);
}

bool is_small_and_expanded(const graph::SearchGraph& graph) {
  if (graph.num_known_pairs() > most_pairs_of_small_lp) return false;
  std::vector<bool> seen(graph.num_states(), false);
  std::vector<StateId> queue{graph.initial_state()};
  while (!queue.empty()) {
    const StateId s = queue.back();
    queue.pop_back();
    if (seen[s.index()] || graph.is_goal(s)) continue;
    if (!graph.is_expanded(s)) return false;
    seen[s.index()] = true;
    graph.for_each_successor(s, [&](StateId t) { queue.push_back(t); });
  }
  return true;
}

std::optional<Infeasibility> prove_infeasibility_by_lp(const graph::SearchGraph& graph,
                                                       const graph::ProperRegion& region,
                                                       Monitor& monitor) {
  if (monitor.reached()) return std::nullopt;  // the region may have been cut short
  OccupationLp lp(graph, region, OccupationLp::Kind::relax);
  lp.start_from(region.choice);
  if (lp.solve(monitor) != lp::Status::optimal || monitor.reached()) return std::nullopt;
  const std::vector<double> r = lp.multipliers();
  if (std::all_of(r.begin(), r.end(), [](double weight) { return weight == 0; }))
    return std::nullopt;
  return prove_infeasibility(graph, region, r, monitor);
}

std::function<std::optional<Infeasibility>()> proof_by_small_lp(oracle::SearchOracle& oracle) {
  return [&oracle]() -> std::optional<Infeasibility> {
    const graph::SearchGraph& graph = oracle.graph();
    if (!is_small_and_expanded(graph)) return std::nullopt;
    return prove_infeasibility_by_lp(graph, graph::proper_region(graph, oracle.monitor()),
                                     oracle.monitor());
  };
}

FarkasStep farkas_step(Lagrangian& lagrangian, const std::vector<double>& r, double rho) {
  const Cssp& cssp = lagrangian.cssp();
  const std::vector<double> r_weights = per_cost(cssp, r);
  const std::vector<double>& first = lagrangian.cuts().front().costs;
  std::vector<double> weights = r_weights;
  weights[0] +=
      rho * std::max(graph::weighted_cost(first, r_weights), 1e-9) / lagrangian.primary_scale();

  FarkasStep step;
  step.answer = lagrangian.query_weights(weights);
  if (step.answer.outcome != Lagrangian::Outcome::answered) return step;
  const Cut& cut = lagrangian.cuts()[step.answer.cut];
  double excess = 0;
  for (std::size_t i = 0; i < r.size(); ++i)
    excess += r[i] * (cut.costs[cssp.constraints()[i].cost] - cssp.constraints()[i].upper);
  if (excess <= 0) return step;

  const double least = lagrangian.oracle().bound_nearby(r_weights, negligible_loss);
  // Infinite: there is no proper policy at all.
  if (least != ssp::infinity && Rational(least) > allowed(cssp, r))
    step.proof = infeasibility(cssp, r, least);
  return step;
}

}  // namespace carl::cssp
