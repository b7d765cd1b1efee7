// Raising values that are a sub-solution of the Bellman equations (sub_solution.h) towards the
// optimal ones: V ← min over pairs of Q, where that is more. Every step leaves a sub-solution, so
// whenever it ends there is a lower bound. States between which a policy can go round at no cost
// count as one, and only pairs that leave them count: otherwise each would wait for the others.
//
// Value iteration from below, as in S. Haddad and B. Monmege, "Reachability in MDPs: Refining
// Convergence of Value Iteration", RP 2014.
#ifndef CARL_SSP_RAISING_H
#define CARL_SSP_RAISING_H

#include <span>
#include <vector>

#include "carl/monitor.h"
#include "ssp/graph_names.h"

namespace carl::ssp {

/// `value` is a sub-solution for costs weights · C(a) but for rounding errors. Ends when the initial
/// state is worth `target`, when hardly anything is won, or at a limit.
void raise_values(const SearchGraph& graph, std::span<const double> weights, double target,
                  std::vector<double>& value, Monitor& monitor);

}  // namespace carl::ssp

#endif
