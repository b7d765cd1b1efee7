// Bounds of zero that cannot be met. Such a bound was turned into removed actions, so what an
// algorithm finds is that there is no proper policy. That is not the user's question: if there is
// one among all policies, then the bounds are infeasible, and these are the bounds to blame.
#ifndef CARL_CSSP_ZERO_BOUNDS_H
#define CARL_CSSP_ZERO_BOUNDS_H

#include <optional>

#include "carl/cssp.h"
#include "carl/monitor.h"
#include "carl/solution.h"

namespace carl::cssp {

/// For a problem that has no proper policy: the bounds of zero without which it would have one, as
/// few as possible. Empty if there are none, since no policy is proper even without bounds. Throws
/// LimitReached.
std::optional<Infeasibility> blame_zero_bounds(const Cssp& cssp, Monitor& monitor);

/// Turns the status "no proper policy" into "infeasible" where that is the case; into a limit if
/// that ended it before it was known.
void blame_zero_bounds(const Cssp& cssp, Monitor& monitor, Solution& solution);

}  // namespace carl::cssp

#endif
