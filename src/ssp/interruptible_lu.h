// A sparse LU factorization that asks now and then whether it may go on, and before it begins
// whether its factors fit into the memory allowed. KLU does neither, and the factors of a policy
// whose states lead anywhere fill in: a few thousand states take seconds, some ten thousand hours.
//
// Matrices of policies (I - P, and those of stopping problems) need no pivoting: no row has more
// outside its diagonal than on it, which stays so as states are eliminated. So the pattern of the
// factors is known beforehand: that of a Cholesky factor of A + Aᵀ, in AMD's order. It is computed
// one strongly connected component after the other, row by row and column by column at the same
// time.
//
// T. A. Davis, "Algorithm 849: A concise sparse Cholesky factorization package", ACM Transactions on
// Mathematical Software 31, 2005. P. R. Amestoy, T. A. Davis and I. S. Duff, "Algorithm 837: AMD, an
// approximate minimum degree ordering algorithm", ACM Transactions on Mathematical Software 30, 2004.
#ifndef CARL_SSP_INTERRUPTIBLE_LU_H
#define CARL_SSP_INTERRUPTIBLE_LU_H

#include <cstdint>
#include <span>
#include <vector>

#include "carl/monitor.h"
#include "ssp/policy_matrix.h"
#include "util/strongly_connected.h"

namespace carl::ssp {

/// `matrix` must outlive this.
class InterruptibleLu {
 public:
  /// Throws std::bad_alloc if there is not enough memory, whatever is allowed.
  InterruptibleLu(const Matrix& matrix, Monitor* monitor);

  /// False if the matrix is singular, or a limit was reached.
  bool ok() const { return ok_; }
  /// A x = b, in place.
  void solve_rows(double* x) const;
  /// Aᵀ x = b, in place.
  void solve_columns(double* x) const;

 private:
  /// Of one component: L has ones on its diagonal and is stored by columns, U by rows. Both have the
  /// same pattern.
  struct Block {
    std::vector<std::uint32_t> rows;  // of the matrix, in the order of elimination
    std::vector<double> pivot;
    std::vector<std::size_t> first;  // by column of L, which is row of U
    std::vector<std::uint32_t> position;
    std::vector<double> lower;
    std::vector<double> upper;
  };
  class Elimination;

  void solve_rows(const Block& block, std::vector<double>& x) const;
  void solve_columns(const Block& block, std::vector<double>& x) const;

  const Matrix& matrix_;
  Components components_;
  std::vector<Block> blocks_;  // by component; a component comes after all that it can reach
  bool ok_ = false;
};

}  // namespace carl::ssp

#endif
