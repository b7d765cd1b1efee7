#include "ssp/krylov_evaluation.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "ssp/krylov.h"

namespace carl::ssp {
namespace {

// Costs-to-go are that exact at least (residuals in units of b), so that brackets mean something.
constexpr double roughest_values = 1e-3;
// Visits are made as exact as that, relative to the cost of the start, or as they can be.
constexpr double tolerance_of_visits = 1e-13;
// Sweeps that give each number of visits digits of its own, however small it is beside others.
constexpr int most_sweeps = 10;
constexpr std::size_t blocks_of_sweep = 4;  // few, so that news gets far within one
constexpr double enough_digits = 1e-10;
// Secondary costs below this share of what a step may cost, or of one (a typical step, in the units of
// a solve: cssp/cost_units.h), need be no more exact than one of that size: what is next to never paid
// would otherwise keep all the rest from being evaluated.
constexpr double negligible = 1e-12;
constexpr long double rounding = 0x1.0p-63L;
constexpr long double rounding_of_double = 0x1.0p-53L;

class Evaluator {
 public:
  Evaluator(const Matrix& matrix, std::span<const double> scale, const std::vector<double>& costs,
            std::size_t num_costs, const Threads& threads, const KrylovEvaluationOptions& options)
      : matrix_(matrix),
        costs_(costs),
        num_costs_(num_costs),
        threads_(threads),
        options_(options),
        tolerance_(std::min(options.value_tolerance, roughest_values)),
        scale_at_(scale),
        krylov_(matrix, scale, threads, options.monitor) {}

  std::optional<KrylovEvaluation> evaluate(std::size_t start) {
    if (!krylov_.ok() || !find_super_solution() || !find_values() || !find_visits(start) ||
        !find_costs())
      return std::nullopt;
    return std::move(result_);
  }

 private:
  /// of(row) for all rows, added up.
  template <class Of>
  long double sum_over_rows(const Of& of) const {
    const auto part = [&](std::size_t begin, std::size_t end) {
      long double sum = 0;
      for (std::size_t i = begin; i < end; ++i)
        sum += of(i);
      return sum;
    };
    return threads_.reduce(matrix_.size(), 0.0L, part, std::plus<>());
  }

  std::vector<double> column(std::size_t k) const {
    std::vector<double> result(matrix_.size());
    threads_.for_each(matrix_.size(),
                      [&](std::size_t i) { result[i] = costs_[i * num_costs_ + k]; });
    return result;
  }
  std::vector<double> rough_values(std::size_t k) const {
    std::vector<double> result(matrix_.size(), 0.0);
    if (!options_.rough_values.empty())
      threads_.for_each(matrix_.size(), [&](std::size_t i) {
        result[i] = options_.rough_values[i * num_costs_ + k];
      });
    return result;
  }
  void set_values(std::size_t k, const std::vector<double>& x) {
    threads_.for_each(matrix_.size(), [&](std::size_t i) {
      result_.values[i * num_costs_ + k] = std::max(0.0, x[i]);
    });
  }

  /// B, with unit_ = b.
  bool find_super_solution() {
    unit_ = column(0);
    first_cost_is_unit_ = *std::min_element(unit_.begin(), unit_.end()) > 0;
    if (!first_cost_is_unit_) unit_.assign(matrix_.size(), 1.0);
    super_ = first_cost_is_unit_ && !options_.rough_values.empty()
                 ? rough_values(0)
                 : std::vector<double>(scale_at_.begin(), scale_at_.end());
    eta_of_unit_ = krylov_.solve_rows(unit_, unit_, tolerance_, super_);
    if (!(eta_of_unit_ <= roughest_values)) return false;
    if (first_cost_is_unit_) first_values_ = super_;
    threads_.for_each(super_.size(), [&](std::size_t i) { super_[i] /= 1 - eta_of_unit_; });
    return true;
  }

  bool find_values() {
    result_.values.resize(costs_.size());
    eta_.resize(num_costs_);
    for (std::size_t k = 0; k < num_costs_; ++k) {
      std::vector<double> x = rough_values(k);
      if (k == 0 && first_cost_is_unit_) {
        x = std::move(first_values_);
        eta_[k] = eta_of_unit_;
      } else {
        eta_[k] = krylov_.solve_rows(column(k), unit_, tolerance_, x);
      }
      if (!(eta_[k] <= roughest_values)) return false;
      set_values(k, x);
    }
    return true;
  }

  bool find_visits(std::size_t start) {
    std::vector<double> right(matrix_.size(), 0.0);
    right[start] = 1;
    result_.visits.assign(matrix_.size(), 0.0);
    const Matrix columns = transposed(matrix_);
    krylov_.solve_columns(columns, right, tolerance_of_visits * scale_at_[start], result_.visits);
    threads_.for_each(matrix_.size(), [&](std::size_t i) {
      result_.visits[i] = std::max(result_.visits[i], 0.0);  // no comparison is true of a NaN
    });
    for (int i = 0; i < most_sweeps && sweep(columns, start) > enough_digits; ++i)
      if (options_.monitor != nullptr && options_.monitor->reached_now()) return false;
    residual_.assign(matrix_.size(), 0);
    threads_.for_each(matrix_.size(), [&](std::size_t i) {
      long double sum = right[i];
      long double size = right[i];
      for (std::size_t e = columns.begin(i); e < columns.end(i); ++e) {
        const std::size_t from = columns.column_of(e);
        const long double part =
            (from == i ? columns.diagonal[i] : static_cast<long double>(columns.value[e])) *
            result_.visits[from];
        sum -= part;
        size += std::abs(part);
      }
      const auto roundings = static_cast<double>(columns.end(i) - columns.begin(i) + 2);
      residual_[i] = std::abs(sum) + roundings * rounding * size;
    });
    return true;
  }

  /// Gauss-Seidel, against the order of the values, within blocks that see of each other what was there
  /// before. Returns the largest relative change.
  double sweep(const Matrix& columns, std::size_t start) {
    before_.resize(matrix_.size());
    threads_.for_each(matrix_.size(), [&](std::size_t i) { before_[i] = result_.visits[i]; });
    const auto sweep_block = [&](std::size_t begin, std::size_t end) {
      double change = 0;
      for (std::size_t i = end; i-- > begin;) {
        double sum = i == start ? 1 : 0;
        for (std::size_t e = columns.begin(i); e < columns.end(i); ++e) {
          const std::size_t from = columns.column_of(e);
          if (from == i) continue;
          const bool is_inside = from >= begin && from < end;
          sum -= columns.value[e] * (is_inside ? result_.visits[from] : before_[from]);
        }
        sum /= static_cast<double>(columns.diagonal[i]);
        const double difference = std::abs(sum - before_[i]);
        if (difference > change * sum && sum > 0) change = difference / sum;
        result_.visits[i] = sum;
      }
      return change;
    };
    return threads_.reduce(
        matrix_.size(), 0.0, sweep_block, [](double a, double b) { return std::max(a, b); },
        Threads::num_blocks(matrix_.size(), blocks_of_sweep));
  }

  bool find_costs() {
    for (std::size_t k = 0; k < num_costs_; ++k) {
      const long double cost = sum_over_rows([&](std::size_t i) {
        return static_cast<long double>(result_.visits[i]) * costs_[i * num_costs_ + k];
      });
      const long double widest = options_.widest * std::max(cost, least_that_matters(k));
      long double error = error_of_cost(k, cost);
      if (error > widest && sharpen_values(k, widest)) error = error_of_cost(k, cost);
      if (!(error <= widest)) return false;
      result_.costs.push_back(static_cast<double>((cost + error) * (1 + rounding_of_double)));
      result_.errors.push_back(static_cast<double>(2 * error + 4 * rounding_of_double * cost));
    }
    return true;
  }

  long double least_that_matters(std::size_t k) const {
    if (k == 0) return 0;
    double largest = 0;  // of a step
    for (std::size_t i = 0; i < matrix_.size(); ++i)
      largest = std::max(largest, costs_[i * num_costs_ + k]);
    return negligible * std::min(largest, 1.0);
  }

  long double error_of_cost(std::size_t k, long double cost) const {
    const long double error = sum_over_rows([&](std::size_t i) {
      return residual_[i] * (result_.values[i * num_costs_ + k] + eta_[k] * super_[i]);
    });
    return error + cost * rounding * static_cast<double>(matrix_.size());
  }

  /// A cost that is tiny beside the first one, such as that of something rare, needs costs-to-go that
  /// are exact beside it. False if they are already.
  bool sharpen_values(std::size_t k, long double widest) {
    const long double error_for_eta =
        sum_over_rows([&](std::size_t i) { return residual_[i] * super_[i]; });
    const auto enough = static_cast<double>(widest / (4 * error_for_eta));
    if (!(enough < eta_[k])) return false;
    std::vector<double> x(matrix_.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = result_.values[i * num_costs_ + k];
    eta_[k] = std::min(eta_[k], krylov_.solve_rows(column(k), unit_, enough, x));
    set_values(k, x);
    return true;
  }

  const Matrix& matrix_;
  const std::vector<double>& costs_;
  std::size_t num_costs_;
  const Threads& threads_;
  const KrylovEvaluationOptions& options_;
  double tolerance_;
  std::span<const double> scale_at_;
  Krylov krylov_;
  std::vector<double> unit_;
  bool first_cost_is_unit_ = false;
  std::vector<double> super_;  // B
  std::vector<double> first_values_;
  double eta_of_unit_ = 0;
  std::vector<double> eta_;            // per cost
  std::vector<double> before_;         // visits before the sweep at hand
  std::vector<long double> residual_;  // of visits: sizes, no less than they are
  KrylovEvaluation result_;
};

}  // namespace

std::optional<KrylovEvaluation> evaluate_by_krylov(const Matrix& matrix,
                                                   std::span<const double> scale,
                                                   const std::vector<double>& costs,
                                                   std::size_t num_costs, std::size_t start,
                                                   const Threads& threads,
                                                   const KrylovEvaluationOptions& options) {
  return Evaluator(matrix, scale, costs, num_costs, threads, options).evaluate(start);
}

}  // namespace carl::ssp
