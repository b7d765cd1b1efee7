// The algorithms behind solve(). Each fills in everything of the Solution but the total time.
#ifndef CARL_CSSP_ALGORITHMS_H
#define CARL_CSSP_ALGORITHMS_H

#include "carl/solve.h"

namespace carl::cssp {

/// Scalarisation: the paper's CARL, and our outer search.
Solution solve_carl(Cssp& cssp, const SolveOptions& options, Limits& limits);

/// The occupation-measure LP over all reachable states.
Solution solve_lp(Cssp& cssp, const SolveOptions& options, Limits& limits);

/// One of the algorithms for SSPs, named in the options, on a problem without bounds.
Solution solve_ssp(Cssp& cssp, const SolveOptions& options, Limits& limits);

}  // namespace carl::cssp

#endif
