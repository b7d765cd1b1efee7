#include "soak/exact_lp.h"

#include <stdexcept>

namespace carl::soak {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);
/// So many pivots are chosen for progress; later ones by Bland's rule, which cannot cycle.
constexpr std::size_t greedy_pivots = 200;

}  // namespace

ExactLp::ExactLp(std::size_t rows, std::size_t columns)
    : rows_(rows),
      columns_(columns),
      width_(columns + 1),
      table_((rows + 1) * width_),
      basis_(rows, none) {}

mpq_class ExactLp::ratio(const mpz_class& numerator) const {
  mpq_class result(numerator, denominator_);
  result.canonicalize();
  return result;
}

void ExactLp::pivot(std::size_t row, std::size_t column) {
  const mpz_class pivot = get(row, column);
  mpz_class factor;
  for (std::size_t i = 0; i <= rows_; ++i) {
    if (i == row) continue;
    factor = get(i, column);
    for (std::size_t j = 0; j < width_; ++j) {
      mpz_class& entry = at(i, j);
      const mpz_class& above = get(row, j);
      if (entry == 0 && (factor == 0 || above == 0)) continue;
      entry *= pivot;
      if (factor != 0 && above != 0)
        mpz_submul(entry.get_mpz_t(), factor.get_mpz_t(), above.get_mpz_t());
      mpz_divexact(entry.get_mpz_t(), entry.get_mpz_t(), denominator_.get_mpz_t());
    }
  }
  denominator_ = pivot;
  if (denominator_ < 0) {
    denominator_ = -denominator_;
    for (mpz_class& entry : table_)
      mpz_neg(entry.get_mpz_t(), entry.get_mpz_t());
  }
  basis_[row] = column;
}

std::size_t ExactLp::entering(std::size_t pivots) const {
  std::size_t best = none;
  for (std::size_t j = 0; j < columns_; ++j) {
    if (get(rows_, j) >= 0) continue;
    if (pivots >= greedy_pivots) return j;
    if (best == none || get(rows_, j) < get(rows_, best)) best = j;
  }
  return best;
}

std::size_t ExactLp::leaving(std::size_t rows, std::size_t column) const {
  std::size_t best = none;
  for (std::size_t i = 0; i < rows; ++i) {
    if (get(i, column) <= 0) continue;
    if (best == none) {
      best = i;
      continue;
    }
    const mpz_class mine = get(i, columns_) * get(best, column);
    const mpz_class theirs = get(best, columns_) * get(i, column);
    if (mine < theirs || (mine == theirs && basis_[i] < basis_[best])) best = i;
  }
  return best;
}

void ExactLp::minimise(std::size_t rows) {
  for (std::size_t pivots = 0;; ++pivots) {
    const std::size_t column = entering(pivots);
    if (column == none) return;
    const std::size_t row = leaving(rows, column);
    if (row == none) throw std::logic_error("an occupation measure without bound");
    pivot(row, column);
  }
}

bool ExactLp::make_feasible() {
  for (;;) {
    // Bland's rule for the dual simplex method: least indices on both sides.
    std::size_t row = none;
    for (std::size_t i = 0; i < rows_; ++i)
      if (get(i, columns_) < 0 && (row == none || basis_[i] < basis_[row])) row = i;
    if (row == none) return true;
    std::size_t column = none;
    for (std::size_t j = 0; j < columns_; ++j) {
      if (get(row, j) >= 0) continue;
      // Reduced cost over -entry, the least.
      if (column == none || get(rows_, j) * get(row, column) > get(rows_, column) * get(row, j))
        column = j;
    }
    if (column == none) return false;
    pivot(row, column);
  }
}

}  // namespace carl::soak
