// What a policy costs, in floating point, by a way of its own (src/ssp has another): expected
// visits component by component, small ones by state elimination, larger ones by a sparse
// factorization, the largest by a Krylov method (policy/large_component.h).
#ifndef CARL_POLICY_CHAIN_EVALUATION_H
#define CARL_POLICY_CHAIN_EVALUATION_H

#include <vector>

#include "carl/monitor.h"
#include "policy/component_order.h"
#include "policy/policy_chain.h"

namespace carl::policy {

struct ChainEvaluation {
  std::vector<double> visits;  // by node
  std::vector<double> costs;   // expected
  double steps = 0;            // expected

  /// False if a goal is reached so rarely that numbers do not suffice.
  bool is_finite() const;
};

/// The chain must be closed and proper. Throws LimitReached, InputError if the equations of a component
/// do not converge that is too large to be factorized, and std::runtime_error if a factorization fails.
ChainEvaluation evaluate(const PolicyChain& chain, const ComponentOrder& order, Monitor& monitor);

/// Expected number of steps to a goal, from every node.
std::vector<double> steps_to_go(const PolicyChain& chain, const ComponentOrder& order,
                                Monitor& monitor);
/// Expected costs to a goal, from every node: one node after the other.
std::vector<double> costs_to_go(const PolicyChain& chain, const ComponentOrder& order,
                                Monitor& monitor);

}  // namespace carl::policy

#endif
