#include "cssp/coin_tosses.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "cssp/feasibility.h"
#include "cssp/occupation_lp.h"
#include "graph/q_value.h"
#include "ssp/flow_policy.h"
#include "ssp/policy_evaluation.h"

namespace carl::cssp {
namespace {

using graph::PairId;
using graph::SearchGraph;

// The solver's tolerance may let bounds be exceeded; then the LP keeps a margin.
constexpr int most_attempts = 3;
// Of a mixture's coins so many are tried without.
constexpr std::size_t most_tosses = 16;

struct Evaluated {
  ssp::Policy policy;
  ssp::Evaluation evaluation;
};

/// The LP over the pairs of the mixture. Nothing if rounding errors are in the way.
std::optional<Evaluated> vertex(oracle::SearchOracle& oracle, const std::vector<double>& flow,
                                const std::vector<PairId>& choice) {
  const SearchGraph& graph = oracle.graph();
  graph::ProperRegion region;
  region.member.resize(graph.num_states());
  for (std::size_t s = 0; s < graph.num_states(); ++s)
    region.member[s] = choice[s].valid() || graph.is_goal(StateId(s));
  std::vector<bool> columns(graph.num_pairs(), false);
  for (std::size_t p = 0; p < flow.size(); ++p)
    columns[p] = flow[p] > 0;
  for (const PairId p : choice)
    if (p.valid()) columns[p.index()] = true;
  OccupationLp lp(graph, region, OccupationLp::Kind::optimise, &columns);
  lp.start_from(choice);
  std::vector<Bound> bounds = oracle.cssp().constraints();
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    if (lp.solve(oracle.monitor()) != lp::Status::optimal) return std::nullopt;
    Evaluated found;
    found.policy =
        ssp::policy_of_flow(graph, lp.flow(), [&](StateId s) { return choice[s.index()]; });
    found.evaluation = ssp::evaluate(graph, found.policy);
    if (!found.evaluation.proper) return std::nullopt;
    if (meets_bounds(oracle.cssp(), found.evaluation.costs)) return found;
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      const Bound& bound = oracle.cssp().constraints()[i];
      bounds[i].upper -= 2 * std::max(0.0, found.evaluation.costs[bound.cost] - bound.upper);
      lp.set_upper(i, bounds[i].upper);
    }
  }
  return std::nullopt;
}

Evaluated mixed(const SearchGraph& graph, const std::vector<double>& flow,
                const std::vector<PairId>& choice) {
  Evaluated result;
  result.policy = ssp::policy_of_flow(
      graph, flow, [&](StateId s) { return choice[s.index()]; }, ssp::Flow::of_policies);
  result.evaluation = ssp::evaluate(graph, result.policy);
  return result;
}

/// By how much the choices differ from the state on, in all costs that count, each as a share of what
/// the policy costs.
double spread(const SearchGraph& graph, const Evaluated& evaluated,
              const std::vector<std::size_t>& position,
              std::span<const ssp::Policy::Choice> choices) {
  std::vector<std::size_t> costs{0};
  for (const Bound& bound : graph.cssp().constraints())
    costs.push_back(bound.cost);
  double sum = 0;
  for (const std::size_t cost : costs) {
    const auto value = [&](StateId s) {
      if (graph.is_goal(s)) return 0.0;
      return evaluated.evaluation.values[position[s.index()] * graph.num_costs() + cost];
    };
    double least = std::numeric_limits<double>::infinity();
    double most = 0;
    for (const ssp::Policy::Choice& choice : choices) {
      const double q = graph::q_value(graph, choice.pair, graph.cost(choice.pair)[cost], value);
      least = std::min(least, q);
      most = std::max(most, q);
    }
    const double whole = evaluated.evaluation.costs[cost];
    if (whole > 0) sum += (most - least) / whole;
  }
  return sum;
}

PolicyWithCoins with_coins(const SearchGraph& graph, const Evaluated& evaluated) {
  PolicyWithCoins result;
  std::vector<std::size_t> position(graph.num_states());
  for (std::size_t i = 0; i < evaluated.policy.size(); ++i)
    position[evaluated.policy.state(i).index()] = i;
  result.choice.resize(graph.num_states());
  for (std::size_t i = 0; i < evaluated.policy.size(); ++i) {
    const auto choices = evaluated.policy.choices(i);
    std::vector<ssp::Policy::Choice> sorted(choices.begin(), choices.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.probability > b.probability; });
    result.choice[evaluated.policy.state(i).index()] = sorted.front().pair;
    if (sorted.size() == 1) continue;
    CoinToss& toss = result.tosses.emplace_back();
    toss.state = evaluated.policy.state(i);
    const double visits = evaluated.evaluation.proper ? evaluated.evaluation.visits[i] : 1.0;
    toss.weight = visits * (1 - sorted.front().probability);
    if (evaluated.evaluation.proper) toss.weight *= spread(graph, evaluated, position, sorted);
    for (const ssp::Policy::Choice& option : sorted)
      toss.pairs.push_back(option.pair);
  }
  std::stable_sort(result.tosses.begin(), result.tosses.end(),
                   [](const CoinToss& a, const CoinToss& b) { return a.weight > b.weight; });
  return result;
}

}  // namespace

PolicyWithCoins few_coins(oracle::SearchOracle& oracle, std::span<const double> mixture) {
  const SearchGraph& graph = oracle.graph();
  std::vector<PairId> choice(graph.num_states());
  const std::vector<double> flow = oracle.flow_of(mixture, choice);
  const bool is_mixed =
      std::count_if(mixture.begin(), mixture.end(), [](double weight) { return weight > 0; }) > 1;
  if (is_mixed)
    if (const std::optional<Evaluated> found = vertex(oracle, flow, choice)) {
      PolicyWithCoins result = with_coins(graph, *found);
      // What the LP takes for rounding may be a coin that hardly ever falls the other way.
      if (!result.tosses.empty()) return result;
    }
  return with_coins(graph, mixed(graph, flow, choice));
}

std::vector<ssp::Policy> without_coins(const SearchGraph& graph, const PolicyWithCoins& policy) {
  std::vector<ssp::Policy> policies;
  std::vector<PairId> choice = policy.choice;
  const auto add = [&] {
    policies.push_back(ssp::deterministic_envelope(graph, graph.initial_state(), choice));
  };
  add();
  for (std::size_t i = 0; i < std::min(most_tosses, policy.tosses.size()); ++i) {
    const CoinToss& toss = policy.tosses[i];
    for (std::size_t k = 1; k < toss.pairs.size(); ++k) {
      choice[toss.state.index()] = toss.pairs[k];
      add();
    }
    choice[toss.state.index()] = toss.pairs.front();
  }
  return policies;
}

}  // namespace carl::cssp
