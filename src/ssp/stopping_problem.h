// Optimal stopping: in each node one may stop, at a given value, or go on by one of several ways,
// each with a cost, a chance to arrive at other nodes and a chance to end outside, at known values.
// The least expected values are the greatest x with
//    x(i) ≤ stop(i)   and   c(w) + Σ p(w,j) (x(j) - x(i)) + Σ p(w,t) (v(t) - x(i)) ≥ 0
// for all ways w of i, which is what values must satisfy to be a lower bound. Sweeps approach them
// at the rate at which the ways leave, which may be once in 10^6 steps; Howard's policy iteration,
// which evaluates every policy by a sparse factorization, or by a Krylov method if there are many nodes
// (krylov.h), takes a few steps. It starts by going on everywhere, since what stopping is worth mostly
// are values that violate these inequalities a little all over, or by stopping everywhere if that has no
// such values. No set of nodes may have free ways that never leave it.
//
// R. A. Howard, "Dynamic Programming and Markov Processes", MIT Press, 1960.
#ifndef CARL_SSP_STOPPING_PROBLEM_H
#define CARL_SSP_STOPPING_PROBLEM_H

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "carl/monitor.h"
#include "ssp/policy_matrix.h"
#include "util/parallel.h"

namespace carl::ssp {

class StoppingProblem {
 public:
  struct Term {
    double probability;
    std::uint32_t node;
  };

  /// From so many nodes on they should come in the order of their values.
  static constexpr std::size_t many_nodes = 10'000;

  /// `threads` must outlive this.
  StoppingProblem(std::vector<double> stop, const Threads& threads,
                  std::size_t least_for_krylov = many_nodes)
      : stop_(std::move(stop)), threads_(threads), least_for_krylov_(least_for_krylov) {}

  struct WayOn {
    std::uint32_t node;
    long double cost;
    long double outside;        // the probability to end there
    long double outside_value;  // the sum of p·v
    long double error;          // what rounding may do to the sum of the inequality
  };
  /// Terms have different nodes, not the way's own. Probabilities need not sum to one.
  void add_way(const WayOn& way, std::span<const Term> terms);

  /// Values that satisfy the inequalities of the ways with something to spare, so that rounding does
  /// not matter: on a way that is taken its error and `margin` times what rounding values to doubles
  /// may do (but no more than half of what it costs, if it does: going round must not be worth it),
  /// half of that on others. If a limit or the number of factorizations ends it early,
  /// they are too high.
  std::vector<double> solve(double margin, std::size_t max_factorizations, Monitor& monitor);
  std::size_t factorizations() const { return factorizations_; }

 private:
  struct Way : WayOn {
    long double total;  // of all probabilities
    std::size_t first_term;
    std::size_t last_term;
  };
  static constexpr std::uint32_t stops = std::numeric_limits<std::uint32_t>::max();

  double slack(const Way& way, const std::vector<double>& x) const;
  double rounding(const Way& way, double margin) const;
  double spare(const Way& way, double margin) const;
  void go_on_everywhere(const std::vector<double>& x);
  bool are_like_stopping(const std::vector<double>& x) const;
  bool improve(double margin, const std::vector<double>& x);
  bool evaluate(double margin, std::vector<double>& x, Monitor& monitor);
  bool solve_by_krylov(const Matrix& matrix, const std::vector<double>& right, double margin,
                       std::vector<double>& x, Monitor& monitor) const;

  std::vector<double> stop_;
  const Threads& threads_;
  std::size_t least_for_krylov_;
  std::vector<Way> ways_;
  std::vector<Term> terms_;
  std::vector<std::uint32_t> choice_;  // per node: a way, or that it stops
  std::size_t factorizations_ = 0;
};

}  // namespace carl::ssp

#endif
