// Policy iteration on a fully expanded graph, for scalar costs [1 λ]·C(a). Starts from a proper
// policy and changes an action only for a true improvement, so every policy on the way is proper.
//
// R. A. Howard, "Dynamic Programming and Markov Processes", MIT Press, 1960.
#ifndef CARL_SSP_POLICY_ITERATION_H
#define CARL_SSP_POLICY_ITERATION_H

#include <vector>

#include "carl/monitor.h"
#include "graph/proper_region.h"
#include "ssp/graph_names.h"

namespace carl::ssp {

struct OptimalValues {
  bool complete = false;       // false if a limit ended it; then the values are an upper bound
  std::vector<PairId> choice;  // per state of the region
  std::vector<double> value;   // scalar cost-to-go per state; infinite outside the region
};

OptimalValues policy_iteration(const SearchGraph& graph, const graph::ProperRegion& region,
                               std::span<const double> weights, Monitor& monitor);

/// What the policy of these choices costs from every state, for other weights: infinite outside the
/// region. Empty if the policy is not proper.
std::vector<double> region_values(const SearchGraph& graph, const graph::ProperRegion& region,
                                  const std::vector<PairId>& choice,
                                  std::span<const double> weights);

}  // namespace carl::ssp

#endif
