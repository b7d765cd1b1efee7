#include "ssp/gauss_seidel.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

namespace carl::ssp {
namespace {

constexpr double accepted_residual = 1e-9;
// Numbers near underflow have few digits, so no relative residual: those below count as this.
constexpr double least_entry = std::numeric_limits<double>::min() / GaussSeidel::default_tolerance;
// News travels about one step per sweep against the current of the policy, so a wide component
// needs as many sweeps as it is wide before the error starts to fall. Only after half of the sweeps
// its decrease since the first quarter tells whether the other half will do.
constexpr int max_sweeps = 1000;
// The last sweep of a round goes the other way, for what the order has wrong.
constexpr int sweeps_per_round = 5;

/// The iteration on one matrix, for rows or, with the transposed matrix, for columns.
class Iteration {
 public:
  Iteration(const Matrix& matrix, const std::vector<double>& b, std::size_t width, double tolerance,
            Monitor* monitor)
      : matrix_(matrix),
        b_(b),
        width_(width),
        tolerance_(tolerance),
        monitor_(monitor),
        x_(b.size(), 0.0),
        residual_(width) {
    assert(b.size() == matrix.size() * width);
  }

  /// True if the rows could be solved for; what they depend on outside must be final.
  bool solve(std::span<const std::uint32_t> rows, bool forward) {
    if (rows.size() == 1) {
      relax(rows[0]);
      return true;
    }
    double after_a_quarter = 1;
    for (int sweep = 1; sweep <= max_sweeps; ++sweep) {
      const bool back = sweep % sweeps_per_round == 0;
      const double change = back == forward ? sweep_over(rows.rbegin(), rows.rend())
                                            : sweep_over(rows.begin(), rows.end());
      if (change <= tolerance_) return true;
      if (monitor_ != nullptr && monitor_->reached()) return false;
      if (sweep == max_sweeps / 4) after_a_quarter = change;
      if (sweep == max_sweeps / 2 &&
          !(change * std::pow(change / after_a_quarter, 2) <= tolerance_))
        return false;
    }
    return false;
  }

  /// The largest residual relative to its entry, computed more precisely than the iteration does.
  double true_residual() const {
    double largest = 0;
    for (std::size_t row = 0; row < matrix_.size(); ++row)
      for (std::size_t c = 0; c < width_; ++c) {
        long double r = b_[row * width_ + c];
        for (std::size_t e = matrix_.begin(row); e < matrix_.end(row); ++e)
          r -= static_cast<long double>(matrix_.value[e]) * x_[matrix_.column_of(e) * width_ + c];
        largest = std::max(largest, relative(static_cast<double>(r), x_[row * width_ + c]));
      }
    return largest;
  }

  std::vector<double> take() { return std::move(x_); }

 private:
  static double relative(double residual, double entry) {
    return std::abs(residual) / std::max(std::abs(entry), least_entry);
  }

  template <class Row>
  double sweep_over(Row begin, Row end) {
    double change = 0;
    for (Row row = begin; row != end; ++row)
      change = std::max(change, relax(*row));
    return change;
  }

  /// Solves one row for its own entries, and returns their largest relative change. The diagonal is
  /// one, so the change is the residual.
  double relax(std::size_t row) {
    std::copy_n(&b_[row * width_], width_, residual_.begin());
    for (std::size_t e = matrix_.begin(row); e < matrix_.end(row); ++e) {
      const double v = matrix_.value[e];
      const double* other = &x_[matrix_.column_of(e) * width_];
      for (std::size_t c = 0; c < width_; ++c)
        residual_[c] -= v * other[c];
    }
    double* own = &x_[row * width_];
    double change = 0;
    for (std::size_t c = 0; c < width_; ++c) {
      own[c] += residual_[c];
      change = std::max(change, relative(residual_[c], own[c]));
    }
    return change;
  }

  const Matrix& matrix_;
  const std::vector<double>& b_;
  std::size_t width_;
  double tolerance_;
  Monitor* monitor_;
  std::vector<double> x_;
  std::vector<double> residual_;  // of the row at hand
};

std::optional<std::vector<double>> checked(Iteration& iteration, double tolerance) {
  if (!(iteration.true_residual() <= std::max(tolerance, accepted_residual))) return std::nullopt;
  return iteration.take();
}

}  // namespace

GaussSeidel::GaussSeidel(const Matrix& matrix)
    : matrix_(matrix), components_(components_of(matrix)) {}

std::size_t GaussSeidel::largest_component() const {
  std::size_t largest = 0;
  for (std::size_t c = 0; c < components_.num_components(); ++c)
    largest = std::max(largest, components_[c].size());
  return largest;
}

std::optional<std::vector<double>> GaussSeidel::solve_rows(const std::vector<double>& b,
                                                           std::size_t width, double tolerance,
                                                           Monitor* monitor) const {
  Iteration iteration(matrix_, b, width, tolerance, monitor);
  for (std::size_t c = 0; c < components_.num_components(); ++c)
    if (!iteration.solve(components_[c], true)) return std::nullopt;
  return checked(iteration, tolerance);
}

std::optional<std::vector<double>> GaussSeidel::solve_columns(const std::vector<double>& b,
                                                              std::size_t width,
                                                              Monitor* monitor) const {
  const Matrix columns = transposed(matrix_);
  Iteration iteration(columns, b, width, default_tolerance, monitor);
  for (std::size_t c = components_.num_components(); c-- > 0;)
    if (!iteration.solve(components_[c], false)) return std::nullopt;
  return checked(iteration, default_tolerance);
}

}  // namespace carl::ssp
