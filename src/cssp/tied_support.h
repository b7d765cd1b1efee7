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
// The greedy policy is a basis of the program, and most often a few pivots away from the solution.
//
// J. Schmalz and F. Trevizan, "Solving Constrained Stochastic Shortest Path Problems with
// Scalarisation", ECAI 2025.
#ifndef CARL_CSSP_TIED_SUPPORT_H
#define CARL_CSSP_TIED_SUPPORT_H

#include <optional>
#include <span>
#include <vector>

#include "carl/monitor.h"
#include "lp/linear_program.h"
#include "ssp/scalarised_ssp.h"

namespace carl::cssp {

class TiedSupport {
 public:
  /// The pairs with Q ≤ V + ε that can be reached by such pairs.
  TiedSupport(ssp::ScalarisedSsp& ssp, double epsilon);
  /// What an optimal policy may do where λ is optimal only up to `loss`: the pairs with
  /// ρ(s)·(Q - V) ≤ loss, where ρ(s) is the probability of the likeliest way to s by such pairs. In
  /// states that are met one time in a million an action may cost much more than the best one.
  static TiedSupport up_to(double loss, ssp::ScalarisedSsp& ssp);
  /// States that pairs which would be in it lead to, had these states been expanded.
  const std::vector<StateId>& fringe() const { return fringe_; }

  /// If both have the same pairs, what was made for the other one need not be made again.
  void reuse(TiedSupport&& other) {
    if (pairs_ == other.pairs_) lp_ = std::move(other.lp_);
  }

  /// A solution of the SOL as flow by each pair of the graph, if there is one.
  std::optional<std::vector<double>> solve_equations(const std::vector<double>& multipliers,
                                                     Monitor& monitor);
  /// The flow of least primary cost that meets the bounds, if there is one.
  std::optional<std::vector<double>> least_primary_cost(Monitor& monitor);
  /// To be called with the costs of a policy that exceeds a bound by what the solver tolerates: from
  /// now on that bound is kept with a margin.
  void keep_margin(std::span<const double> costs);

  std::size_t num_pairs() const { return pairs_.size(); }

 private:
  explicit TiedSupport(ssp::ScalarisedSsp& ssp);
  void add(StateId s);
  bool has_row(StateId s) const { return row_of_[s.index()] >= 0; }
  void add_fringe_of(graph::PairId p);
  /// All outcomes are goals or expanded.
  bool is_closed(graph::PairId p) const;
  void make_lp();
  void start_from_greedy_policy();
  /// Of all solutions the one of least primary cost: what the tolerances of the rows leave open
  /// must not decide.
  std::optional<std::vector<double>> solve(Monitor& monitor);

  ssp::ScalarisedSsp& ssp_;
  std::vector<StateId> states_;
  std::vector<int> row_of_;  // state -> row, -1 if none
  std::vector<graph::PairId> pairs_;
  std::vector<StateId> fringe_;
  std::vector<double> upper_;  // per constraint, margins taken off
  // Made when it is needed, and changed for other equations: rows of states, then one for each
  // constraint, then one of the primary cost.
  std::optional<lp::LinearProgram> lp_;
};

}  // namespace carl::cssp

#endif
