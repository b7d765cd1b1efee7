// Exact policy evaluation: the expected costs of a policy are the solution of (I - P) x = C on its
// envelope, one sparse factorization for all cost components (KLU, which orders by strongly
// connected components itself). The transposed system gives the expected visits of each state.
// Every reported cost comes from here, never from values that an iteration stopped at.
#ifndef CARL_SSP_POLICY_EVALUATION_H
#define CARL_SSP_POLICY_EVALUATION_H

#include <vector>

#include "ssp/policy.h"

namespace carl::ssp {

struct Evaluation {
  /// False if some state of the envelope cannot reach a goal; the rest is then empty.
  bool proper = false;
  std::vector<double> costs;   // expected costs from the first state of the policy
  std::vector<double> values;  // costs-to-go, num_costs per state of the policy
  std::vector<double> visits;  // expected visits of each state of the policy
};

/// The policy's first state is where it starts; an empty policy starts in a goal.
Evaluation evaluate(const SearchGraph& graph, const Policy& policy);

}  // namespace carl::ssp

#endif
