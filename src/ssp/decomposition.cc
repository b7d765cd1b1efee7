#include "ssp/decomposition.h"

#include <algorithm>

namespace carl::ssp {
namespace {

// Flow below this is what rounding leaves of a pair that has been used up.
constexpr double least_flow = 1e-12;

/// What is left of the occupation measure: flow by each choice of each state.
class Remainder {
 public:
  Remainder(const SearchGraph& graph, const Policy& policy, const Evaluation& evaluation)
      : position_(graph.num_states(), 0), flow_(policy.size()) {
    for (std::size_t i = 0; i < policy.size(); ++i) {
      position_[policy.state(i).index()] = i;
      for (const auto& [pair, probability] : policy.choices(i))
        flow_[i].push_back({pair, probability * evaluation.visits[i]});
    }
  }

  /// The deterministic policy that follows the largest flow left in every state.
  Policy largest(const SearchGraph& graph, StateId start) const {
    return envelope(graph, start, [&](StateId s) {
      const auto& flow = flow_[position_[s.index()]];
      const auto best = std::max_element(
          flow.begin(), flow.end(), [](auto& a, auto& b) { return a.probability < b.probability; });
      return std::vector{Policy::Choice{best->pair, 1.0}};
    });
  }

  double& of(StateId s, PairId p) {
    auto& flow = flow_[position_[s.index()]];
    return std::find_if(flow.begin(), flow.end(), [&](auto& f) { return f.pair == p; })
        ->probability;
  }

 private:
  std::vector<std::size_t> position_;
  std::vector<std::vector<Policy::Choice>> flow_;
};

}  // namespace

std::vector<MixturePart> decompose(const SearchGraph& graph, const Policy& policy,
                                   const Evaluation& evaluation, const EvaluationOptions& options) {
  std::vector<MixturePart> parts;
  if (policy.size() == 0) return {{1.0, policy, evaluation.costs}};
  std::size_t surplus = 0;
  for (std::size_t i = 0; i < policy.size(); ++i)
    surplus += policy.choices(i).size() - 1;
  Remainder remainder(graph, policy, evaluation);
  double left = 1;
  while (left > least_flow && parts.size() <= surplus) {
    Policy part = remainder.largest(graph, policy.state(0));
    Evaluation part_evaluation = evaluate(graph, part, options);
    // An improper part would be a loop that carries no flow in from outside: nothing left to peel.
    if (!part_evaluation.proper) break;
    double weight = left;
    for (std::size_t i = 0; i < part.size(); ++i)
      weight = std::min(
          weight, remainder.of(part.state(i), part.choices(i)[0].pair) / part_evaluation.visits[i]);
    if (parts.size() == surplus) weight = left;
    if (weight <= 0) break;
    for (std::size_t i = 0; i < part.size(); ++i) {
      double& flow = remainder.of(part.state(i), part.choices(i)[0].pair);
      flow = std::max(0.0, flow - weight * part_evaluation.visits[i]);
      if (flow < least_flow * part_evaluation.visits[i]) flow = 0;
    }
    left -= weight;
    parts.push_back({weight, std::move(part), std::move(part_evaluation.costs)});
  }
  double total = 0;
  for (const MixturePart& part : parts)
    total += part.weight;
  for (MixturePart& part : parts)
    part.weight /= total;
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.weight > b.weight; });
  return parts;
}

}  // namespace carl::ssp
