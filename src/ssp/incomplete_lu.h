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
// Two threads can share the work because a factorization may begin at both ends: uphill from the least
// value and downhill from the largest, and last come those few rows between that are joined to both
// halves. Downhill the large entries are above the diagonal and the small ones below, and what is
// dropped is as little. Which rows are between depends on the matrix alone, so factors are the same for
// any number of threads.
//
// Y. Saad, "ILUT: a dual threshold incomplete LU factorization", Numerical Linear Algebra with
// Applications 1, 1994. I. Gustafsson, "A class of first order factorization methods", BIT 18, 1978.
// Beginning at both ends is the "twisted" factorization of H. A. van der Vorst, "Large tridiagonal and
// block tridiagonal linear systems on vector and parallel computers", Parallel Computing 5, 1987.
#ifndef CARL_SSP_INCOMPLETE_LU_H
#define CARL_SSP_INCOMPLETE_LU_H

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "carl/monitor.h"
#include "util/parallel.h"

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
  /// Smaller matrices are factorized from one end.
  std::size_t least_for_both_ends = 2'000;
};

class IncompleteLu {
 public:
  /// `threads` must outlive this.
  explicit IncompleteLu(const Threads& threads, const IncompleteLuOptions& options = {})
      : threads_(&threads), options_(options) {}

  /// In place of the last one. False if there was no pivot, or a limit was reached.
  bool factorize(const SparseRows& matrix, Monitor* monitor = nullptr);
  std::size_t num_entries() const;
  /// Rows that come last because they are joined to both halves.
  std::size_t num_between() const { return part_[between].order.size(); }

  /// x ← U⁻¹ L⁻¹ x.
  void solve_rows(std::span<double> x) const;
  /// x ← L⁻ᵀ U⁻ᵀ x.
  void solve_columns(std::span<double> x) const;

 private:
  class Row;
  /// Rows of the matrix that are eliminated one after the other. Those of the first two parts have no
  /// entries in each other's columns.
  struct Part {
    std::vector<std::uint32_t> order;  // place -> row of the matrix
    SparseRows lower;                  // per place: L without its diagonal, which is one
    SparseRows upper;                  // per place: U with the inverses of its diagonal
  };
  enum : std::size_t { low, high, between };

  void arrange(const SparseRows& matrix);
  bool factorize_part(const SparseRows& matrix, Part& part, Monitor* monitor);
  template <class Work>
  void for_both_ends(const Work& work) const {
    threads_->for_each_block(2, [&](std::size_t i, std::size_t /*thread*/) { work(part_[i]); });
  }

  const Threads* threads_;
  IncompleteLuOptions options_;
  std::array<Part, 3> part_;
  std::vector<std::uint32_t> rank_;  // row of the matrix -> its place in the order of all parts
};

}  // namespace carl::ssp

#endif
