#include "policy/large_component.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace carl::policy {
namespace {

constexpr double drop = 1e-4;
constexpr int fill = 10;
// Iterations between two looks at the limits, and in all for one correction.
constexpr int iterations_between_looks = 20;
constexpr int most_iterations = 400;
constexpr int most_corrections = 20;
// Of the residual before a correction: what is left of it.
constexpr double reduction = 1e-8;
// What is left of residuals must not matter: beside all expected steps, or the largest cost-to-go.
constexpr double enough = 1e-12;
constexpr double enough_for_steps = 0.5;
// What rounding leaves of residuals, beside the largest sum of sizes of what is added up.
constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();
// Sweeps that give each number of visits digits of its own, however small it is beside others.
constexpr int most_sweeps = 20;
constexpr double enough_digits = 1e-12;

}  // namespace

LargeComponent::LargeComponent(Matrix i_minus_p, Monitor& monitor)
    : rows_(std::move(i_minus_p)), monitor_(monitor) {
  rows_.makeCompressed();
}

bool LargeComponent::visits(std::vector<double>& b) {
  if (!find_steps()) return false;
  const Vector right = Eigen::Map<const Vector>(b.data(), rows_.rows());
  const Matrix columns = rows_.transpose();
  const double all_steps = right.dot(steps_);
  Vector x = Vector::Zero(rows_.rows());
  const auto is_enough = [&](const Vector& r) {
    return r.cwiseAbs().dot(steps_) <= enough * all_steps || is_rounding(columns, right, x, r);
  };
  Solver solver;
  if (!factorize(columns, solver) || !refine(columns, solver, right, x, is_enough)) return false;
  x = x.cwiseMax(0.0);
  sweep_to_and_fro(columns, right, x);
  if (!is_enough(residual(columns, right, x))) return false;
  b.assign(x.begin(), x.end());
  return true;
}

bool LargeComponent::values(std::vector<double>& d) {
  if (!find_steps()) return false;
  const Vector right = Eigen::Map<const Vector>(d.data(), rows_.rows());
  Vector x = Vector::Zero(rows_.rows());
  const double most_steps = steps_.maxCoeff();
  const auto is_enough = [&](const Vector& r) {
    return r.cwiseAbs().maxCoeff() * most_steps <= enough * x.maxCoeff() ||
           is_rounding(rows_, right, x, r);
  };
  if (right.maxCoeff() > 0 && !refine(rows_, solver_of_rows_, right, x, is_enough)) return false;
  x = x.cwiseMax(0.0);
  d.assign(x.begin(), x.end());
  return true;
}

bool LargeComponent::find_steps() {
  if (steps_.size() > 0) return true;
  const Vector ones = Vector::Ones(rows_.rows());
  Vector x = Vector::Zero(rows_.rows());
  const auto is_enough = [&](const Vector& r) {
    return r.cwiseAbs().maxCoeff() <= enough_for_steps && x.minCoeff() >= 0;
  };
  if (!factorize(rows_, solver_of_rows_) || !refine(rows_, solver_of_rows_, ones, x, is_enough))
    return false;
  steps_ = 2 * x;
  return true;
}

bool LargeComponent::factorize(const Matrix& matrix, Solver& solver) {
  solver.preconditioner().setDroptol(drop);
  solver.preconditioner().setFillfactor(fill);
  solver.setMaxIterations(iterations_between_looks);
  solver.setTolerance(reduction);
  solver.compute(matrix);
  return solver.info() == Eigen::Success;
}

template <class IsEnough>
bool LargeComponent::refine(const Matrix& matrix, Solver& solver, const Vector& b, Vector& x,
                            const IsEnough& is_enough) const {
  Vector r = residual(matrix, b, x);
  double size = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most_corrections; ++k) {
    if (!r.allFinite()) return false;
    if (is_enough(r)) return true;
    if (!(r.norm() < size)) return false;
    size = r.norm();
    // Not from zero: directions are judged by how they go with the first residual, which had better not
    // be a single state.
    Vector correction = solver.preconditioner().solve(r);
    for (int i = 0; i < most_iterations; i += iterations_between_looks) {
      monitor_.check();
      const Vector better = solver.solveWithGuess(r, correction);
      if (!better.allFinite()) break;
      correction = better;
      if (solver.info() != Eigen::NoConvergence) break;
    }
    x += correction;
    r = residual(matrix, b, x);
  }
  return false;
}

LargeComponent::Vector LargeComponent::residual(const Matrix& matrix, const Vector& b,
                                                const Vector& x) {
  Vector result(b.size());
  for (Eigen::Index i = 0; i < b.size(); ++i) {
    long double left = b[i];
    for (Matrix::InnerIterator entry(matrix, i); entry; ++entry)
      left -= static_cast<long double>(entry.value()) * x[entry.col()];
    result[i] = static_cast<double>(left);
  }
  return result;
}

bool LargeComponent::is_rounding(const Matrix& matrix, const Vector& b, const Vector& x,
                                 const Vector& r) {
  double largest = 0;
  for (Eigen::Index i = 0; i < b.size(); ++i) {
    double size = std::abs(b[i]);
    for (Matrix::InnerIterator entry(matrix, i); entry; ++entry)
      size += std::abs(entry.value() * x[entry.col()]);
    largest = std::max(largest, size);
  }
  return r.cwiseAbs().maxCoeff() <= rounding * largest;
}

/// Gauss-Seidel. Nothing is subtracted, so that each sum has as many digits as what it is made of.
void LargeComponent::sweep_to_and_fro(const Matrix& columns, const Vector& b, Vector& x) {
  double change = 0;
  const auto renew = [&](Eigen::Index i) {
    double sum = b[i];
    double diagonal = 1;
    for (Matrix::InnerIterator entry(columns, i); entry; ++entry) {
      if (entry.col() == i)
        diagonal = entry.value();
      else
        sum -= entry.value() * x[entry.col()];
    }
    sum /= diagonal;
    if (sum > 0) change = std::max(change, std::abs(sum - x[i]) / sum);
    x[i] = sum;
  };
  for (int k = 0; k < most_sweeps; ++k) {
    change = 0;
    for (Eigen::Index i = 0; i < b.size(); ++i)
      renew(i);
    for (Eigen::Index i = b.size(); i-- > 0;)
      renew(i);
    if (change <= enough_digits) return;
  }
}

}  // namespace carl::policy
