// One sparse LU factorization (KLU, which orders by strongly connected components itself) for any
// number of right-hand sides, with iterative refinement of each solution. Residuals are computed in
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
#include <vector>

#include "ssp/policy_matrix.h"

namespace carl::ssp {

/// `matrix` must outlive this. Throws std::bad_alloc if the factors do not fit into memory.
class Factorization {
 public:
  /// Not done if it is expected to take more than so many operations on numbers.
  explicit Factorization(const Matrix& matrix,
                         double most_operations = std::numeric_limits<double>::infinity());
  ~Factorization();
  Factorization(const Factorization&) = delete;
  Factorization& operator=(const Factorization&) = delete;

  /// False if the matrix is singular, or this would have taken too long.
  bool ok() const { return numeric_ != nullptr; }
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
  bool too_long_ = false;
};

}  // namespace carl::ssp

#endif
