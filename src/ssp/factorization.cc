#include "ssp/factorization.h"

#include <cmath>
#include <limits>
#include <new>

namespace carl::ssp {
namespace {

// A correction below this (relative) is as good as none.
constexpr double least_correction = 1e-14;
constexpr int most_refinements = 4;

}  // namespace

/// To KLU, which wants columns, the matrix is its transpose.
Factorization::Factorization(const Matrix& matrix, const FactorizationOptions& options)
    : matrix_(matrix), n_(static_cast<int>(matrix.size())) {
  klu_defaults(&common_);
  int* first = const_cast<int*>(matrix.first.data());        // NOLINT: KLU's C interface
  int* column = const_cast<int*>(matrix.column.data());      // NOLINT
  double* value = const_cast<double*>(matrix.value.data());  // NOLINT
  symbolic_ = klu_analyze(n_, first, column, &common_);
  const double operations = symbolic_ != nullptr ? symbolic_->est_flops : 0;
  too_long_ = operations > options.most_operations;
  if (too_long_) return;
  if (operations > options.operations_of_klu) {
    klu_free_symbolic(&symbolic_, &common_);
    long_.emplace(matrix, options.monitor);
    return;
  }
  if (symbolic_ != nullptr) numeric_ = klu_factor(first, column, value, symbolic_, &common_);
  if (numeric_ != nullptr) return;
  if (common_.status != KLU_OUT_OF_MEMORY && common_.status != KLU_TOO_LARGE) return;
  klu_free_symbolic(&symbolic_, &common_);
  throw std::bad_alloc();
}

Factorization::~Factorization() {
  klu_free_numeric(&numeric_, &common_);
  klu_free_symbolic(&symbolic_, &common_);
}

std::vector<double> Factorization::solve_rows(const std::vector<double>& b) {
  return refined(
      b,
      [&](double* x) {
        if (long_) return long_->solve_rows(x);
        klu_tsolve(symbolic_, numeric_, n_, 1, x, &common_);
      },
      [&](std::size_t row, std::size_t col, long double v, const auto& x, auto& r) {
        r[row] -= v * x[col];
      });
}

std::vector<double> Factorization::solve_columns(const std::vector<double>& b) {
  return refined(
      b,
      [&](double* x) {
        if (long_) return long_->solve_columns(x);
        klu_solve(symbolic_, numeric_, n_, 1, x, &common_);
      },
      [&](std::size_t row, std::size_t col, long double v, const auto& x, auto& r) {
        r[col] -= v * x[row];
      });
}

template <class Solve, class Subtract>
std::vector<double> Factorization::refined(const std::vector<double>& b, Solve solve,
                                           Subtract subtract) {
  std::vector<double> x = b;
  solve(x.data());
  double last = std::numeric_limits<double>::infinity();
  for (int i = 0; i < most_refinements; ++i) {
    std::vector<long double> residual(b.begin(), b.end());
    for (std::size_t row = 0; row < matrix_.size(); ++row)
      for (std::size_t e = matrix_.begin(row); e < matrix_.end(row); ++e) {
        const std::size_t column = matrix_.column_of(e);
        subtract(row, column, row == column ? matrix_.diagonal[row] : matrix_.value[e], x,
                 residual);
      }
    std::vector<double> correction(residual.begin(), residual.end());
    solve(correction.data());
    double largest = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (std::abs(correction[k]) > largest * std::abs(x[k]))
        largest = std::abs(correction[k] / x[k]);
      x[k] += correction[k];
    }
    if (!(largest > least_correction) || !(largest < last / 2)) break;
    last = largest;
  }
  return x;
}

}  // namespace carl::ssp
