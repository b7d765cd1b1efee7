// Any stochastic policy as a mixture of deterministic ones: peel deterministic policies off its
// occupation measure. Each takes as much weight as its scarcest pair allows, which uses that pair
// up, so a policy with k surplus pairs needs at most k+1 of them.
#ifndef CARL_SSP_DECOMPOSITION_H
#define CARL_SSP_DECOMPOSITION_H

#include <vector>

#include "ssp/graph_names.h"
#include "ssp/policy.h"
#include "ssp/policy_evaluation.h"

namespace carl::ssp {

struct MixturePart {
  double weight = 1;
  Policy policy;
  std::vector<double> costs;
};

/// `evaluation` is that of `policy`; its parts are evaluated by the options. Weights sum to 1; heaviest
/// first.
std::vector<MixturePart> decompose(const SearchGraph& graph, const Policy& policy,
                                   const Evaluation& evaluation,
                                   const EvaluationOptions& options = {});

}  // namespace carl::ssp

#endif
