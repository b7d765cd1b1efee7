#include "cssp/extract.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cssp/algorithms.h"
#include "ssp/decomposition.h"
#include "ssp/sub_solution.h"

namespace carl::cssp {
namespace {

// Relative to the flow out of the state, and absolutely.
constexpr double least_share = 1e-9;
constexpr double least_flow = 1e-11;
constexpr double mixture_tolerance = 1e-9;

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
                           const std::function<ssp::PairId(StateId)>& fallback, Flow kind) {
  return ssp::envelope(graph, graph.initial_state(), [&](StateId s) {
    std::vector<ssp::Policy::Choice> choices;
    if (!graph.is_expanded(s)) return choices;
    double out = 0;
    for (const ssp::PairId p : graph.pairs(s))
      out += flow[p.index()];
    double kept = 0;
    for (const ssp::PairId p : graph.pairs(s)) {
      const double least = kind == Flow::of_lp ? std::max(least_flow, least_share * out) : 0.0;
      if (flow[p.index()] <= least) continue;
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

void add_mixture_component(const ssp::SearchGraph& graph, double weight, const ssp::Policy& policy,
                           const std::vector<double>& costs, const SolveOptions& options,
                           Solution& solution) {
  MixtureComponent& component = solution.mixture.emplace_back();
  component.weight = weight;
  component.costs = costs;
  if (options.mixture_policies)
    component.policy = in_terms_of_actions(graph, policy, ssp::evaluate(graph, policy).visits);
}

bool meets_bounds(const Cssp& cssp, const std::vector<double>& costs) {
  // A little less than what is allowed: an exact check of the policy must come to the same end.
  constexpr double share = 1 - 1e-4;
  return std::all_of(cssp.constraints().begin(), cssp.constraints().end(), [&](const Bound& b) {
    return costs[b.cost] <= b.upper + share * bound_tolerance(b);
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

LowerLine lower_line(const ssp::SearchGraph& graph, std::vector<double> multipliers,
                     std::vector<double> values, Limits& limits) {
  const std::vector<double> weights = scalarisation(graph.cssp(), multipliers);
  const double least = ssp::sound_lower_bound(graph, weights, std::move(values), limits);
  return {std::move(multipliers), least};
}

double lower_bound(const Cssp& cssp, const LowerLine& line,
                   const std::optional<std::vector<double>>& costs) {
  // The terms may be much larger than their difference, so every digit counts.
  long double bound = line.least;
  for (std::size_t i = 0; i < line.multipliers.size(); ++i) {
    const auto [cost, upper] = cssp.constraints()[i];
    const double allowed = costs ? std::max(upper, (*costs)[cost]) : upper;
    bound -= static_cast<long double>(line.multipliers[i]) * allowed;
  }
  return std::max(0.0, static_cast<double>(bound));
}

void set_lower_bound(const Cssp& cssp, std::span<const LowerLine> lines, Solution& solution) {
  solution.lower_bound.reset();
  for (const LowerLine& line : lines) {
    const double bound = lower_bound(cssp, line, solution.costs);
    if (solution.lower_bound && bound <= *solution.lower_bound) continue;
    solution.lower_bound = bound;
    solution.multipliers = per_bound(cssp, line.multipliers);
  }
  // It holds for this policy too; what is left are the last digits.
  if (solution.lower_bound && solution.costs)
    solution.lower_bound = std::min(*solution.lower_bound, solution.costs->front());
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

void take_answer(Solution other, const char* who, Solution& solution) {
  if (other.status == Status::limit || other.status == Status::interrupted) return;
  solution.status = other.status;
  solution.costs = std::move(other.costs);
  solution.lower_bound = other.lower_bound;
  solution.multipliers = std::move(other.multipliers);
  solution.policy = std::move(other.policy);
  solution.mixture = std::move(other.mixture);
  solution.infeasibility = std::move(other.infeasibility);
  solution.note += fmt::format("; {} finished", who);
}

void end_by_limit(const Limits& limits, Solution& solution) {
  const bool interrupted = limits.kind() == LimitKind::interrupt;
  solution.status = interrupted ? Status::interrupted : Status::limit;
  solution.note = LimitReached(limits.kind()).what();
}

void expand_ahead(ssp::SearchGraph& graph, HeuristicKind heuristic, const SolveOptions& options,
                  Limits& limits) {
  if (options.threads == 1 || heuristic != HeuristicKind::zero) return;
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
