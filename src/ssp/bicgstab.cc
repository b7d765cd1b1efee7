#include "ssp/bicgstab.h"

#include <cmath>

namespace carl::ssp {
namespace {

constexpr int most_iterations = 150;
// It ends when so many iterations in a row have not made the residual smaller than ever before.
constexpr int patience = 40;

}  // namespace

/// The first step is one of the preconditioner alone: often it is enough, and what it leaves makes a
/// better shadow residual than a right-hand side with a single entry.
BiCgStab::Result BiCgStab::solve(std::vector<double>& r, double target, const Size& size) const {
  const std::size_t n = r.size();
  // Not a structured binding, whose names clang 14 lets no lambda use.
  std::vector<double>& x = workspace_.x;
  std::vector<double>& best = workspace_.best;
  std::vector<double>& v = workspace_.v;
  std::vector<double>& shadow = workspace_.shadow;
  std::vector<double>& p = workspace_.p;
  std::vector<double>& y = workspace_.y;
  std::vector<double>& z = workspace_.z;
  std::vector<double>& t = workspace_.t;
  copy(r, x);
  for (std::vector<double>* const vector : {&v, &y, &z, &t})
    vector->resize(n);
  precondition(x);
  multiply(x, v);
  threads_.for_each(n, [&](std::size_t i) { r[i] -= v[i]; });
  double least = size(r);
  if (least <= target || !std::isfinite(least)) return {x, least};
  copy(x, best);
  copy(r, shadow);
  copy(r, p);
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
    if (now <= target) return {x, now};
    if (!std::isfinite(now)) break;
    ++since_best;
    if (now < least) {
      copy(x, best);
      least = now;
      since_best = 0;
    }
    const double next = product(shadow, r);
    const double beta = next / rho * (alpha / omega);
    rho = next;
    threads_.for_each(n, [&](std::size_t k) { p[k] = r[k] + beta * (p[k] - omega * v[k]); });
  }
  return {best, least};
}

void BiCgStab::copy(const std::vector<double>& from, std::vector<double>& to) const {
  to.resize(from.size());
  threads_.for_each(from.size(), [&](std::size_t i) { to[i] = from[i]; });
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
