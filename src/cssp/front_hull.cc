#include "cssp/front_hull.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cssp/mixture_master.h"
#include "lp/linear_program.h"

namespace carl::cssp {
namespace {

constexpr double negligible_weight = 1e-12;
// By how much a mixture may exceed a bound: half of what a policy may, the rest is for rounding.
constexpr double tolerance = 0.5e-9;

void clean(std::vector<double>& mixture) {
  double sum = 0;
  for (double& weight : mixture) {
    if (weight < negligible_weight) weight = 0;
    sum += weight;
  }
  for (double& weight : mixture)
    weight /= sum;
}

double mixed(const std::vector<FrontPoint>& points, const std::vector<double>& mixture,
             std::vector<double> FrontPoint::*part, std::size_t i) {
  double sum = 0;
  for (std::size_t k = 0; k < points.size(); ++k)
    if (mixture[k] > 0) sum += mixture[k] * (points[k].*part)[i];
  return sum;
}

bool meets_bounds(const std::vector<FrontPoint>& points, const std::vector<double>& mixture) {
  for (std::size_t b = 0; b < points.front().violations.size(); ++b)
    if (mixed(points, mixture, &FrontPoint::violations, b) > tolerance) return false;
  return true;
}

class DistanceLp {
 public:
  DistanceLp(const std::vector<FrontPoint>& points, std::span<const double> v,
             std::optional<std::size_t> except)
      : num_costs_(v.size()), num_bounds_(points.front().violations.size()) {
    lp_.take_numbers_as_they_are();
    for (std::size_t i = 0; i < num_costs_ + num_bounds_; ++i)
      lp_.add_row(-lp::infinity, 0.0);
    lp_.add_row(1.0, 1.0);
    std::vector<int> rows(num_costs_ + num_bounds_ + 1);
    std::iota(rows.begin(), rows.end(), 0);
    for (std::size_t k = 0; k < points.size(); ++k) {
      // Seen from v: what is close to it is what counts.
      std::vector<double> column = points[k].costs;
      for (std::size_t i = 0; i < num_costs_; ++i)
        column[i] -= v[i];
      column.insert(column.end(), points[k].violations.begin(), points[k].violations.end());
      column.push_back(1.0);
      lp_.add_column(0.0, 0.0, except == k ? 0.0 : lp::infinity, rows, column);
    }
    const std::vector<double> minus_one(num_costs_, -1.0);
    lp_.add_column(1.0, 0.0, lp::infinity, std::span(rows).first(num_costs_), minus_one);
  }

  bool solve() {
    Monitor unlimited;  // a handful of rows
    return lp_.solve(lp::Method::primal_simplex, unlimited) == lp::Status::optimal;
  }

  FrontDistance answer() const {
    FrontDistance found;
    found.mixture.assign(lp_.values().begin(), lp_.values().end() - 1);
    clean(found.mixture);
    double sum = 0;
    for (std::size_t i = 0; i < num_costs_; ++i)
      sum += found.weights.emplace_back(std::max(0.0, -lp_.duals()[i]));
    if (sum < 0.5) {
      found.weights.clear();
      return found;
    }
    for (double& weight : found.weights)
      weight /= sum;
    for (std::size_t b = 0; b < num_bounds_; ++b)
      found.multipliers.push_back(std::max(0.0, -lp_.duals()[num_costs_ + b]) / sum);
    return found;
  }

 private:
  std::size_t num_costs_;
  std::size_t num_bounds_;
  lp::LinearProgram lp_;
};

}  // namespace

std::optional<FrontDistance> distance_below(const std::vector<FrontPoint>& points,
                                            std::span<const double> v,
                                            std::optional<std::size_t> except) {
  if (points.size() < (except ? 2U : 1U)) return std::nullopt;
  DistanceLp lp(points, v, except);
  if (!lp.solve()) return std::nullopt;
  FrontDistance found = lp.answer();
  if (!meets_bounds(points, found.mixture)) return std::nullopt;
  // The solver has its tolerances; this is what the mixture really attains.
  for (std::size_t i = 0; i < v.size(); ++i)
    found.distance =
        std::max(found.distance, mixed(points, found.mixture, &FrontPoint::costs, i) - v[i]);
  return found;
}

std::optional<FrontDistance> best_mixture(const std::vector<FrontPoint>& points,
                                          std::span<const double> weights) {
  std::vector<ScaledCut> cuts;
  for (const FrontPoint& point : points)
    cuts.push_back({std::inner_product(weights.begin(), weights.end(), point.costs.begin(), 0.0),
                    point.violations});
  const MasterSolution master =
      solve_master(cuts, std::vector<double>(points.front().violations.size(), tolerance));
  if (!master.feasible) return std::nullopt;
  return FrontDistance{0, master.mixture, {weights.begin(), weights.end()}, master.multipliers};
}

}  // namespace carl::cssp
