#include "cssp/mixture_master.h"

#include <algorithm>

#include "lp/linear_program.h"

namespace carl::cssp {
namespace {

// Violations of scaled bounds below this are rounding.
constexpr double least_infeasibility = 1e-11;

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
    Limits unlimited;  // a handful of rows
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

MasterSolution solve_master(const std::vector<ScaledCut>& cuts) {
  MasterSolution solution;
  MasterLp phase_1(cuts, true);
  if (!phase_1.solve()) {
    solution.failed = true;
    return solution;
  }
  solution.infeasibility = phase_1.objective();
  solution.feasible = solution.infeasibility <= least_infeasibility;
  if (!solution.feasible) {
    solution.multipliers = phase_1.multipliers();
    return solution;
  }
  MasterLp phase_2(cuts, false);
  if (!phase_2.solve()) {
    solution.feasible = false;
    solution.failed = true;
    return solution;
  }
  solution.objective = phase_2.objective();
  solution.mixture = phase_2.mixture();
  solution.multipliers = phase_2.multipliers();
  return solution;
}

}  // namespace carl::cssp
