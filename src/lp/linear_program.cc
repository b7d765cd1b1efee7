#include "lp/linear_program.h"

#include <ClpEventHandler.hpp>
#include <ClpSimplex.hpp>
#include <algorithm>
#include <vector>

namespace carl::lp {
namespace {

/// Ends a solve when a limit is reached, and tells how far it is.
class Watch final : public ClpEventHandler {
 public:
  Watch(Monitor* monitor, const std::function<void(std::size_t)>* observe)
      : monitor_(monitor), observe_(observe) {}
  int event(Event which) override {
    if (which == endOfFactorization && *observe_)
      (*observe_)(static_cast<std::size_t>(model_->numberIterations()));
    if (which == endOfIteration || which == endOfFactorization)
      return monitor_->reached_now() ? 5 : -1;  // 5: the code for "stopped by event handler"
    return -1;
  }
  ClpEventHandler* clone() const override { return new Watch(*this); }

 private:
  Monitor* monitor_;
  const std::function<void(std::size_t)>* observe_;
};

// An entry of the matrix is an index and a number; Clp has the matrix by columns and, while it
// solves, by rows and scaled. A row or a column has bounds, value, reduced cost and more, twice.
constexpr std::size_t entry_bytes = sizeof(int) + sizeof(double);
constexpr std::size_t copies = 3;
constexpr std::size_t row_or_column_bytes = 16 * sizeof(double);

double clp_bound(double value) {
  return value == infinity ? COIN_DBL_MAX : value == -infinity ? -COIN_DBL_MAX : value;
}

Status status_of(int clp_status) {
  switch (clp_status) {
    case 0:
      return Status::optimal;
    case 1:
      return Status::infeasible;
    case 2:
      return Status::unbounded;
    default:
      return Status::failed;
  }
}

}  // namespace

struct LinearProgram::Implementation {
  /// Hands the collected rows and columns to the solver.
  void flush() {
    if (!row_lower.empty())
      model.addRows(static_cast<int>(row_lower.size()), row_lower.data(), row_upper.data(), nullptr,
                    nullptr, nullptr);
    if (!objective.empty()) {
      starts.push_back(static_cast<int>(rows.size()));
      model.addColumns(static_cast<int>(objective.size()), column_lower.data(), column_upper.data(),
                       objective.data(), starts.data(), rows.data(), coefficients.data());
    }
    // Assigned, not cleared: the memory of a large program is needed elsewhere.
    for (auto* numbers :
         {&row_lower, &row_upper, &objective, &column_lower, &column_upper, &coefficients})
      *numbers = {};
    starts = {};
    rows = {};
  }

  /// Whether a solve fits into memory, beside what the program has taken so far.
  bool has_room(Monitor& monitor) {
    const std::size_t needed =
        bytes_needed(static_cast<std::size_t>(model.numberRows()) + row_lower.size(),
                     static_cast<std::size_t>(model.numberColumns()) + objective.size(), entries);
    const std::size_t taken = std::max(bytes_of_last_solve, entry_bytes * entries);
    bytes_of_last_solve = needed;
    return monitor.has_room_for(needed - std::min(needed, taken));
  }

  ClpSimplex model;
  std::size_t iterations = 0;
  std::size_t entries = 0;  // of the matrix
  std::size_t bytes_of_last_solve = 0;
  // Rows and columns that the solver has not been given yet.
  std::vector<double> row_lower, row_upper;
  std::vector<double> objective, column_lower, column_upper;
  std::vector<CoinBigIndex> starts;
  std::vector<int> rows;
  std::vector<double> coefficients;
};

LinearProgram::LinearProgram() : implementation_(std::make_unique<Implementation>()) {
  implementation_->model.setLogLevel(0);
  implementation_->model.setPrimalTolerance(1e-9);
  implementation_->model.setDualTolerance(1e-9);
}
LinearProgram::~LinearProgram() = default;
LinearProgram::LinearProgram(LinearProgram&&) noexcept = default;
LinearProgram& LinearProgram::operator=(LinearProgram&&) noexcept = default;

std::size_t LinearProgram::add_row(double lower, double upper) {
  implementation_->row_lower.push_back(clp_bound(lower));
  implementation_->row_upper.push_back(clp_bound(upper));
  return num_rows() - 1;
}

std::size_t LinearProgram::add_column(double objective, double lower, double upper,
                                      std::span<const int> rows,
                                      std::span<const double> coefficients) {
  Implementation& lp = *implementation_;
  lp.objective.push_back(objective);
  lp.column_lower.push_back(clp_bound(lower));
  lp.column_upper.push_back(clp_bound(upper));
  lp.starts.push_back(static_cast<CoinBigIndex>(lp.rows.size()));
  lp.entries += rows.size();
  lp.rows.insert(lp.rows.end(), rows.begin(), rows.end());
  lp.coefficients.insert(lp.coefficients.end(), coefficients.begin(), coefficients.end());
  return num_columns() - 1;
}

std::size_t LinearProgram::num_rows() const {
  return static_cast<std::size_t>(implementation_->model.numberRows()) +
         implementation_->row_lower.size();
}

std::size_t LinearProgram::num_columns() const {
  return static_cast<std::size_t>(implementation_->model.numberColumns()) +
         implementation_->objective.size();
}

void LinearProgram::start_basis() {
  implementation_->flush();
  implementation_->model.createStatus();
}

void LinearProgram::make_column_basic(std::size_t column) {
  implementation_->model.setColumnStatus(static_cast<int>(column), ClpSimplex::basic);
}

void LinearProgram::make_column_nonbasic(std::size_t column) {
  implementation_->model.setColumnStatus(static_cast<int>(column), ClpSimplex::atLowerBound);
}

bool LinearProgram::is_basic(std::size_t column) const {
  return implementation_->model.getColumnStatus(static_cast<int>(column)) == ClpSimplex::basic;
}

void LinearProgram::flush() {
  implementation_->flush();
}

void LinearProgram::make_row_nonbasic(std::size_t row) {
  implementation_->model.setRowStatus(static_cast<int>(row), ClpSimplex::atLowerBound);
}

Status LinearProgram::solve(Method method, Monitor& monitor,
                            const std::function<void(std::size_t)>& observe) {
  if (monitor.reached_now() || !implementation_->has_room(monitor)) return Status::limit;
  implementation_->flush();
  ClpSimplex& model = implementation_->model;
  Watch handler(&monitor, &observe);
  model.passInEventHandler(&handler);
  const auto run = [&](Method m) {
    if (m == Method::dual_simplex)
      model.dual();
    else
      model.primal();
    implementation_->iterations += static_cast<std::size_t>(model.numberIterations());
  };
  run(method);
  // Secondary status 2: optimal in scaled terms only. The other simplex repairs that from here.
  if (model.status() == 0 && model.secondaryStatus() == 2) {
    model.scaling(0);
    run(Method::primal_simplex);
  }
  if (monitor.reached_now()) return Status::limit;
  return status_of(model.status());
}

std::size_t LinearProgram::bytes_needed(std::size_t rows, std::size_t columns,
                                        std::size_t entries) {
  return copies * entry_bytes * entries + row_or_column_bytes * (rows + columns);
}

void LinearProgram::take_numbers_as_they_are() {
  implementation_->model.scaling(0);
  implementation_->model.setPerturbation(100);
}

void LinearProgram::prepare_to_resolve() {
  implementation_->flush();
  ClpSimplex& model = implementation_->model;
  model.scaling(0);
  model.setPerturbation(100);
  model.setPrimalTolerance(1e-7);
  model.setDualTolerance(1e-7);
  // 128: the matrix is known to be sound; 2048: keep the factorization over few pivots.
  model.setSpecialOptions(model.specialOptions() | 128 | 2048);
}

void LinearProgram::set_row_bounds(std::size_t row, double lower, double upper) {
  implementation_->model.setRowBounds(static_cast<int>(row), clp_bound(lower), clp_bound(upper));
}

void LinearProgram::set_column_bounds(std::size_t column, double lower, double upper) {
  implementation_->model.setColumnBounds(static_cast<int>(column), clp_bound(lower),
                                         clp_bound(upper));
}

void LinearProgram::set_objective(std::size_t column, double objective) {
  implementation_->model.setObjectiveCoefficient(static_cast<int>(column), objective);
}

Status LinearProgram::resolve() {
  ClpSimplex& model = implementation_->model;
  model.dual(0, 7);
  implementation_->iterations += static_cast<std::size_t>(model.numberIterations());
  if (model.status() != 0) {
    // Kept state can mislead; a verdict other than "optimal" is checked from scratch.
    model.allSlackBasis(true);
    model.dual(0, 0);
    implementation_->iterations += static_cast<std::size_t>(model.numberIterations());
  }
  return status_of(model.status());
}

double LinearProgram::objective() const {
  return implementation_->model.objectiveValue();
}

std::span<const double> LinearProgram::values() const {
  return {implementation_->model.primalColumnSolution(), num_columns()};
}

std::span<const double> LinearProgram::duals() const {
  return {implementation_->model.dualRowSolution(), num_rows()};
}

std::size_t LinearProgram::iterations() const {
  return implementation_->iterations;
}

}  // namespace carl::lp
