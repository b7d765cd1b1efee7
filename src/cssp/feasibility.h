// Whether costs meet the bounds, and what proves that no policy does.
#ifndef CARL_CSSP_FEASIBILITY_H
#define CARL_CSSP_FEASIBILITY_H

#include <span>
#include <vector>

#include "carl/cssp.h"
#include "carl/solution.h"

namespace carl::cssp {

/// All constraints hold, within bound_tolerance().
bool meets_bounds(const Cssp& cssp, const std::vector<double>& costs);

/// Why no policy meets all bounds: every policy has Σ weight·cost ≥ `least`. One weight per
/// constraint; scaled so that they sum to one.
Infeasibility infeasibility(const Cssp& cssp, std::span<const double> weights, double least);

}  // namespace carl::cssp

#endif
