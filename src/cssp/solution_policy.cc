#include "cssp/solution_policy.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cssp/feasibility.h"
#include "ssp/decomposition.h"
#include "ssp/policy_actions.h"

namespace carl::cssp {
namespace {

constexpr double mixture_tolerance = 1e-9;

}  // namespace

void set_policy(const graph::SearchGraph& graph, const ssp::Policy& policy,
                const ssp::Evaluation& evaluation, Solution& solution) {
  solution.costs = evaluation.costs;
  solution.policy = ssp::in_terms_of_actions(graph, policy, evaluation.visits);
  solution.mixture.clear();
}

void set_mixture_by_decomposition(const graph::SearchGraph& graph, const ssp::Policy& policy,
                                  const ssp::Evaluation& evaluation, const SolveOptions& options,
                                  Solution& solution) {
  for (const ssp::MixturePart& part : ssp::decompose(graph, policy, evaluation))
    add_mixture_component(graph, part.weight, part.policy, part.costs, options, solution);
  // Where visits go into the millions, taking apart may lose too many digits.
  if (!mixture_adds_up(solution)) solution.mixture.clear();
}

/// Costs are in units of a typical step (cssp/cost_units.h).
bool mixture_adds_up(const Solution& solution) {
  std::vector<double> mixed(solution.costs->size(), 0.0);
  for (const MixtureComponent& part : solution.mixture)
    for (std::size_t i = 0; i < mixed.size(); ++i)
      mixed[i] += part.weight * part.costs[i];
  return std::equal(mixed.begin(), mixed.end(), solution.costs->begin(), [](double a, double b) {
    return std::abs(a - b) <= mixture_tolerance * std::max(std::abs(b), next_to_nothing);
  });
}

void add_mixture_component(const graph::SearchGraph& graph, double weight,
                           const ssp::Policy& policy, const std::vector<double>& costs,
                           const SolveOptions& options, Solution& solution) {
  MixtureComponent& component = solution.mixture.emplace_back();
  component.weight = weight;
  component.costs = costs;
  if (options.mixture_policies)
    component.policy = ssp::in_terms_of_actions(graph, policy, ssp::evaluate(graph, policy).visits);
}

void note_deterministic_policy(const Cssp& cssp, Solution& solution) {
  if (!solution.costs || solution.policy.is_deterministic()) return;
  std::optional<std::vector<double>>& best = solution.deterministic_costs;
  const auto consider = [&](const std::vector<double>& costs) {
    if ((!best || costs[0] < best->front()) && meets_bounds(cssp, costs)) best = costs;
  };
  for (const std::vector<double>& costs : solution.cuts)
    consider(costs);
  for (const MixtureComponent& part : solution.mixture)
    consider(part.costs);
}

}  // namespace carl::cssp
