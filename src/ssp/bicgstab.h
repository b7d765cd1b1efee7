// BiCGStab with an incomplete LU factorization as preconditioner, for a sparse matrix or its transpose.
//
// H. A. van der Vorst, "Bi-CGSTAB: a fast and smoothly converging variant of Bi-CG for the solution of
// nonsymmetric linear systems", SIAM Journal on Scientific and Statistical Computing 13, 1992.
#ifndef CARL_SSP_BICGSTAB_H
#define CARL_SSP_BICGSTAB_H

#include <cmath>
#include <functional>
#include <vector>

#include "carl/monitor.h"
#include "ssp/incomplete_lu.h"

namespace carl::ssp {

/// The larger one, or what is not a number, which no comparison finds.
inline double larger_or_nan(double a, double b) {
  return std::isnan(a) || a >= b ? a : b;
}

class BiCgStab {
 public:
  enum class Factors { as_they_are, transposed };
  /// How large a residual is, for whoever asks.
  using Size = std::function<double(const std::vector<double>&)>;

  /// What one solve leaves to the next, because new pages for large vectors take longer to be got from the
  /// system than to be used.
  struct Workspace {
    std::vector<double> x, best, v, shadow, p, y, z, t;
  };

  /// `matrix` is what the factors, as they are or transposed, approximate. All must outlive this.
  BiCgStab(const SparseRows& matrix, const IncompleteLu& preconditioner, Factors factors,
           const Threads& threads, Monitor* monitor, Workspace& workspace)
      : matrix_(matrix),
        preconditioner_(preconditioner),
        factors_(factors),
        threads_(threads),
        monitor_(monitor),
        workspace_(workspace) {}

  struct Result {
    const std::vector<double>& x;  // of the workspace, till the next solve
    double size;                   // of the residual that is left, as the iteration sees it
  };
  /// From zero, until the residual is no larger than `target`, gets no smaller, or a limit is reached.
  /// `residual` is the right-hand side at first, and changes.
  Result solve(std::vector<double>& residual, double target, const Size& size) const;

 private:
  void copy(const std::vector<double>& from, std::vector<double>& to) const;
  void precondition(std::vector<double>& x) const;
  void multiply(const std::vector<double>& x, std::vector<double>& y) const;
  double product(const std::vector<double>& a, const std::vector<double>& b) const;

  const SparseRows& matrix_;
  const IncompleteLu& preconditioner_;
  Factors factors_;
  const Threads& threads_;
  Monitor* monitor_;
  Workspace& workspace_;
};

}  // namespace carl::ssp

#endif
