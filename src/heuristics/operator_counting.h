// Heuristics that are linear programs over expected action counts (Trevizan, Thiébaux & Haslum,
// 2017): one LP per task whose right-hand sides alone depend on the state. This file keeps the LP,
// moves it from state to state and turns its solution into a safe estimate; roc.cc and pom.cc say
// which rows and columns it has.
//
// All have Y_a ≥ 0, the expected number of uses of action a, G_k ≥ 0, the probability of ending by
// the k-th alternative of the goal, and, if giving up is possible, G ≥ 0, the probability of that,
// with Σ G_k + G = 1. (Capping an estimate made without G would not be admissible: giving up in one
// branch in ten costs a tenth of the penalty.)
//
// F. Trevizan, S. Thiébaux and P. Haslum, "Occupation measure heuristics for probabilistic
// planning", ICAPS 2017.
#ifndef CARL_HEURISTICS_OPERATOR_COUNTING_H
#define CARL_HEURISTICS_OPERATOR_COUNTING_H

#include <optional>
#include <utility>
#include <vector>

#include "heuristics/estimator.h"
#include "lp/linear_program.h"
#include "task/task.h"

namespace carl::heuristics {

/// Rows A x ≥ b and columns under construction. Equalities are two rows' worth of trouble only for
/// the solver: kept as one row with both bounds.
struct OperatorCountingLp {
  struct Row {
    double constant = 0;  // b, plus …
    bool equality = false;
    std::uint32_t fact_variable = 0;  // … `when_fact` if the state has this fact
    std::uint32_t fact_value = 0;
    double when_fact = 0;

    double right_hand_side(std::span<const std::uint32_t> state) const {
      const bool has = when_fact != 0 && state[fact_variable] == fact_value;
      return constant + (has ? when_fact : 0.0);
    }
    /// The upper bound that goes with a right-hand side.
    double upper(double right_hand_side) const {
      if (equality) return right_hand_side;
      return lp::infinity;
    }
  };
  struct Column {
    std::vector<std::pair<std::uint32_t, double>> entries;  // rows are distinct
  };

  std::uint32_t add_row(const Row& row) {
    rows.push_back(row);
    return static_cast<std::uint32_t>(rows.size() - 1);
  }
  std::uint32_t add_column() {
    columns.emplace_back();
    return static_cast<std::uint32_t>(columns.size() - 1);
  }
  /// Adds to an entry: the same row may come up more than once for one column.
  void add(std::uint32_t column, std::uint32_t row, double coefficient);

  std::vector<Row> rows;
  std::vector<Column> columns;
  std::vector<std::uint32_t> action_of;         // columns 0 … are the Y of these actions
  std::optional<std::uint32_t> give_up_column;  // G
};

/// What these programs are made for: which actions may be used, and whether giving up is possible.
struct OperatorCountingRules {
  std::vector<bool> allowed;  // per action
  bool give_up = false;
};

/// Scalar costs of all columns, from those of the task's actions and of giving up.
std::vector<double> column_costs(const OperatorCountingLp& lp, std::span<const double> action_costs,
                                 double give_up_cost);
/// Adds the columns to an LP that has the rows already.
void add_columns(const OperatorCountingLp& description, std::span<const double> costs,
                 lp::LinearProgram& lp);

/// Turns the solver's duals into ones that are feasible for the given column costs, whatever was
/// rounded, so that Σ dual·b(s) is a lower bound for every state s.
void make_dual_feasible(const OperatorCountingLp& lp, std::span<const double> costs,
                        std::vector<double>& duals);

/// The common part: Y of all allowed actions, G_k, G, and Σ G_k + G = 1. Returns the column of G_0;
/// the others follow.
std::uint32_t add_common_part(const task::Task& task, const OperatorCountingRules& rules,
                              OperatorCountingLp& lp);

/// Net change: for every fact f, Σ_a Y_a·(expected change of f by a) - Σ_k G_k·[k needs f] ≥ -[s
/// has f].
OperatorCountingLp roc_lp(const task::Task& task, const OperatorCountingRules& rules);
/// Projections: for every variable a flow of occupation measures that agrees with Y.
OperatorCountingLp pom_lp(const task::Task& task, const OperatorCountingRules& rules);

class OperatorCounting final : public Estimator {
 public:
  explicit OperatorCounting(OperatorCountingLp description);

  void set_costs(std::span<const double> action_costs, double give_up_cost) override;
  double estimate(std::span<const std::uint32_t> state, std::vector<ActionUse>& uses) override;
  std::size_t lp_solves() const override { return solves_; }

 private:
  void move_to(std::span<const std::uint32_t> state);
  double safe_bound(std::span<const std::uint32_t> state);

  OperatorCountingLp description_;
  lp::LinearProgram lp_;
  std::vector<double> costs_;                                 // per column
  std::vector<std::vector<std::uint32_t>> rows_of_variable_;  // whose right-hand side it decides
  std::vector<std::uint32_t> state_;                          // that the right-hand sides are for
  std::vector<double> duals_;
  std::size_t solves_ = 0;
};

}  // namespace carl::heuristics

#endif
