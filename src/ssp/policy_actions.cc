#include "ssp/policy_actions.h"

#include <optional>

namespace carl::ssp {

namespace {

/// No visits: nobody has said.
carl::Policy translated(const SearchGraph& graph, const Policy& policy,
                        const std::vector<double>* visits) {
  carl::Policy result;
  result.reserve(policy.size());
  for (std::size_t i = 0; i < policy.size(); ++i) {
    double uses = 0;
    for (const auto& [pair, probability] : policy.choices(i))
      uses += probability * graph.repeats(pair);
    std::optional<double> visited;
    if (visits != nullptr) visited = (*visits)[i] * uses;
    result.add_state(policy.state(i), visited);
    for (const auto& [pair, probability] : policy.choices(i))
      result.add_choice(graph.action(pair), probability * graph.repeats(pair) / uses);
  }
  return result;
}

}  // namespace

carl::Policy in_terms_of_actions(const SearchGraph& graph, const Policy& policy,
                                 const std::vector<double>& visits) {
  return translated(graph, policy, &visits);
}

carl::Policy in_terms_of_actions(const SearchGraph& graph, const Policy& policy) {
  return translated(graph, policy, nullptr);
}

Policy in_terms_of_pairs(const SearchGraph& graph, const carl::Policy& policy) {
  Policy result;
  std::vector<Policy::Choice> choices;
  for (const auto& entry : policy) {
    choices.clear();
    double departures = 0;
    for (const auto& [action, probability] : entry.choices)
      for (const PairId p : graph.pairs(entry.state)) {
        if (graph.action(p) != action) continue;
        choices.push_back({p, probability / graph.repeats(p)});
        departures += choices.back().probability;
      }
    result.add_state(entry.state);
    for (const auto& [pair, share] : choices)
      result.add_choice(pair, share / departures);
  }
  return result;
}

}  // namespace carl::ssp
