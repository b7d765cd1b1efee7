#include "cssp/solution_policy.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ssp/decomposition.h"

namespace carl::cssp {
namespace {

constexpr double mixture_tolerance = 1e-9;

/// The graph counts departures; an action that may loop on its state is used `repeats` times for
/// each, so uses, not departures, are what the probabilities of actions are proportional to.
Policy in_terms_of_actions(const graph::SearchGraph& graph, const ssp::Policy& policy,
                           const std::vector<double>& departures) {
  Policy result;
  result.reserve(policy.size());
  for (std::size_t i = 0; i < policy.size(); ++i) {
    double uses = 0;
    for (const auto& [pair, probability] : policy.choices(i))
      uses += probability * graph.repeats(pair);
    result.add_state(policy.state(i), departures[i] * uses);
    for (const auto& [pair, probability] : policy.choices(i))
      result.add_choice(graph.action(pair), probability * graph.repeats(pair) / uses);
  }
  return result;
}

}  // namespace

void set_policy(const graph::SearchGraph& graph, const ssp::Policy& policy,
                const ssp::Evaluation& evaluation, Solution& solution) {
  solution.costs = evaluation.costs;
  solution.policy = in_terms_of_actions(graph, policy, evaluation.visits);
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

bool mixture_adds_up(const Solution& solution) {
  std::vector<double> mixed(solution.costs->size(), 0.0);
  for (const MixtureComponent& part : solution.mixture)
    for (std::size_t i = 0; i < mixed.size(); ++i)
      mixed[i] += part.weight * part.costs[i];
  return std::equal(mixed.begin(), mixed.end(), solution.costs->begin(), [](double a, double b) {
    return std::abs(a - b) <= mixture_tolerance * std::abs(b);
  });
}

void add_mixture_component(const graph::SearchGraph& graph, double weight,
                           const ssp::Policy& policy, const std::vector<double>& costs,
                           const SolveOptions& options, Solution& solution) {
  MixtureComponent& component = solution.mixture.emplace_back();
  component.weight = weight;
  component.costs = costs;
  if (options.mixture_policies)
    component.policy = in_terms_of_actions(graph, policy, ssp::evaluate(graph, policy).visits);
}

}  // namespace carl::cssp
