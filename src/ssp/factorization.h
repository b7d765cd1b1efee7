// One sparse LU factorization for any number of right-hand sides, with iterative refinement of each
// solution: by KLU, which orders by strongly connected components itself, or by one that can be
// interrupted if that would take longer than anyone should have to wait after Ctrl-C. Residuals are computed in
// long double and with the diagonal as it should be (see policy_matrix.h), so that even solutions
// of nearly singular systems, those of policies that take very many steps, keep most of their
// digits.
//
// T. A. Davis and E. Palamadai Natarajan, "Algorithm 907: KLU, a direct sparse solver for circuit
// simulation problems", ACM Transactions on Mathematical Software 37, 2010.
#ifndef CARL_SSP_FACTORIZATION_H
#define CARL_SSP_FACTORIZATION_H

#include <klu.h>

#include <limits>
#include <optional>
#include <vector>

#include "carl/monitor.h"
#include "ssp/interruptible_lu.h"
#include "ssp/policy_matrix.h"

namespace carl::ssp {

struct FactorizationOptions {
  /// Not done if it is expected to take more than so many operations on numbers.
  double most_operations = std::numeric_limits<double>::infinity();
  /// What is expected to take more than that, some tenths of a second, asks the monitor.
  double operations_of_klu = 1e8;
  Monitor* monitor = nullptr;
};

/// `matrix` must outlive this. Throws std::bad_alloc if the factors do not fit into memory.
class Factorization {
 public:
  explicit Factorization(const Matrix& matrix, const FactorizationOptions& options = {});
  ~Factorization();
  Factorization(const Factorization&) = delete;
  Factorization& operator=(const Factorization&) = delete;

  /// False if the matrix is singular, this would have taken too long, or a limit was reached.
  bool ok() const { return numeric_ != nullptr || (long_ && long_->ok()); }
  bool too_long() const { return too_long_; }

  /// A x = b.
  std::vector<double> solve_rows(const std::vector<double>& b);
  /// Aᵀ x = b.
  std::vector<double> solve_columns(const std::vector<double>& b);

 private:
  template <class Solve, class Subtract>
  std::vector<double> refined(const std::vector<double>& b, Solve solve, Subtract subtract);

  const Matrix& matrix_;
  int n_;
  klu_common common_{};
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
  std::optional<InterruptibleLu> long_;  // in place of these two
  bool too_long_ = false;
};

}  // namespace carl::ssp

#endif
