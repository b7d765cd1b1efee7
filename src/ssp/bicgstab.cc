#include "ssp/bicgstab.h"

#include <cmath>
#include <utility>

namespace carl::ssp {
namespace {

constexpr int most_iterations = 150;
// It ends when so many iterations in a row have not made the residual smaller than ever before.
constexpr int patience = 40;

}  // namespace

/// The first step is one of the preconditioner alone: often it is enough, and what it leaves makes a
/// better shadow residual than a right-hand side with a single entry.
BiCgStab::Result BiCgStab::solve(std::vector<double> right, double target, const Size& size) const {
  const std::size_t n = right.size();
  std::vector<double>& r = right;
  std::vector<double> x = r;
  std::vector<double> v(n);
  precondition(x);
  multiply(x, v);
  threads_.for_each(n, [&](std::size_t i) { r[i] -= v[i]; });
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
    threads_.for_each(n, [&](std::size_t k) { y[k] = p[k]; });
    precondition(y);
    multiply(y, v);
    const double alpha = rho / product(shadow, v);
    threads_.for_each(n, [&](std::size_t k) { z[k] = r[k] -= alpha * v[k]; });
    precondition(z);
    multiply(z, t);
    const double omega = product(t, r) / product(t, t);
    threads_.for_each(n, [&](std::size_t k) {
      x[k] += alpha * y[k] + omega * z[k];
      r[k] -= omega * t[k];
    });
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
    threads_.for_each(n, [&](std::size_t k) { p[k] = r[k] + beta * (p[k] - omega * v[k]); });
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
  threads_.for_each(x.size(), [&](std::size_t i) {
    double sum = matrix_.diagonal[i] * x[i];
    for (std::size_t e = matrix_.first[i]; e < matrix_.first[i + 1]; ++e)
      sum += matrix_.value[e] * x[matrix_.column[e]];
    y[i] = sum;
  });
}

double BiCgStab::product(const std::vector<double>& a, const std::vector<double>& b) const {
  const auto part = [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i)
      sum += a[i] * b[i];
    return sum;
  };
  return threads_.reduce(a.size(), 0.0, part, std::plus<>());
}

}  // namespace carl::ssp
