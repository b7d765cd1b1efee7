#include "cssp/continuations.h"

#include <algorithm>
#include <limits>
#include <map>

#include "cssp/cost_units.h"
#include "graph/proper_region.h"
#include "heuristics/drawn_start.h"
#include "model/relocated_model.h"
#include "oracle/search_oracle.h"
#include "ssp/policy_iteration.h"

namespace carl::cssp {
namespace {

constexpr double negligible_gap = 1e-10;
constexpr int most_repetitions = 6;

/// Bounds of zero stay, others are lifted; penalties are those of the problem.
CsspOptions terms_of(const Cssp& cssp) {
  CsspOptions options;
  for (const Bound& bound : cssp.model().cost_model().bounds)
    options.bounds.emplace_back(cssp.cost_names()[bound.cost],
                                std::numeric_limits<double>::infinity());
  for (const std::size_t cost : cssp.zero_costs())
    options.bounds.emplace_back(cssp.cost_names()[cost], 0.0);
  if (cssp.give_up_penalty()) {
    options.give_up.emplace();
    for (std::size_t c = 0; c < cssp.num_costs(); ++c)
      options.give_up->emplace_back(cssp.cost_names()[c], (*cssp.give_up_penalty())[c]);
  }
  return options;
}

Cssp relocated(Cssp& original, StateId initial) {
  Cssp cssp(std::make_shared<RelocatedModel>(original.model(), initial), terms_of(original));
  if (!original.give_up_penalty()) cssp.set_penalties(std::nullopt);
  return cssp;
}

}  // namespace

struct Continuations::Start {
  Start(Cssp& original, StateId state, const SolveOptions& options, Monitor& monitor)
      : cssp(relocated(original, state)),
        units(cssp, known_units),
        oracle(cssp, units.options(options), monitor) {}

  Cssp cssp;
  std::vector<double> known_units;
  CostUnits units;
  oracle::SearchOracle oracle;
};

/// Everything that can be reached from the initial state, with its costs to go for some weights.
struct Continuations::Whole {
  explicit Whole(Cssp& cssp, std::size_t threads) : graph(cssp, threads) {}

  bool expand(std::size_t max_states, Monitor& monitor) {
    if (max_states == 0 || !graph.expand_all(monitor, max_states)) return false;
    region = graph::proper_region(graph, monitor);
    monitor.check();
    return true;
  }

  /// One vector per cost, an entry per state.
  const std::vector<std::vector<double>>& values(std::span<const double> weights,
                                                 Monitor& monitor) {
    const std::vector<double> key(weights.begin(), weights.end());
    const auto known = solved.find(key);
    if (known != solved.end()) return known->second;
    const ssp::OptimalValues best = ssp::policy_iteration(graph, region, weights, monitor);
    monitor.check();
    std::vector<std::vector<double>>& result = solved[key];
    for (std::size_t c = 0; c < weights.size(); ++c) {
      std::vector<double> one(weights.size(), 0.0);
      one[c] = 1;
      result.push_back(ssp::region_values(graph, region, best.choice, one));
    }
    return result;
  }

  graph::SearchGraph graph;
  graph::ProperRegion region;
  std::map<std::vector<double>, std::vector<std::vector<double>>> solved;
};

Continuations::Continuations(Cssp& cssp, const SolveOptions& options, std::size_t max_states,
                             Monitor& monitor)
    : cssp_(cssp), options_(options), monitor_(monitor) {
  whole_ = std::make_unique<Whole>(cssp, options.threads);
  if (!whole_->expand(max_states, monitor)) whole_.reset();
  monitor.check();
  options_.algorithm = Algorithm::carl;
  options_.gap = negligible_gap;
  // What is said of the initial state of such problems is not true of others.
  if (heuristics::has_drawn_start(cssp)) options_.search.heuristic = HeuristicKind::zero;
}

Continuations::~Continuations() = default;

Continuations::Start& Continuations::start_at(StateId state) {
  if (!start_ || start_state_ != state) {
    start_.reset();
    start_ = std::make_unique<Start>(cssp_, state, options_, monitor_);
    start_state_ = state;
  }
  return *start_;
}

std::optional<std::vector<double>> Continuations::from(StateId state,
                                                       std::span<const double> weights) {
  if (cssp_.is_goal(state)) return std::vector<double>(cssp_.num_costs(), 0.0);
  if (!whole_ || state.index() >= whole_->graph.num_states() || !whole_->graph.is_expanded(state))
    return by_search(state, weights);
  if (!whole_->region.contains(state)) return std::nullopt;
  std::vector<double> costs;
  for (const std::vector<double>& values : whole_->values(weights, monitor_))
    costs.push_back(values[state.index()]);
  return costs;
}

std::optional<std::vector<double>> Continuations::by_search(StateId state,
                                                            std::span<const double> weights) {
  Start& start = start_at(state);
  // One unit of a cost weighs as much as its number in the model's units says.
  std::vector<double> in_units;
  for (std::size_t c = 0; c < weights.size(); ++c)
    in_units.push_back(weights[c] * start.known_units[c] / start.known_units[0]);
  oracle::Answer answer;
  for (int i = 0; i < most_repetitions; ++i) {
    if (i > 1) start.oracle.tighten();
    answer = start.oracle.ask(in_units);
    if (answer.outcome == oracle::Answer::Outcome::no_proper_policy) return std::nullopt;
    if (answer.outcome == oracle::Answer::Outcome::limit) {
      monitor_.check();
      return std::nullopt;
    }
    if (answer.is_final ||
        answer.weighted_cost - answer.lower_bound <= negligible_gap * answer.weighted_cost)
      break;
  }
  std::vector<double> costs = start.oracle.costs(answer.policy);
  for (std::size_t c = 0; c < costs.size(); ++c)
    costs[c] *= start.known_units[c];
  return costs;
}

}  // namespace carl::cssp
