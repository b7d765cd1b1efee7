// extract-opt-policy of the paper: from λ and strongly ε-consistent values to a stochastic policy.
// The tied support are the pairs that some greedy policy uses; by complementary slackness an
// optimal policy uses no others. The system of linear equations and inequalities (SOL 1 of the
// paper) asks for an occupation measure on them with
//
//   Σ x C0 = V(s0) - λ·u,    Σ x Ci = ui where λi > 0,    Σ x Ci ≤ ui where λi = 0.
//
// With values that are only ε-consistent the equations may have no solution although the support is
// right. The least primary cost on the support, with ≤ everywhere, is the robust way.
//
// J. Schmalz and F. Trevizan, "Solving Constrained Stochastic Shortest Path Problems with
// Scalarisation", ECAI 2025.
#ifndef CARL_CSSP_TIED_SUPPORT_H
#define CARL_CSSP_TIED_SUPPORT_H

#include <optional>
#include <vector>

#include "carl/monitor.h"
#include "ssp/scalarised_ssp.h"

namespace carl::cssp {

class TiedSupport {
 public:
  /// The pairs with Q ≤ V + ε that can be reached by such pairs.
  TiedSupport(ssp::ScalarisedSsp& ssp, double epsilon);

  /// A solution of the SOL as flow by each pair of the graph, if there is one.
  std::optional<std::vector<double>> solve_equations(const std::vector<double>& multipliers,
                                                     Monitor& monitor) const;
  /// The flow of least primary cost that meets the bounds, if there is one.
  std::optional<std::vector<double>> least_primary_cost(Monitor& monitor) const;

  std::size_t num_pairs() const { return pairs_.size(); }

 private:
  struct CostRow {
    std::size_t cost;
    double lower;
    double upper;
  };
  /// Of all solutions the one of least primary cost: what the tolerances of the rows leave open
  /// must not decide.
  std::optional<std::vector<double>> solve(const std::vector<CostRow>& cost_rows,
                                           Monitor& monitor) const;

  const ssp::ScalarisedSsp& ssp_;
  std::vector<StateId> states_;
  std::vector<int> row_of_;  // state -> row, -1 if none
  std::vector<graph::PairId> pairs_;
};

}  // namespace carl::cssp

#endif
