#include "ssp/flow_policy.h"

#include <algorithm>
#include <span>

namespace carl::ssp {
namespace {

// Relative to the flow out of the state, and absolutely.
constexpr double least_share = 1e-9;
constexpr double least_flow = 1e-11;

}  // namespace

Policy policy_of_flow(const SearchGraph& graph, const std::vector<double>& flow,
                      const std::function<PairId(StateId)>& fallback, Flow kind) {
  const auto least_kept = [&](StateId s) {
    if (kind != Flow::of_lp) return 0.0;
    double out = 0;
    for (const PairId p : graph.pairs(s))
      out += flow[p.index()];
    return std::max(least_flow, least_share * out);
  };
  std::vector<Policy::Choice> choices;  // of one state after the other
  return envelope(graph, graph.initial_state(), [&](StateId s) -> std::span<Policy::Choice> {
    choices.clear();
    if (!graph.is_expanded(s)) return choices;
    const double least = least_kept(s);
    double kept = 0;
    for (const PairId p : graph.pairs(s)) {
      if (flow[p.index()] <= least) continue;
      choices.push_back({p, flow[p.index()]});
      kept += flow[p.index()];
    }
    if (choices.empty()) {
      const PairId p = fallback(s);
      if (p.valid()) choices.push_back({p, kept = 1});
    }
    for (auto& choice : choices)
      choice.probability /= kept;
    return choices;
  });
}

}  // namespace carl::ssp
