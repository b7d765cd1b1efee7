// Incomplete LU factorization of I - P, by rows in the order given: what is small is dropped as it
// arises (ILUT), and what is dropped is added to the diagonal (modified ILU), so that the product of
// the factors maps a vector of ones to what the matrix maps it to.
//
// Why it is nearly exact here: the matrix comes scaled by the values of the states (see krylov.h), so
// that the ones stand for those values, and in the order of the values. Probability flows mostly
// downhill, so nearly all that matters is below the diagonal, where it is used as it is; and the one
// error that dropping would make everywhere at once, of the values themselves, is not made at all.
// The scaled matrix is diagonally dominant by rows as far as values exceed those of their
// successors, so pivots stay positive. Where they would not, less is added.
//
// Y. Saad, "ILUT: a dual threshold incomplete LU factorization", Numerical Linear Algebra with
// Applications 1, 1994. I. Gustafsson, "A class of first order factorization methods", BIT 18, 1978.
#ifndef CARL_SSP_INCOMPLETE_LU_H
#define CARL_SSP_INCOMPLETE_LU_H

#include <cstdint>
#include <span>
#include <vector>

#include "carl/monitor.h"

namespace carl::ssp {

/// A square sparse matrix by rows, its diagonal apart.
struct SparseRows {
  std::size_t size() const { return first.size() - 1; }
  /// Keeps the memory.
  void clear() {
    first.assign(1, 0);
    column.clear();
    value.clear();
    diagonal.clear();
  }

  std::vector<std::size_t> first{0};
  std::vector<std::uint32_t> column;
  std::vector<double> value;
  std::vector<double> diagonal;
};

struct IncompleteLuOptions {
  /// Entries below are dropped: relative to the diagonal, which is about one.
  double drop = 2e-3;
  /// For every so many entries that a row has already, one must be ten times as large to be kept. So
  /// no row gets long, whatever the matrix is.
  double entries_per_decade = 16;
};

class IncompleteLu {
 public:
  explicit IncompleteLu(const IncompleteLuOptions& options = {}) : options_(options) {}

  /// In place of the last one. False if there was no pivot, or a limit was reached.
  bool factorize(const SparseRows& matrix, Monitor* monitor = nullptr);
  std::size_t num_entries() const { return lower_.column.size() + upper_.column.size(); }

  /// x ← U⁻¹ L⁻¹ x.
  void solve_rows(std::span<double> x) const;
  /// x ← L⁻ᵀ U⁻ᵀ x.
  void solve_columns(std::span<double> x) const;

 private:
  class Row;

  IncompleteLuOptions options_;
  SparseRows lower_;  // L without its diagonal, which is one
  SparseRows upper_;  // U with the inverses of its diagonal
};

}  // namespace carl::ssp

#endif
