// From an occupation measure, flow on the pairs of a search graph, to the stationary stochastic
// policy that it is the flow of.
#ifndef CARL_SSP_FLOW_POLICY_H
#define CARL_SSP_FLOW_POLICY_H

#include <functional>
#include <vector>

#include "carl/model.h"
#include "ssp/policy.h"

namespace carl::ssp {

/// Where flow comes from: an LP, which leaves a little where there is none, or a sum over policies.
enum class Flow { of_lp, of_policies };

/// π(s,a) = y(s,a) / out(s). Flow of an LP below a tolerance is not flow; where none is left,
/// `fallback` decides, so that the policy is closed whatever was rounded away. States that are not
/// expanded have no choices.
Policy policy_of_flow(const SearchGraph& graph, const std::vector<double>& flow,
                      const std::function<PairId(StateId)>& fallback, Flow kind = Flow::of_lp);

}  // namespace carl::ssp

#endif
