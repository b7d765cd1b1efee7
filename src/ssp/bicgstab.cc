#include "ssp/bicgstab.h"

#include <cmath>
#include <utility>

namespace carl::ssp {
namespace {

constexpr int most_iterations = 150;
// It ends when so many iterations in a row have not made the residual smaller than ever before.
constexpr int patience = 40;

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}

}  // namespace

SparseRows transposed(const SparseRows& matrix) {
  SparseRows result;
  const std::size_t n = matrix.size();
  result.diagonal = matrix.diagonal;
  result.first.assign(n + 1, 0);
  result.column.resize(matrix.column.size());
  result.value.resize(matrix.value.size());
  for (const std::uint32_t column : matrix.column)
    ++result.first[column + 1];
  for (std::size_t i = 0; i < n; ++i)
    result.first[i + 1] += result.first[i];
  std::vector<std::size_t> next(result.first.begin(), result.first.end() - 1);
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t e = matrix.first[row]; e < matrix.first[row + 1]; ++e) {
      const std::size_t to = next[matrix.column[e]]++;
      result.column[to] = static_cast<std::uint32_t>(row);
      result.value[to] = matrix.value[e];
    }
  return result;
}

/// The first step is one of the preconditioner alone: often it is enough, and what it leaves makes a
/// better shadow residual than a right-hand side with a single entry.
BiCgStab::Result BiCgStab::solve(std::vector<double> right, double target, const Size& size) const {
  const std::size_t n = right.size();
  std::vector<double>& r = right;
  std::vector<double> x = r;
  std::vector<double> v(n);
  precondition(x);
  multiply(x, v);
  for (std::size_t i = 0; i < n; ++i)
    r[i] -= v[i];
  Result best{x, size(r)};
  if (best.size <= target || !std::isfinite(best.size)) return best;
  const std::vector<double> shadow = r;
  std::vector<double> p = r;
  std::vector<double> y(n);
  std::vector<double> z(n);
  std::vector<double> t(n);
  double rho = product(shadow, r);
  int since_best = 0;
  for (int i = 0; i < most_iterations && since_best < patience; ++i) {
    if (monitor_ != nullptr && monitor_->reached_now()) break;
    y = p;
    precondition(y);
    multiply(y, v);
    const double alpha = rho / product(shadow, v);
    for (std::size_t k = 0; k < n; ++k)
      r[k] -= alpha * v[k];
    z = r;
    precondition(z);
    multiply(z, t);
    const double omega = product(t, r) / product(t, t);
    for (std::size_t k = 0; k < n; ++k) {
      x[k] += alpha * y[k] + omega * z[k];
      r[k] -= omega * t[k];
    }
    const double now = size(r);
    if (now <= target) return {std::move(x), now};
    if (!std::isfinite(now)) break;
    ++since_best;
    if (now < best.size) {
      best = {x, now};
      since_best = 0;
    }
    const double next = product(shadow, r);
    const double beta = next / rho * (alpha / omega);
    rho = next;
    for (std::size_t k = 0; k < n; ++k)
      p[k] = r[k] + beta * (p[k] - omega * v[k]);
  }
  return best;
}

void BiCgStab::precondition(std::vector<double>& x) const {
  if (factors_ == Factors::transposed)
    preconditioner_.solve_columns(x);
  else
    preconditioner_.solve_rows(x);
}

void BiCgStab::multiply(const std::vector<double>& x, std::vector<double>& y) const {
  for (std::size_t i = 0; i < x.size(); ++i) {
    double sum = matrix_.diagonal[i] * x[i];
    for (std::size_t e = matrix_.first[i]; e < matrix_.first[i + 1]; ++e)
      sum += matrix_.value[e] * x[matrix_.column[e]];
    y[i] = sum;
  }
}

}  // namespace carl::ssp
