// Gauss-Seidel for the linear system of a policy, one strongly connected component after the other:
// the method for components so large that the fill-in of a factorization explodes. A component is
// solved once all that it depends on is known; a single state is one substitution.
//
// Rows are swept in their order, which should put first what others depend on, and now and then the
// other way. Costs are non-negative, so the iterates grow from zero towards the solution, and sums
// of them lose no digits: the residual can be judged in each entry relative to that entry. This
// matters for visits, most of which are tiny beside that of the start, and it notices a part of the
// component that is hardly ever entered but where values still grow. Where the goal is far
// (policies that keep restarting) the iteration needs as many sweeps as the policy needs attempts.
// It does not try that: once its rate shows that it will not arrive in time, it gives up.
#ifndef CARL_SSP_GAUSS_SEIDEL_H
#define CARL_SSP_GAUSS_SEIDEL_H

#include <cstddef>
#include <optional>
#include <vector>

#include "carl/monitor.h"
#include "ssp/policy_matrix.h"
#include "util/strongly_connected.h"

namespace carl::ssp {

/// `matrix` is I - P and must outlive this.
class GaussSeidel {
 public:
  /// Of the residual, relative to each entry. Rounding errors of a row of many entries stay below.
  static constexpr double default_tolerance = 1e-13;

  explicit GaussSeidel(const Matrix& matrix);

  /// States in the largest component.
  std::size_t largest_component() const;

  /// (I - P) x = b for non-negative b, which holds `width` right-hand sides: row i has the entries
  /// from i·width on. Nothing if the residual cannot be made small, or a limit is reached.
  std::optional<std::vector<double>> solve_rows(const std::vector<double>& b, std::size_t width,
                                                double tolerance = default_tolerance,
                                                Monitor* monitor = nullptr) const;
  /// (I - P)ᵀ x = b.
  std::optional<std::vector<double>> solve_columns(const std::vector<double>& b, std::size_t width,
                                                   Monitor* monitor = nullptr) const;

 private:
  const Matrix& matrix_;
  ComponentMembers components_;  // of the rows
};

}  // namespace carl::ssp

#endif
