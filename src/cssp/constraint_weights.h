// From weights of the constraints, one for each, to weights of all costs and of all bounds.
#ifndef CARL_CSSP_CONSTRAINT_WEIGHTS_H
#define CARL_CSSP_CONSTRAINT_WEIGHTS_H

#include <span>
#include <vector>

#include "carl/cssp.h"

namespace carl::cssp {

/// [1 λ]: weights of all costs, from one multiplier per constraint.
std::vector<double> scalarisation(const Cssp& cssp, std::span<const double> multipliers);
/// One entry per bound of the problem, from one per constraint: a bound of zero was turned into
/// removed actions and has none.
std::vector<double> per_bound(const Cssp& cssp, std::span<const double> per_constraint);
/// One entry per cost, zero where there is no constraint; and back.
std::vector<double> per_cost(const Cssp& cssp, std::span<const double> per_constraint);
std::vector<double> per_constraint(const Cssp& cssp, std::span<const double> per_cost);

}  // namespace carl::cssp

#endif
