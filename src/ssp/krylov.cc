#include "ssp/krylov.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <utility>

namespace carl::ssp {
namespace {

constexpr int most_corrections = 8;
// A correction in doubles cannot do better than this.
constexpr double least_reduction = 1e-9;
// A correction that leaves more than this share of the residual is the last.
constexpr double fruitless = 0.5;

enum class Of { rows, columns };

/// V⁻¹ A V, or V Aᵀ V⁻¹ if the matrix is Aᵀ; V = diag(values).
SparseRows scaled(const Matrix& matrix, std::span<const double> values, Of of,
                  const Threads& threads) {
  SparseRows result;
  const std::size_t n = matrix.size();
  const auto for_others = [&](std::size_t i, const auto& work) {
    for (std::size_t e = matrix.begin(i); e < matrix.end(i); ++e)
      if (matrix.column_of(e) != i) work(e);
  };
  result.first.assign(n + 1, 0);
  threads.for_each(
      n, [&](std::size_t i) { for_others(i, [&](std::size_t) { ++result.first[i + 1]; }); });
  for (std::size_t i = 0; i < n; ++i)
    result.first[i + 1] += result.first[i];
  result.column.resize(result.first[n]);
  result.value.resize(result.first[n]);
  threads.for_each(n, [&](std::size_t i) {
    std::size_t to = result.first[i];
    for_others(i, [&](std::size_t e) {
      const std::size_t j = matrix.column_of(e);
      result.column[to] = static_cast<std::uint32_t>(j);
      result.value[to] = of == Of::rows ? matrix.value[e] * values[j] / values[i]
                                        : matrix.value[e] * values[i] / values[j];
      ++to;
    });
  });
  result.diagonal.assign(matrix.diagonal.begin(), matrix.diagonal.end());
  return result;
}

}  // namespace

/// Corrections until the residual is as small as asked for or no longer gets smaller.
class Krylov::Refinement {
 public:
  using Factors = BiCgStab::Factors;

  /// `matrix` is A or Aᵀ, `scaled` the same scaled.
  Refinement(const Krylov& krylov, const Matrix& matrix, const SparseRows& scaled, Of of,
             BiCgStab::Size size)
      : matrix_(matrix),
        values_(krylov.values_),
        threads_(krylov.threads_),
        monitor_(krylov.monitor_),
        of_(of),
        size_(std::move(size)),
        solver_(scaled, krylov.preconditioner_,
                of == Of::rows ? Factors::as_they_are : Factors::transposed, krylov.threads_,
                krylov.monitor_, krylov.workspace_),
        residual_(krylov.residual_),
        better_(krylov.better_) {}

  double solve(const std::vector<double>& b, double tolerance, std::vector<double>& x) const {
    find_residual(b, x);
    double left = size_(residual_);
    for (int i = 0; i < most_corrections && !(left <= tolerance) && !ended(); ++i) {
      const double target = std::max(tolerance / 2, least_reduction * left);
      find_better(x, solver_.solve(residual_, target, size_).x);
      find_residual(b, better_);
      const double now = size_(residual_);
      if (!(now < left)) break;
      std::swap(x, better_);
      const bool is_last = now > fruitless * left;
      left = now;
      if (is_last) break;
    }
    return left;
  }

 private:
  bool ended() const { return monitor_ != nullptr && monitor_->reached_now(); }

  /// Of the unscaled system, scaled.
  void find_residual(const std::vector<double>& b, const std::vector<double>& x) const {
    residual_.resize(b.size());
    threads_.for_each(b.size(), [&](std::size_t i) {
      long double left = b[i];
      for (std::size_t e = matrix_.begin(i); e < matrix_.end(i); ++e) {
        const std::size_t j = matrix_.column_of(e);
        left -= (i == j ? matrix_.diagonal[i] : static_cast<long double>(matrix_.value[e])) * x[j];
      }
      residual_[i] = static_cast<double>(of_ == Of::rows ? left / values_[i] : left * values_[i]);
    });
  }

  void find_better(const std::vector<double>& x, const std::vector<double>& correction) const {
    better_.resize(x.size());
    threads_.for_each(x.size(), [&](std::size_t i) {
      const double part = of_ == Of::rows ? correction[i] * values_[i] : correction[i] / values_[i];
      better_[i] = x[i] + part;
    });
  }

  const Matrix& matrix_;
  const std::vector<double>& values_;
  const Threads& threads_;
  Monitor* monitor_;
  Of of_;
  BiCgStab::Size size_;
  BiCgStab solver_;
  std::vector<double>& residual_;
  std::vector<double>& better_;
};

Krylov::Krylov(const Matrix& matrix, std::span<const double> values, const Threads& threads,
               Monitor* monitor, const IncompleteLuOptions& options)
    : matrix_(matrix),
      values_(values.begin(), values.end()),
      threads_(threads),
      monitor_(monitor),
      scaled_(scaled(matrix, values, Of::rows, threads)),
      preconditioner_(threads, options),
      ok_(preconditioner_.factorize(scaled_, monitor)) {}

double Krylov::solve_rows(const std::vector<double>& b, std::span<const double> units,
                          double tolerance, std::vector<double>& x) const {
  const auto largest = [&](const std::vector<double>& residual) {
    const auto of = [&](std::size_t begin, std::size_t end) {
      double result = 0;
      for (std::size_t i = begin; i < end; ++i)
        result = larger_or_nan(result, std::abs(residual[i]) * values_[i] / units[i]);
      return result;
    };
    return threads_.reduce(residual.size(), 0.0, of, larger_or_nan);
  };
  return Refinement(*this, matrix_, scaled_, Of::rows, largest).solve(b, tolerance, x);
}

double Krylov::solve_columns(const Matrix& columns, const std::vector<double>& b, double tolerance,
                             std::vector<double>& x) const {
  const SparseRows scaled_columns = scaled(columns, values_, Of::columns, threads_);
  const auto sum_of_sizes = [&](const std::vector<double>& residual) {
    const auto of = [&](std::size_t begin, std::size_t end) {
      double sum = 0;
      for (std::size_t i = begin; i < end; ++i)
        sum += std::abs(residual[i]);
      return sum;
    };
    return threads_.reduce(residual.size(), 0.0, of, std::plus<>());
  };
  return Refinement(*this, columns, scaled_columns, Of::columns, sum_of_sizes)
      .solve(b, tolerance, x);
}

}  // namespace carl::ssp
