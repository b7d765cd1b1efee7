#include "cssp/mixture_master.h"

#include <algorithm>
#include <cmath>

#include "cssp/exact_master.h"
#include "lp/linear_program.h"

namespace carl::cssp {
namespace {

// Scaled violations that rounding explains, and those that it cannot explain.
constexpr double rounding = 1e-13;
constexpr double clearly_infeasible = 1e-6;
// The solver's tolerances, absolute ones, are made for numbers around 1.
constexpr double largest_entry = 1e5;

class MasterLp {
 public:
  MasterLp(const std::vector<ScaledCut>& cuts, bool relaxed)
      : n_(cuts.front().g.size()), num_cuts_(cuts.size()) {
    lp_.take_numbers_as_they_are();
    for (std::size_t i = 0; i < n_; ++i)
      lp_.add_row(-lp::infinity, 0.0);
    lp_.add_row(1.0, 1.0);
    std::vector<int> rows;
    for (std::size_t i = 0; i <= n_; ++i)
      rows.push_back(static_cast<int>(i));
    for (const ScaledCut& cut : cuts) {
      std::vector<double> column = cut.g;
      column.push_back(1.0);
      lp_.add_column(relaxed ? 0.0 : cut.f, 0.0, lp::infinity, rows, column);
    }
    const double minus_one = -1.0;
    for (int i = 0; relaxed && i < static_cast<int>(n_); ++i)
      lp_.add_column(1.0, 0.0, lp::infinity, {&i, 1}, {&minus_one, 1});
  }

  bool solve() {
    Monitor unlimited;  // a handful of rows
    return lp_.solve(lp::Method::primal_simplex, unlimited) == lp::Status::optimal;
  }
  double objective() const { return lp_.objective(); }
  std::vector<double> mixture() const {
    std::vector<double> weights(lp_.values().begin(),
                                lp_.values().begin() + static_cast<std::ptrdiff_t>(num_cuts_));
    double sum = 0;
    for (double& weight : weights) {
      if (weight < 1e-12) weight = 0;
      sum += weight;
    }
    for (double& weight : weights)
      weight /= sum;
    return weights;
  }
  /// Raising the right-hand side of a ≤ row can only help, so duals are at most 0.
  std::vector<double> multipliers() const {
    std::vector<double> result;
    for (std::size_t i = 0; i < n_; ++i)
      result.push_back(std::max(0.0, -lp_.duals()[i]));
    return result;
  }

 private:
  std::size_t n_;
  std::size_t num_cuts_;
  lp::LinearProgram lp_;
};

}  // namespace

namespace {

/// By how much the mixture exceeds the bounds in the worst case.
double excess_of(const std::vector<ScaledCut>& cuts, const std::vector<double>& mixture) {
  double worst = 0;
  for (std::size_t i = 0; i < cuts.front().g.size(); ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < cuts.size(); ++k)
      sum += mixture[k] * cuts[k].g[i];
    worst = std::max(worst, sum);
  }
  return worst;
}

/// False if doubles leave a doubt.
bool solve_in_doubles(const std::vector<ScaledCut>& cuts, MasterSolution& solution) {
  for (const ScaledCut& cut : cuts)
    for (const double g : cut.g)
      if (std::abs(g) > largest_entry) return false;
  MasterLp phase_1(cuts, true);
  if (!phase_1.solve()) return false;
  solution.infeasibility = phase_1.objective();
  solution.feasible = solution.infeasibility <= rounding;
  if (!solution.feasible) {
    solution.multipliers = phase_1.multipliers();
    return solution.infeasibility > clearly_infeasible;
  }
  MasterLp phase_2(cuts, false);
  if (!phase_2.solve()) return false;
  solution.objective = phase_2.objective();
  solution.mixture = phase_2.mixture();
  solution.multipliers = phase_2.multipliers();
  return excess_of(cuts, solution.mixture) <= rounding;
}

}  // namespace

MasterSolution solve_master(const std::vector<ScaledCut>& cuts,
                            const std::vector<double>& tolerance) {
  MasterSolution solution;
  if (solve_in_doubles(cuts, solution)) return solution;
  return solve_master_exactly(cuts, tolerance);
}

}  // namespace carl::cssp
