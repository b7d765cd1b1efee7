#include "ssp/policy_actions.h"

#include <utility>

namespace carl::ssp {

StochasticPolicy in_terms_of_actions(const SearchGraph& graph, const Policy& policy,
                                     const std::vector<double>& visits) {
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
    entry.visits = visits[i] * uses;
    result.push_back(std::move(entry));
  }
  return result;
}

Policy in_terms_of_pairs(const SearchGraph& graph, const StochasticPolicy& policy) {
  Policy result;
  for (const PolicyEntry& entry : policy) {
    std::vector<Policy::Choice> choices;
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
