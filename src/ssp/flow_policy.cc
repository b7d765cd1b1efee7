#include "ssp/flow_policy.h"

#include <algorithm>

namespace carl::ssp {
namespace {

// Relative to the flow out of the state, and absolutely.
constexpr double least_share = 1e-9;
constexpr double least_flow = 1e-11;

}  // namespace

Policy policy_of_flow(const SearchGraph& graph, const std::vector<double>& flow,
                      const std::function<PairId(StateId)>& fallback, Flow kind) {
  return envelope(graph, graph.initial_state(), [&](StateId s) {
    std::vector<Policy::Choice> choices;
    if (!graph.is_expanded(s)) return choices;
    double out = 0;
    for (const PairId p : graph.pairs(s))
      out += flow[p.index()];
    double kept = 0;
    for (const PairId p : graph.pairs(s)) {
      const double least = kind == Flow::of_lp ? std::max(least_flow, least_share * out) : 0.0;
      if (flow[p.index()] <= least) continue;
      choices.push_back({p, flow[p.index()]});
      kept += flow[p.index()];
    }
    if (const PairId p = fallback(s); choices.empty() && p.valid()) {
      choices.push_back({p, 1.0});
      kept = 1;
    }
    for (auto& choice : choices)
      choice.probability /= kept;
    return choices;
  });
}

}  // namespace carl::ssp
