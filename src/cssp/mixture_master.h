// The master problem of the outer search: the best mixture of the policies found so far. With
// g_k = C(π_k) - u,
//
//   phase 1:  min Σ z            s.t.  Σ μ_k g_k ≤ z,  Σ μ = 1,  μ, z ≥ 0   (can bounds be met?)
//   phase 2:  min Σ μ_k C0(π_k)  s.t.  Σ μ_k g_k ≤ 0,  Σ μ = 1,  μ ≥ 0
//
// Two phases instead of a penalty: no big-M, no box on λ. A vertex mixes at most n+1 policies. The
// duals of phase 2 are the multipliers at which the cuts meet; those of phase 1 a direction in
// which no known policy meets the bounds.
//
// Doubles do for most of these LPs. Where bounds are tiny beside the costs of some policies, or met
// or missed by next to nothing, they do not; then the LP, which has a handful of rows, is solved in
// rational arithmetic (exact_master.h).
//
// G. B. Dantzig and P. Wolfe, "Decomposition principle for linear programs", Operations Research
// 8, 1960.
#ifndef CARL_CSSP_MIXTURE_MASTER_H
#define CARL_CSSP_MIXTURE_MASTER_H

#include <vector>

#include "carl/monitor.h"

namespace carl::cssp {

/// A cut in scaled terms: f + g·λ.
struct ScaledCut {
  double f = 0;
  std::vector<double> g;

  double at(const std::vector<double>& multipliers) const {
    double value = f;
    for (std::size_t i = 0; i < g.size(); ++i)
      value += g[i] * multipliers[i];
    return value;
  }
};

struct MasterSolution {
  bool feasible = false;
  double infeasibility = 0;         // optimum of phase 1
  double objective = 0;             // optimum of phase 2
  std::vector<double> mixture;      // one weight per cut, if feasible
  std::vector<double> multipliers;  // duals of phase 2 if feasible, else of phase 1
};

/// Bounds that a mixture exceeds by no more than `tolerance`, one entry per constraint in scaled
/// terms, count as met; multipliers are those of the bounds as far as they have to be exceeded.
MasterSolution solve_master(const std::vector<ScaledCut>& cuts,
                            const std::vector<double>& tolerance);

}  // namespace carl::cssp

#endif
