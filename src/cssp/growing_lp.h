// The occupation-measure LP of the states that have been expanded, and of their fringe. As in
// occupation_lp.h column y(s,a) counts how often s is left by a; a state of the fringe has one
// column of its own, its *exit*, by which flow leaves the LP. What an exit costs, or where its flow
// goes on, is what i-dual and i²-dual differ in:
//
//   min Σ y C0 + Σ exit·c0   s.t.  out(s) + exit(s) - in(s) = [s = s0],   Σ y Ci + Σ exit·ci ≤ ui
//
// The LP grows without being rebuilt. A new fringe state adds a row and its exit; when it is
// expanded, the exit is closed and the columns of its actions are added. The basis grows with it:
// the new exits are basic and the greedy action takes the place of the closed one, so that the
// basis always is a policy on all states of the LP and the simplex has little to repair.
//
// Primary costs and cost rows are scaled: the tolerances of the solver are absolute.
#ifndef CARL_CSSP_GROWING_LP_H
#define CARL_CSSP_GROWING_LP_H

#include <utility>
#include <vector>

#include "graph/search_graph.h"
#include "lp/linear_program.h"

namespace carl::cssp {

class GrowingLp {
 public:
  /// Entries of a column in rows that add_row() returned.
  using Entries = std::vector<std::pair<std::size_t, double>>;
  struct Exit {
    std::vector<double> costs;  // one per cost of the problem
    Entries entries;
  };

  explicit GrowingLp(const graph::SearchGraph& graph);

  /// A row, and columns that have entries in such rows and costs, but belong to no state.
  std::size_t add_row(double lower, double upper) { return lp_.add_row(lower, upper); }
  std::size_t add_column(std::span<const double> costs, const Entries& entries);

  bool contains(StateId s) const { return s.index() < row_of_.size() && row_of_[s.index()] >= 0; }
  void add_fringe_state(StateId s, const Exit& exit);
  /// Closes the exit of a state that has just been expanded and adds its pairs, except those that
  /// lead to states which are neither goals nor in the LP. Returns the greedy one, invalid if none
  /// was added.
  graph::PairId replace_exit(StateId s);
  /// Forbids a pair from now on. Returns false if it has no column or has been forbidden before.
  bool bar(graph::PairId pair);

  /// Primal simplex from the last basis. If that ends with an optimum, it replaces all that the
  /// functions below tell.
  lp::Status solve(Monitor& monitor, const std::function<void(std::size_t)>& observe);
  /// Instead: how far are the bounds from feasible? min Σ z s.t. Σ y Ci - ui·zi ≤ ui. Afterwards
  /// the objective is Σ z, and the duals are those of this LP.
  lp::Status solve_relaxed(Monitor& monitor);
  /// After a policy has turned out to cost more than the bounds allow, by rounding: from now on the
  /// LP keeps a margin of twice what was too much.
  void tighten_bounds(std::span<const double> costs);
  /// From now on the bounds do not count.
  void lift_bounds();

  double objective() const { return objective_; }
  /// Flow by each pair of the graph; pairs that are new since then are missing at the end.
  const std::vector<double>& flow() const { return flow_; }
  /// Duals of the flow rows, a cost-to-go per state; zero for states not in the LP.
  const std::vector<double>& values() const { return value_; }
  /// Duals of the cost rows: one multiplier per constraint, not negative.
  const std::vector<double>& multipliers() const { return multipliers_; }
  double dual(std::size_t row) const { return row < dual_.size() ? dual_[row] : 0.0; }
  /// What to do in an expanded state without flow: a basic pair, or else the greedy one. Invalid if
  /// all pairs are barred.
  graph::PairId choice(StateId s) const;

  std::size_t iterations() const { return lp_.iterations(); }
  std::size_t solves() const { return solves_; }

 private:
  static constexpr std::uint32_t no_column = ~std::uint32_t{0};

  std::size_t add_collected_column(std::span<const double> costs);
  bool add_pair(graph::PairId pair);
  double q_value(graph::PairId pair) const;
  bool usable(graph::PairId pair) const;
  void give_hints();
  void learn_solution(double scale);
  void learn_flow();
  void keep_in_range();
  void set_scaled_objective();
  lp::Status solve_from_scratch(Monitor& monitor);

  const graph::SearchGraph& graph_;
  lp::LinearProgram lp_;
  double primary_scale_ = 1;
  std::vector<double> row_scale_;         // of the cost rows, which come first
  std::vector<double> upper_;             // of the cost rows, unscaled
  std::vector<double> primary_cost_;      // of each column
  std::vector<graph::PairId> pair_of_;    // column -> pair, invalid if it is none
  std::vector<std::uint32_t> column_of_;  // pair -> column
  std::vector<bool> barred_;              // by pair
  std::vector<int> row_of_;               // state -> flow row, -1 if none
  std::vector<std::uint32_t> exit_of_;    // state -> its exit's column
  // Since the last solve: states that are new, and states expanded with their greedy pairs.
  std::vector<StateId> new_states_;
  std::vector<std::pair<StateId, graph::PairId>> replaced_;
  std::vector<int> rows_;  // of the column under construction
  std::vector<double> coefficients_;
  std::size_t solves_ = 0;
  // What the last optimum was, in the problem's own units.
  double objective_ = 0;
  std::vector<double> flow_;
  std::vector<double> value_;
  std::vector<double> dual_;
  std::vector<double> multipliers_;
  std::vector<double> weights_;  // [1 λ]
};

}  // namespace carl::cssp

#endif
