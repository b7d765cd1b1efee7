// A linear program in integers, solved without rounding: min c·x, A x = b, x ≥ 0. The tableau is
// kept free of fractions (after Edmonds): all its entries are integers over one common
// denominator, the last pivot, so that a pivot needs products and exact divisions but no greatest
// common divisors. Small programs only: the tableau is dense.
#ifndef CARL_TESTS_SOAK_EXACT_LP_H
#define CARL_TESTS_SOAK_EXACT_LP_H

#include <gmpxx.h>

#include <cstddef>
#include <vector>

namespace carl::soak {

class ExactLp {
 public:
  ExactLp(std::size_t rows, std::size_t columns);

  /// Entries, to be filled in before the first pivot.
  mpz_class& at(std::size_t row, std::size_t column) { return table_[row * width_ + column]; }
  mpz_class& right_side(std::size_t row) { return at(row, columns_); }
  mpz_class& objective(std::size_t column) { return at(rows_, column); }

  /// Makes a column basic in a row, where its entry must not be zero.
  void pivot(std::size_t row, std::size_t column);
  /// The same for a column that is a unit vector of this row already.
  void set_basic(std::size_t row, std::size_t column) { basis_[row] = column; }

  /// From a basis that is feasible in the first `rows` rows to one that is optimal if only they
  /// count.
  void minimise(std::size_t rows);
  /// From an optimal basis of fewer rows to one that is feasible in all; false if there is none.
  bool make_feasible();

  mpq_class value() const { return ratio(-table_[rows_ * width_ + columns_]); }
  mpq_class reduced_cost(std::size_t column) const {
    return ratio(table_[rows_ * width_ + column]);
  }
  std::size_t basic(std::size_t row) const { return basis_[row]; }
  mpq_class basic_value(std::size_t row) const { return ratio(table_[row * width_ + columns_]); }

 private:
  const mpz_class& get(std::size_t row, std::size_t column) const {
    return table_[row * width_ + column];
  }
  mpq_class ratio(const mpz_class& numerator) const;
  std::size_t entering(std::size_t pivots) const;
  std::size_t leaving(std::size_t rows, std::size_t column) const;

  std::size_t rows_;
  std::size_t columns_;
  std::size_t width_;
  mpz_class denominator_ = 1;
  std::vector<mpz_class> table_;  // row by row, the objective last; the right-hand side last
  std::vector<std::size_t> basis_;
};

}  // namespace carl::soak

#endif
