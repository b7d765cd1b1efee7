// The stabilised step of the bundle search: the point that maximises the model of L made of all
// cuts, less a penalty for moving far from the centre,
//
//   max over λ ≥ 0 of  min_k (f_k + g_k·λ) - |λ - c|² / 2t.
//
// A quadratic program in n+1 variables. Solved by a barrier method: Newton steps on n+1 variables,
// however many cuts there are and however degenerate they meet. The result need not be exact, since
// any point is a good question to ask.
#ifndef CARL_CSSP_PROXIMAL_STEP_H
#define CARL_CSSP_PROXIMAL_STEP_H

#include <vector>

#include "cssp/mixture_master.h"

namespace carl::cssp {

std::vector<double> proximal_step(const std::vector<ScaledCut>& cuts,
                                  const std::vector<double>& centre, double t);

}  // namespace carl::cssp

#endif
