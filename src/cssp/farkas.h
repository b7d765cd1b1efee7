// Proving that no policy meets all bounds. By Farkas' lemma there are then weights r ≥ 0 with
// min_π r·C(π) > r·u. Given a candidate r (from the master problem), the scalarised SSP for the
// costs (ρ, r) is solved; a little primary cost ρ keeps its policies proper. Its values, taken for
// r alone, give a lower bound on the r-cost of every policy (see ssp/sub_solution.h). If that
// exceeds r·u, whatever the rounding errors, the problem is infeasible and r is the reason. Either
// way its policy is a new cut.
#ifndef CARL_CSSP_FARKAS_H
#define CARL_CSSP_FARKAS_H

#include <functional>
#include <optional>
#include <vector>

#include "cssp/lagrangian.h"
#include "graph/proper_region.h"
#include "oracle/search_oracle.h"

namespace carl::cssp {

/// The proof for weights `r`, one per constraint, if `values` are good enough for one: estimates of
/// the r-cost-to-go of every state, admissible where the graph is not expanded, zero at goals,
/// infinite only where there is no proper policy.
std::optional<Infeasibility> prove_infeasibility(const graph::SearchGraph& graph,
                                                 const std::vector<double>& r,
                                                 std::vector<double> values, Monitor& monitor);

/// The same on a graph that is expanded as a whole; the values come from policy iteration.
std::optional<Infeasibility> prove_infeasibility(const graph::SearchGraph& graph,
                                                 const graph::ProperRegion& region,
                                                 const std::vector<double>& r, Monitor& monitor);

/// True if everything that can be reached is expanded, and so few pairs that an LP over all of them
/// takes milliseconds.
bool is_small_and_expanded(const graph::SearchGraph& graph);
/// On such a graph an LP finds the weights too: those with which the bounds are missed by most.
/// Empty if the bounds can be met, or by next to nothing not.
std::optional<Infeasibility> prove_infeasibility_by_lp(const graph::SearchGraph& graph,
                                                       const graph::ProperRegion& region,
                                                       Monitor& monitor);

/// The same as something to be asked when it is worth it: nothing while there is too much for an LP.
std::function<std::optional<Infeasibility>()> proof_by_small_lp(oracle::SearchOracle& oracle);

struct FarkasStep {
  Lagrangian::Answer answer;
  std::optional<Infeasibility> proof;
};

/// `r` has one weight per constraint; `rho` is relative to what makes primary and weighted costs of
/// the first cut equal.
FarkasStep farkas_step(Lagrangian& lagrangian, const std::vector<double>& r, double rho);

}  // namespace carl::cssp

#endif
