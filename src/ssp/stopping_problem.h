// Optimal stopping: in each node one may stop, at a given value, or go on by one of several ways,
// each a distribution over other nodes plus a value that is collected outside. Going on costs
// nothing. The least expected values are the greatest x with
//    x(i) ≤ stop(i)   and   x(i) ≤ outside(w) + Σ p(w,j) x(j)   for every way w of i,
// which is what values on free pairs must satisfy to be a lower bound. Sweeps approach them at the
// rate at which the ways leave, which may be once in 10^6 steps; Howard's policy iteration, which
// starts by stopping everywhere and evaluates every policy by a sparse factorization, takes a few
// steps. No set of nodes may have ways that never leave it.
#ifndef CARL_SSP_STOPPING_PROBLEM_H
#define CARL_SSP_STOPPING_PROBLEM_H

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "carl/limits.h"

namespace carl::ssp {

class StoppingProblem {
 public:
  struct Term {
    double probability;
    std::uint32_t node;
  };

  explicit StoppingProblem(std::vector<double> stop) : stop_(std::move(stop)) {}

  /// Ways of one node must be added one after the other, the nodes in increasing order. Terms of
  /// one way have different nodes, not the way's own.
  void add_way(std::uint32_t node, double outside, std::span<const Term> terms);

  /// Values that satisfy the inequalities of the ways with something to spare, so that rounding
  /// errors of the evaluation do not matter: `margin` times the value of stopping on a way that is
  /// taken, half of that on others. If a limit or the number of factorizations ends it early, they
  /// are too high.
  std::vector<double> solve(double margin, std::size_t max_factorizations, Limits& limits);

 private:
  struct Way {
    std::uint32_t node;
    double outside;
    std::size_t first_term;
    std::size_t last_term;
  };
  static constexpr std::uint32_t stops = std::numeric_limits<std::uint32_t>::max();

  double value_of(const Way& way, const std::vector<double>& x) const;
  bool improve(double margin, const std::vector<double>& x);
  bool evaluate(double margin, std::vector<double>& x) const;

  std::vector<double> stop_;
  std::vector<Way> ways_;
  std::vector<Term> terms_;
  std::vector<std::uint32_t> choice_;  // per node: a way, or that it stops
};

}  // namespace carl::ssp

#endif
