// C-ROC: ROC with the bounds as rows, Σ Y_a C_i(a) ≤ u_i. At the initial state its optimum is a
// lower bound on the optimum of the CSSP, and the dual prices of its rows are a good place to start
// looking for the optimal multipliers: by LP duality they maximise λ-ROC(s0) - λ·u.
//
// At other states it is not admissible: u bounds the costs of the whole policy, not the cost-to-go
// of a state that is reached one time in ten. i-dual and CARL can be run with it all the same, as the
// literature does: for every cost the least that C-ROC allows, which is the ideal point of ROC where
// C-ROC has no solution (see IdealPoint).
#ifndef CARL_HEURISTICS_CONSTRAINED_ROC_H
#define CARL_HEURISTICS_CONSTRAINED_ROC_H

#include <optional>
#include <vector>

#include "carl/cssp.h"
#include "carl/monitor.h"

namespace carl::heuristics {

struct TaskContext;

struct ConstrainedRoc {
  double value = 0;
  std::vector<double> multipliers;  // one per constraint
};

/// At the initial state. Empty if the program has no solution.
std::optional<ConstrainedRoc> constrained_roc(const TaskContext& context, Monitor& monitor);

}  // namespace carl::heuristics

#endif
