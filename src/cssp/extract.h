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

/// Where flow comes from: an LP, which leaves a little where there is none, or a sum over policies.
enum class Flow { of_lp, of_policies };

/// π(s,a) = y(s,a) / out(s). Flow of an LP below a tolerance is not flow; where none is left,
/// `fallback` decides, so that the policy is closed whatever was rounded away. States that are not
/// expanded have no choices.
ssp::Policy policy_of_flow(const ssp::SearchGraph& graph, const std::vector<double>& flow,
                           const std::function<ssp::PairId(StateId)>& fallback,
                           Flow kind = Flow::of_lp);

/// Fills in policy and exact costs. `evaluation` is that of `policy`, and proper.
void hand_out(const ssp::SearchGraph& graph, const ssp::Policy& policy,
              const ssp::Evaluation& evaluation, Solution& solution);
/// Fills in the mixture by taking the policy apart; for those that are not known as a mixture.
void hand_out_decomposition(const ssp::SearchGraph& graph, const ssp::Policy& policy,
                            const ssp::Evaluation& evaluation, const SolveOptions& options,
                            Solution& solution);
/// The weighted costs of the mixture are those of the policy, to nine digits.
bool mixture_adds_up(const Solution& solution);
/// Adds a deterministic policy to the mixture.
void add_mixture_component(const ssp::SearchGraph& graph, double weight, const ssp::Policy& policy,
                           const std::vector<double>& costs, const SolveOptions& options,
                           Solution& solution);

/// All constraints hold, within bound_tolerance().
bool meets_bounds(const Cssp& cssp, const std::vector<double>& costs);

/// [1 λ]: weights of all costs, from one multiplier per constraint.
std::vector<double> scalarisation(const Cssp& cssp, std::span<const double> multipliers);
/// One entry per bound of the problem, from one per constraint: a bound of zero was turned into
/// removed actions and has none.
std::vector<double> per_bound(const Cssp& cssp, std::span<const double> per_constraint);
/// The weights of the secondary costs alone.
std::vector<double> secondary_weights(const Cssp& cssp, std::span<const double> per_constraint);

/// C0(π) + λ·C(π) ≥ `least` for every proper policy π: for any bounds u a lower bound on the
/// optimum, least - λ·u.
struct LowerLine {
  std::vector<double> multipliers;  // one per constraint
  double least = 0;
};
/// The line of these multipliers, from values for [1 λ]·C as ssp::sound_lower_bound() asks for.
LowerLine lower_line(const ssp::SearchGraph& graph, std::vector<double> multipliers,
                     std::vector<double> values, Limits& limits);
/// What a line says of all policies that meet the bounds. With the costs of a policy that exceeds
/// some of them by a little: of all that exceed none by more than it does, so of itself too.
double lower_bound(const Cssp& cssp, const LowerLine& line,
                   const std::optional<std::vector<double>>& costs = std::nullopt);
/// Fills in lower bound and multipliers by the line that says most of the solution's policy, if it
/// has one already, and of all others that are as feasible. The one place where a lower bound gets
/// into a solution.
void set_lower_bound(const Cssp& cssp, std::span<const LowerLine> lines, Solution& solution);

/// Why no policy meets all bounds: every policy has Σ weight·cost ≥ `least`. One weight per
/// constraint; scaled so that they sum to one.
Infeasibility infeasibility(const Cssp& cssp, std::span<const double> weights, double least);

/// Status and note of a solve that a limit has ended.
void end_by_limit(const Limits& limits, Solution& solution);

/// Before value iteration: if it is blind it will expand everything, which several threads can do.
void expand_ahead(ssp::SearchGraph& graph, HeuristicKind heuristic, const SolveOptions& options,
                  Limits& limits);

/// Sizes of what was expanded.
void record_graph(const ssp::SearchGraph& graph, Statistics& statistics);

}  // namespace carl::cssp

#endif
