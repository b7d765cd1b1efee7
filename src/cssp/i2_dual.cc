// i²-dual. Instead of evaluating a heuristic at every fringe
// state, the LP contains one: the projections of POM, whose sources are the flow that reaches the
// fringe. All fringe states share them, and the bounds hold for expanded and projected actions
// together, which is what a heuristic state by state cannot do.
//
// POM is an LP in x with rows A x ≥ b(s), where only b depends on the state. With the flow e(s)
// that leaves by the exit of s, the rows become
//
//     A x - Σ_s b(s)·e(s) ≥ 0,
//
// so an exit costs nothing and has the entries -b(s). The same works for ROC.
//
// The duals w of these rows say what a fringe state is worth: w·b(s), an admissible value. h-max
// tells the dead ends.
//
// F. Trevizan, S. Thiébaux and P. Haslum, "Occupation measure heuristics for probabilistic
// planning", ICAPS 2017.

#include "cssp/algorithms.h"
#include "cssp/dual_method.h"
#include "heuristics/task_heuristics.h"
#include "oracle/strategy.h"

namespace carl::cssp {
namespace {

class I2Dual final : public DualMethod {
 public:
  I2Dual(HeuristicKind heuristic, Cssp& cssp, const SolveOptions& options, Monitor& monitor)
      : DualMethod(Algorithm::i2_dual, heuristic, cssp, options, monitor),
        context_(cssp),
        dead_ends_(context_.relaxed) {
    const task::Task& task = context_.model.task();
    projections_ = heuristic == HeuristicKind::roc ? heuristics::roc_lp(task, context_.rules)
                                                   : heuristics::pom_lp(task, context_.rules);
    add_rows();
    add_columns();
  }

 private:
  void add_rows() {
    for (const task::Variable& variable : context_.model.task().variables)
      rows_of_fact_.emplace_back(variable.values.size());
    for (std::uint32_t i = 0; i < projections_.rows.size(); ++i) {
      const auto& row = projections_.rows[i];
      row_.push_back(lp_.add_row(0.0, row.upper(0.0)));
      if (row.constant != 0) constant_rows_.push_back(i);
      if (row.when_fact != 0) rows_of_fact_[row.fact_variable][row.fact_value].push_back(i);
    }
  }

  void add_columns() {
    const std::vector<double> nothing(cssp_.num_costs(), 0.0);
    GrowingLp::Entries entries;
    for (std::size_t j = 0; j < projections_.columns.size(); ++j) {
      entries.clear();
      for (const auto& [row, coefficient] : projections_.columns[j].entries)
        entries.emplace_back(row_[row], coefficient);
      const bool is_action = j < projections_.action_of.size();
      const bool gives_up = projections_.give_up_column == j;
      lp_.add_column(is_action  ? cssp_.cost(ActionId(projections_.action_of[j]))
                     : gives_up ? cssp_.cost(Cssp::give_up_action)
                                : std::span<const double>(nothing),
                     entries);
    }
  }

  bool evaluate(StateId s, GrowingLp::Exit& exit) override {
    ++evaluations_;
    context_.model.values(s, values_);
    if (dead_ends_.is_dead_end(values_)) return false;
    for_each_source([&](std::uint32_t row, double b) { exit.entries.emplace_back(row_[row], -b); });
    return true;
  }

  void bound_fringe(std::span<const double> weights, std::vector<double>& values) override {
    std::vector<double> duals;
    for (const std::size_t row : row_)
      duals.push_back(lp_.dual(row));
    heuristics::make_dual_feasible(
        projections_,
        heuristics::column_costs(projections_,
                                 heuristics::scalar_costs(cssp_, context_.model, weights),
                                 heuristics::give_up_cost(cssp_, weights)),
        duals);
    for_each_fringe_state([&](StateId s) {
      context_.model.values(s, values_);
      double bound = 0;
      for_each_source([&](std::uint32_t row, double b) { bound += duals[row] * b; });
      values[s.index()] = std::max(0.0, bound);
    });
  }

  /// The rows whose right-hand side is not zero in the state of values_.
  template <class Visit>
  void for_each_source(Visit visit) const {
    for (const std::uint32_t i : constant_rows_)
      visit(i, projections_.rows[i].right_hand_side(values_));
    for (std::size_t v = 0; v < values_.size(); ++v)
      for (const std::uint32_t i : rows_of_fact_[v][values_[v]])
        if (projections_.rows[i].constant == 0)
          visit(i, projections_.rows[i].right_hand_side(values_));
  }

  void record(Statistics& statistics) const override { statistics.evaluated = evaluations_; }

  heuristics::TaskContext context_;
  heuristics::DeadEndDetector dead_ends_;
  heuristics::OperatorCountingLp projections_;
  std::vector<std::size_t> row_;              // of the LP, for each row of the projections
  std::vector<std::uint32_t> constant_rows_;  // whose right-hand side is never zero
  std::vector<std::vector<std::vector<std::uint32_t>>> rows_of_fact_;  // by variable and value
  std::vector<std::uint32_t> values_;  // of the variables, in the state looked at
  std::size_t evaluations_ = 0;
};

}  // namespace

Solution solve_i2_dual(Cssp& cssp, const SolveOptions& options, Monitor& monitor) {
  const HeuristicKind heuristic = oracle::heuristic_of_i2_dual(options.search);
  return with_help_of_carl(I2Dual(heuristic, cssp, options, monitor).run(), cssp, options, monitor);
}

}  // namespace carl::cssp
