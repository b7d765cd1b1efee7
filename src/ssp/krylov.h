// The linear system of a policy by a Krylov method, in nearly linear time: BiCGStab with an incomplete
// LU factorization, one for any number of right-hand sides and, transposed, for visits.
//
// What is solved is the system scaled by a rough idea v of the values, (V⁻¹ A V)(V⁻¹ x) = V⁻¹ b with
// V = diag(v): its solutions are of the size of one everywhere, so norms weigh all states alike, and
// the incomplete factorization can be exact for v itself (see incomplete_lu.h). Rows should come in the
// order of v, ascending.
//
// Residuals are those of the unscaled system in long double, with the diagonal as it should be (see
// policy_matrix.h): BiCGStab only ever solves for a correction. A small residual is not a small error;
// what it says about costs is the business of whoever asks.
#ifndef CARL_SSP_KRYLOV_H
#define CARL_SSP_KRYLOV_H

#include <span>
#include <vector>

#include "carl/monitor.h"
#include "ssp/bicgstab.h"
#include "ssp/incomplete_lu.h"
#include "ssp/policy_matrix.h"

namespace carl::ssp {

/// Solves one system at a time.
class Krylov {
 public:
  /// `matrix` is I - P, `values` are positive. Matrix and threads must outlive this.
  Krylov(const Matrix& matrix, std::span<const double> values, const Threads& threads,
         Monitor* monitor = nullptr, const IncompleteLuOptions& options = {});

  /// False if there is no preconditioner; nothing can be solved then.
  bool ok() const { return ok_; }

  /// A x = b from the x given. Ends when every residual is at most `tolerance` times the unit of its
  /// row, when it comes no nearer, or at a limit. Returns the largest residual left, in units.
  double solve_rows(const std::vector<double>& b, std::span<const double> units, double tolerance,
                    std::vector<double>& x) const;
  /// Aᵀ x = b; `columns` is Aᵀ. Here what is measured is the sum of all residuals, each times the value
  /// of its state.
  double solve_columns(const Matrix& columns, const std::vector<double>& b, double tolerance,
                       std::vector<double>& x) const;

 private:
  class Refinement;

  const Matrix& matrix_;
  std::vector<double> values_;
  const Threads& threads_;
  Monitor* monitor_;
  SparseRows scaled_;
  IncompleteLu preconditioner_;
  bool ok_;
  // Of one solve after the other.
  mutable BiCgStab::Workspace workspace_;
  mutable std::vector<double> residual_;
  mutable std::vector<double> better_;
};

}  // namespace carl::ssp

#endif
