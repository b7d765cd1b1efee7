// The policy of a Solution and the mixture that it stands for: from pairs of a search graph to
// states and actions of the problem.
#ifndef CARL_CSSP_SOLUTION_POLICY_H
#define CARL_CSSP_SOLUTION_POLICY_H

#include <vector>

#include "carl/cssp.h"
#include "carl/solution.h"
#include "carl/solve.h"
#include "ssp/policy.h"
#include "ssp/policy_evaluation.h"

namespace carl::cssp {

/// Sets policy and exact costs; there is no mixture yet. `evaluation` is that of `policy`, and
/// proper.
void set_policy(const graph::SearchGraph& graph, const ssp::Policy& policy,
                const ssp::Evaluation& evaluation, Solution& solution);
/// Sets the mixture by taking the policy apart; for policies that are not known as a mixture.
void set_mixture_by_decomposition(const graph::SearchGraph& graph, const ssp::Policy& policy,
                                  const ssp::Evaluation& evaluation, const SolveOptions& options,
                                  Solution& solution);
/// The weighted costs of the mixture are those of the policy, to nine digits.
bool mixture_adds_up(const Solution& solution);
/// Adds a deterministic policy to the mixture.
void add_mixture_component(const graph::SearchGraph& graph, double weight,
                           const ssp::Policy& policy, const std::vector<double>& costs,
                           const SolveOptions& options, Solution& solution);

/// If the policy tosses coins: notes the costs of the best policy without, of those met on the way,
/// that meets all bounds.
void note_deterministic_policy(const Cssp& cssp, Solution& solution);

}  // namespace carl::cssp

#endif
