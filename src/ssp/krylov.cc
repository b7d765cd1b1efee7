#include "ssp/krylov.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace carl::ssp {
namespace {

constexpr int most_corrections = 8;
// A correction in doubles cannot do better than this.
constexpr double least_reduction = 1e-9;
// A correction that leaves more than this share of the residual is the last.
constexpr double fruitless = 0.5;

SparseRows scaled(const Matrix& matrix, std::span<const double> values) {
  SparseRows result;
  const std::size_t n = matrix.size();
  result.first.reserve(n + 1);
  result.column.reserve(matrix.column.size() - n);
  result.value.reserve(matrix.column.size() - n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t e = matrix.begin(i); e < matrix.end(i); ++e) {
      const std::size_t j = matrix.column_of(e);
      if (j == i) continue;
      result.column.push_back(static_cast<std::uint32_t>(j));
      result.value.push_back(matrix.value[e] * values[j] / values[i]);
    }
    result.first.push_back(result.column.size());
  }
  result.diagonal.assign(matrix.diagonal.begin(), matrix.diagonal.end());
  return result;
}

}  // namespace

/// Corrections until the residual is as small as asked for or no longer gets smaller.
class Krylov::Refinement {
 public:
  using Factors = BiCgStab::Factors;

  Refinement(const Krylov& krylov, const SparseRows& matrix, Factors factors, BiCgStab::Size size)
      : matrix_(krylov.matrix_),
        values_(krylov.values_),
        monitor_(krylov.monitor_),
        columns_(factors == Factors::transposed),
        size_(std::move(size)),
        solver_(matrix, krylov.preconditioner_, factors, krylov.monitor_) {}

  double solve(const std::vector<double>& b, double tolerance, std::vector<double>& x) const {
    std::vector<double> r = residual(b, x);
    double left = size_(r);
    for (int i = 0; i < most_corrections && !(left <= tolerance) && !ended(); ++i) {
      const double target = std::max(tolerance / 2, least_reduction * left);
      const std::vector<double> better = sum(x, solver_.solve(std::move(r), target, size_).x);
      r = residual(b, better);
      const double now = size_(r);
      if (!(now < left)) break;
      x = better;
      const bool is_last = now > fruitless * left;
      left = now;
      if (is_last) break;
    }
    return left;
  }

 private:
  bool ended() const { return monitor_ != nullptr && monitor_->reached_now(); }

  /// Of the unscaled system, scaled.
  std::vector<double> residual(const std::vector<double>& b, const std::vector<double>& x) const {
    std::vector<long double> left(b.begin(), b.end());
    for (std::size_t row = 0; row < b.size(); ++row)
      for (std::size_t e = matrix_.begin(row); e < matrix_.end(row); ++e) {
        const std::size_t column = matrix_.column_of(e);
        const long double entry = row == column ? matrix_.diagonal[row] : matrix_.value[e];
        if (columns_)
          left[column] -= entry * x[row];
        else
          left[row] -= entry * x[column];
      }
    std::vector<double> result(b.size());
    for (std::size_t i = 0; i < b.size(); ++i)
      result[i] = static_cast<double>(columns_ ? left[i] * values_[i] : left[i] / values_[i]);
    return result;
  }

  std::vector<double> sum(std::vector<double> x, const std::vector<double>& correction) const {
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] += columns_ ? correction[i] / values_[i] : correction[i] * values_[i];
    return x;
  }

  const Matrix& matrix_;
  const std::vector<double>& values_;
  Monitor* monitor_;
  bool columns_;
  BiCgStab::Size size_;
  BiCgStab solver_;
};

Krylov::Krylov(const Matrix& matrix, std::span<const double> values, Monitor* monitor,
               const IncompleteLuOptions& options)
    : matrix_(matrix),
      values_(values.begin(), values.end()),
      monitor_(monitor),
      scaled_(scaled(matrix, values)),
      preconditioner_(options),
      ok_(preconditioner_.factorize(scaled_, monitor)) {}

double Krylov::solve_rows(const std::vector<double>& b, std::span<const double> units,
                          double tolerance, std::vector<double>& x) const {
  const auto largest = [&](const std::vector<double>& residual) {
    double result = 0;
    for (std::size_t i = 0; i < residual.size(); ++i) {
      const double size = std::abs(residual[i]) * values_[i] / units[i];
      if (!(size <= result)) result = size;  // also if it is not a number
    }
    return result;
  };
  return Refinement(*this, scaled_, BiCgStab::Factors::as_they_are, largest).solve(b, tolerance, x);
}

double Krylov::solve_columns(const std::vector<double>& b, double tolerance,
                             std::vector<double>& x) const {
  const SparseRows columns = transposed(scaled_);
  const auto sum_of_sizes = [](const std::vector<double>& residual) {
    double sum = 0;
    for (const double r : residual)
      sum += std::abs(r);
    return sum;
  };
  return Refinement(*this, columns, BiCgStab::Factors::transposed, sum_of_sizes)
      .solve(b, tolerance, x);
}

}  // namespace carl::ssp
