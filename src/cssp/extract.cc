#include "cssp/extract.h"

#include <algorithm>
#include <numeric>

#include "ssp/decomposition.h"
#include "ssp/sub_solution.h"

namespace carl::cssp {
namespace {

// Relative to the flow out of the state, and absolutely.
constexpr double least_share = 1e-9;
constexpr double least_flow = 1e-11;

/// The graph counts departures; an action that may loop on its state is used `repeats` times for
/// each, so uses, not departures, are what the handed-out probabilities are proportional to.
StochasticPolicy in_terms_of_actions(const ssp::SearchGraph& graph, const ssp::Policy& policy,
                                     const std::vector<double>& departures) {
  StochasticPolicy result;
  for (std::size_t i = 0; i < policy.size(); ++i) {
    PolicyEntry entry{policy.state(i), 0, {}};
    double uses = 0;
    for (const auto& [pair, probability] : policy.choices(i)) {
      entry.choices.push_back({graph.action(pair), probability * graph.repeats(pair)});
      uses += entry.choices.back().probability;
    }
    for (auto& choice : entry.choices)
      choice.probability /= uses;
    entry.visits = departures[i] * uses;
    result.push_back(std::move(entry));
  }
  return result;
}

}  // namespace

ssp::Policy policy_of_flow(const ssp::SearchGraph& graph, const std::vector<double>& flow,
                           const std::function<ssp::PairId(StateId)>& fallback) {
  return ssp::envelope(graph, graph.initial_state(), [&](StateId s) {
    std::vector<ssp::Policy::Choice> choices;
    if (!graph.is_expanded(s)) return choices;
    double out = 0;
    for (const ssp::PairId p : graph.pairs(s))
      out += flow[p.index()];
    double kept = 0;
    for (const ssp::PairId p : graph.pairs(s)) {
      if (flow[p.index()] <= std::max(least_flow, least_share * out)) continue;
      choices.push_back({p, flow[p.index()]});
      kept += flow[p.index()];
    }
    if (const ssp::PairId p = fallback(s); choices.empty() && p.valid()) {
      choices.push_back({p, 1.0});
      kept = 1;
    }
    for (auto& choice : choices)
      choice.probability /= kept;
    return choices;
  });
}

void hand_out(const ssp::SearchGraph& graph, const ssp::Policy& policy,
              const ssp::Evaluation& evaluation, Solution& solution) {
  solution.costs = evaluation.costs;
  solution.policy = in_terms_of_actions(graph, policy, evaluation.visits);
  solution.mixture.clear();
}

void hand_out_decomposition(const ssp::SearchGraph& graph, const ssp::Policy& policy,
                            const ssp::Evaluation& evaluation, const SolveOptions& options,
                            Solution& solution) {
  for (const ssp::MixturePart& part : ssp::decompose(graph, policy, evaluation))
    add_mixture_component(graph, part.weight, part.policy, part.costs, options, solution);
}

void add_mixture_component(const ssp::SearchGraph& graph, double weight, const ssp::Policy& policy,
                           const std::vector<double>& costs, const SolveOptions& options,
                           Solution& solution) {
  MixtureComponent& component = solution.mixture.emplace_back();
  component.weight = weight;
  component.costs = costs;
  if (options.mixture_policies)
    component.policy = in_terms_of_actions(graph, policy, ssp::evaluate(graph, policy).visits);
}

double feasibility_tolerance(const Bound& bound) {
  return 1e-9 * std::max(1.0, bound.upper);
}

bool meets_bounds(const Cssp& cssp, const std::vector<double>& costs) {
  return std::all_of(cssp.constraints().begin(), cssp.constraints().end(), [&](const Bound& b) {
    return costs[b.cost] <= b.upper + feasibility_tolerance(b);
  });
}

std::vector<double> secondary_weights(const Cssp& cssp, std::span<const double> per_constraint) {
  std::vector<double> weights(cssp.num_costs(), 0.0);
  for (std::size_t i = 0; i < per_constraint.size(); ++i)
    weights[cssp.constraints()[i].cost] += per_constraint[i];
  return weights;
}

std::vector<double> scalarisation(const Cssp& cssp, std::span<const double> multipliers) {
  std::vector<double> weights = secondary_weights(cssp, multipliers);
  weights[0] += 1;
  return weights;
}

double lagrangian_bound(const ssp::SearchGraph& graph, std::span<const double> multipliers,
                        std::vector<double> values, Limits& limits) {
  const Cssp& cssp = graph.cssp();
  double bound =
      ssp::sound_lower_bound(graph, scalarisation(cssp, multipliers), std::move(values), limits);
  for (std::size_t i = 0; i < multipliers.size(); ++i)
    bound -= multipliers[i] * cssp.constraints()[i].upper;
  return std::max(0.0, bound);
}

std::vector<double> per_bound(const Cssp& cssp, std::span<const double> per_constraint) {
  std::vector<double> result(cssp.bounds().size(), 0.0);
  for (std::size_t b = 0; b < result.size(); ++b)
    for (std::size_t i = 0; i < per_constraint.size(); ++i)
      if (cssp.constraints()[i].cost == cssp.bounds()[b].cost) result[b] = per_constraint[i];
  return result;
}

Infeasibility infeasibility(const Cssp& cssp, std::span<const double> weights, double least) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  Infeasibility reason;
  reason.least = least / sum;
  reason.weights = per_bound(cssp, weights);
  for (double& weight : reason.weights)
    weight /= sum;
  for (std::size_t i = 0; i < weights.size(); ++i)
    reason.allowed += weights[i] / sum * cssp.constraints()[i].upper;
  return reason;
}

void end_by_limit(const Limits& limits, Solution& solution) {
  const bool interrupted = limits.kind() == LimitKind::interrupt;
  solution.status = interrupted ? Status::interrupted : Status::limit;
  solution.note = LimitReached(limits.kind()).what();
}

void expand_ahead(ssp::SearchGraph& graph, const std::string& heuristic,
                  const SolveOptions& options, Limits& limits) {
  if (options.threads == 1 || heuristic != "zero") return;
  graph.expand_all(limits, [&] {
    if (options.progress) options.progress({"expanding", graph.num_states(), 0, {}, {}, {}});
  });
}

void record_graph(const ssp::SearchGraph& graph, Statistics& statistics) {
  statistics.expanded = graph.num_expanded();
  statistics.generated = graph.num_states() - 1;  // "given up" is always there
  statistics.state_action_pairs = graph.num_pairs();
  statistics.transitions = graph.num_outcomes();
  statistics.state_bytes = graph.cssp().model().state_bytes();
  statistics.transition_bytes = graph.bytes();
}

}  // namespace carl::cssp
