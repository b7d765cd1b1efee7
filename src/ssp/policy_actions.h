// From pairs of a search graph to states and actions of the problem.
#ifndef CARL_SSP_POLICY_ACTIONS_H
#define CARL_SSP_POLICY_ACTIONS_H

#include <vector>

#include "carl/policy.h"
#include "ssp/policy.h"

namespace carl::ssp {

/// `visits` are those of the policy's states on the graph, as an Evaluation has them. The graph
/// counts departures; an action that may loop on its state is used `repeats` times for each, so
/// uses, not departures, are what the probabilities of actions are proportional to.
carl::Policy in_terms_of_actions(const SearchGraph& graph, const Policy& policy,
                                 const std::vector<double>& visits);
/// The same without visits.
carl::Policy in_terms_of_actions(const SearchGraph& graph, const Policy& policy);
/// And back. Each action must be one of its state's that does not only loop.
Policy in_terms_of_pairs(const SearchGraph& graph, const carl::Policy& policy);

}  // namespace carl::ssp

#endif
