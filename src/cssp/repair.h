// What would make an infeasible problem feasible. With bounds u(t) = b + t·d that grow with t, the
// least t for which some policy meets them is the optimum of
//
//   min t   s.t.  C(π) ≤ b + t·d      over mixtures of policies.
//
// One bound alone is d = e_i with b the others; all of them in proportion is d = u, b = 0. Cutting
// planes over policies as in the outer search: the master problem over the policies known so far
// gives an upper bound that a mixture attains, and weights r with r·d = 1. The scalarised SSP for
// r gives the next policy and, since every policy has r·C(π) ≤ r·b + t if it meets the bounds, the
// lower bound t ≥ min r·C - r·b. If the master problem finds weights with r·d = 0 and
// min r·C > r·b, no t is enough.
#ifndef CARL_CSSP_REPAIR_H
#define CARL_CSSP_REPAIR_H

#include <optional>
#include <span>

#include "carl/repair.h"
#include "cssp/lagrangian.h"

namespace carl::cssp {

/// Begins with all policies that the Lagrangian knows. Ends early, with what is known by then, if a
/// limit is reached or if it takes many times the work that went into the Lagrangian so far.
Repair find_repair(Lagrangian& lagrangian);

/// The same for a problem that another algorithm found to be infeasible, or that was found to be so
/// because of bounds of zero. Nothing if no policy is found before a limit is reached.
std::optional<Repair> find_repair_from_scratch(Lagrangian& lagrangian);

/// Fills in what both leave open, if it can be found: entries of Cssp::bounds() that are zero. `opened` is about the
/// problem with these as constraints and the actions that they forbid allowed.
void repair_zero_bounds(std::span<const std::size_t> zero_bounds, Lagrangian& opened,
                        Repair& repair);

}  // namespace carl::cssp

#endif
