// From flow on a search graph to the policy that is handed out: the stationary stochastic policy of
// an occupation measure, evaluated exactly, and written in terms of states and actions.
#ifndef CARL_CSSP_EXTRACT_H
#define CARL_CSSP_EXTRACT_H

#include <functional>
#include <span>
#include <vector>

#include "carl/limits.h"
#include "carl/solution.h"
#include "carl/solve.h"
#include "ssp/policy.h"
#include "ssp/policy_evaluation.h"

namespace carl::cssp {

/// π(s,a) = y(s,a) / out(s). Flow below a tolerance is not flow; where none is left, `fallback`
/// decides, so that the policy is closed whatever was rounded away. States that are not expanded
/// have no choices.
ssp::Policy policy_of_flow(const ssp::SearchGraph& graph, const std::vector<double>& flow,
                           const std::function<ssp::PairId(StateId)>& fallback);

/// Fills in policy and exact costs. `evaluation` is that of `policy`, and proper.
void hand_out(const ssp::SearchGraph& graph, const ssp::Policy& policy,
              const ssp::Evaluation& evaluation, Solution& solution);
/// Fills in the mixture by taking the policy apart; for those that are not known as a mixture.
void hand_out_decomposition(const ssp::SearchGraph& graph, const ssp::Policy& policy,
                            const ssp::Evaluation& evaluation, const SolveOptions& options,
                            Solution& solution);
/// Adds a deterministic policy to the mixture.
void add_mixture_component(const ssp::SearchGraph& graph, double weight, const ssp::Policy& policy,
                           const std::vector<double>& costs, const SolveOptions& options,
                           Solution& solution);

/// By how much a policy may exceed a bound and still count as feasible: 1e-9·max(1, u).
double feasibility_tolerance(const Bound& bound);
/// All constraints hold, within that tolerance.
bool meets_bounds(const Cssp& cssp, const std::vector<double>& costs);

/// [1 λ]: weights of all costs, from one multiplier per constraint.
std::vector<double> scalarisation(const Cssp& cssp, std::span<const double> multipliers);
/// One entry per bound of the problem, from one per constraint: a bound of zero was turned into
/// removed actions and has none.
std::vector<double> per_bound(const Cssp& cssp, std::span<const double> per_constraint);
/// The weights of the secondary costs alone.
std::vector<double> secondary_weights(const Cssp& cssp, std::span<const double> per_constraint);
/// A sound lower bound on the optimum from multipliers and values for [1 λ]·C as
/// ssp::sound_lower_bound() asks for.
double lagrangian_bound(const ssp::SearchGraph& graph, std::span<const double> multipliers,
                        std::vector<double> values, Limits& limits);
/// Why no policy meets all bounds: every policy has Σ weight·cost ≥ `least`. One weight per
/// constraint; scaled so that they sum to one.
Infeasibility infeasibility(const Cssp& cssp, std::span<const double> weights, double least);

/// Status and note of a solve that a limit has ended.
void end_by_limit(const Limits& limits, Solution& solution);

/// Before value iteration: if it is blind it will expand everything, which several threads can do.
void expand_ahead(ssp::SearchGraph& graph, const std::string& heuristic,
                  const SolveOptions& options, Limits& limits);

/// Sizes of what was expanded.
void record_graph(const ssp::SearchGraph& graph, Statistics& statistics);

}  // namespace carl::cssp

#endif
