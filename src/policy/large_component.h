// The linear equations of a large strongly connected component of a policy's chain: BiCGStab with an
// incomplete LU factorization, both Eigen's (src/ssp has its own of each). Factors of so many states
// would fill all memory.
//
// A small residual is not a small error. What proves that an error is small are expected steps T until
// the component is left, with (I - P) T ≥ 1/2: since no entry of (I - P)⁻¹ is negative, residuals r of
// costs-to-go are errors of at most max |r| · 2T, and residuals r of visits count for at most Σ |r| · 2T
// steps. Where so many steps are expected that doubles cannot do as well as is asked, residuals are as
// small as rounding lets them be, and errors are like those of a complete factorization.
#ifndef CARL_POLICY_LARGE_COMPONENT_H
#define CARL_POLICY_LARGE_COMPONENT_H

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCore>
#include <cstddef>
#include <vector>

#include "carl/monitor.h"

namespace carl::policy {

class LargeComponent {
 public:
  using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;
  using Vector = Eigen::VectorXd;

  /// Fewer nodes are left to complete factorizations.
  static constexpr std::size_t least_size = 10000;

  /// I - P, a row for each node.
  LargeComponent(Matrix i_minus_p, Monitor& monitor);

  /// x = b + x P, for b ≥ 0, and v = d + P v, for d ≥ 0. False, and nothing is changed, where it does
  /// not converge. Throw LimitReached.
  bool visits(std::vector<double>& b);
  bool values(std::vector<double>& d);

 private:
  using Solver = Eigen::BiCGSTAB<Matrix, Eigen::IncompleteLUT<double>>;

  bool find_steps();
  static bool factorize(const Matrix& matrix, Solver& solver);
  /// Makes x better until `is_enough(residual)`; or says false.
  template <class IsEnough>
  bool refine(const Matrix& matrix, Solver& solver, const Vector& b, Vector& x,
              const IsEnough& is_enough) const;
  static bool is_rounding(const Matrix& matrix, const Vector& b, const Vector& x, const Vector& r);
  static Vector residual(const Matrix& matrix, const Vector& b, const Vector& x);
  static void sweep_to_and_fro(const Matrix& columns, const Vector& b, Vector& x);

  Matrix rows_;
  Solver solver_of_rows_;
  Monitor& monitor_;
  Vector steps_;  // 2T, once it is known
};

}  // namespace carl::policy

#endif
