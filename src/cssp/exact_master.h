// The master problem in rational arithmetic: the simplex method on a full tableau, for the few LPs
// that doubles cannot decide. Exact pivots cannot fail; Bland's rule, once steps stop making
// progress, cannot cycle.
#ifndef CARL_CSSP_EXACT_MASTER_H
#define CARL_CSSP_EXACT_MASTER_H

#include "cssp/mixture_master.h"

namespace carl::cssp {

/// As solve_master().
MasterSolution solve_master_exactly(const std::vector<ScaledCut>& cuts,
                                    const std::vector<double>& tolerance);

}  // namespace carl::cssp

#endif
