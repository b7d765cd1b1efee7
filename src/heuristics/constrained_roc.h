// C-ROC at the initial state: ROC with the bounds as rows, Σ Y_a C_i(a) ≤ u_i. Its optimum is a
// lower bound on the optimum of the CSSP, and the dual prices of its rows are a good place to start
// looking for the optimal multipliers: by LP duality they maximise λ-ROC(s0) - λ·u.
#ifndef CARL_HEURISTICS_CONSTRAINED_ROC_H
#define CARL_HEURISTICS_CONSTRAINED_ROC_H

#include <optional>
#include <vector>

#include "carl/cssp.h"
#include "carl/limits.h"

namespace carl::heuristics {

struct ConstrainedRoc {
  double value = 0;
  std::vector<double> multipliers;  // one per constraint
};

/// Empty if the problem is not factored or if the program has no solution.
std::optional<ConstrainedRoc> constrained_roc(Cssp& cssp, Limits& limits);

}  // namespace carl::heuristics

#endif
