// The occupation-measure LP of a CSSP (LP 1 of the paper) over a fully expanded graph. Column
// y(s,a) counts how often s is left by a; one unit of flow enters at s0 and all of it must reach a
// goal:
//
//   min Σ y C0   s.t.  out(s) - in(s) = [s = s0] for every non-goal s,   Σ y Ci ≤ ui,   y ≥ 0
//
// Only states from which a proper policy exists have rows, and only pairs that stay among them have
// columns; the sink row of the paper follows from the others and is left out.
//
// E. Altman, "Constrained Markov Decision Processes", Chapman and Hall, 1999.
#ifndef CARL_CSSP_OCCUPATION_LP_H
#define CARL_CSSP_OCCUPATION_LP_H

#include <ostream>
#include <vector>

#include "graph/proper_region.h"
#include "graph/search_graph.h"
#include "lp/linear_program.h"

namespace carl::cssp {

class OccupationLp {
 public:
  enum class Kind {
    optimise,  // as above
    relax      // min Σ z  s.t. Σ y Ci - ui·zi ≤ ui: how far the bounds are from feasible
  };

  /// If `columns` are given, one entry per pair, only pairs of which it says true have one.
  /// `objective` is the number of the cost that is minimised.
  OccupationLp(const graph::SearchGraph& graph, const graph::ProperRegion& region, Kind kind,
               const std::vector<bool>* columns = nullptr, std::size_t objective = 0);

  /// Memory that it takes at least.
  static std::size_t bytes_needed(const graph::SearchGraph& graph,
                                  const graph::ProperRegion& region);

  /// A deterministic policy, given for all states of the region, as the basis to start from.
  void start_from(const std::vector<graph::PairId>& pair_of_state);
  lp::Status solve(Monitor& monitor, const std::function<void(std::size_t)>& observe = {}) {
    return lp_.solve(lp::Method::dual_simplex, monitor, observe);
  }

  /// Another bound of a constraint from now on.
  void set_upper(std::size_t constraint, double upper);

  /// Flow by each pair of the graph.
  std::vector<double> flow() const;
  /// Duals of the flow rows: a cost-to-go per state, zero at goals, infinite outside the region.
  std::vector<double> values() const;
  /// Duals of the cost rows, clipped to be non-negative: one multiplier per constraint.
  std::vector<double> multipliers() const;
  double objective() const { return lp_.objective(); }
  std::size_t iterations() const { return lp_.iterations(); }

 private:
  const graph::SearchGraph& graph_;
  const graph::ProperRegion& region_;
  lp::LinearProgram lp_;
  std::vector<int> row_of_;             // state -> flow row, -1 if none
  std::vector<graph::PairId> pair_of_;  // column -> pair
  std::vector<std::size_t> column_of_;  // pair -> column
  std::size_t first_cost_row_ = 0;
  std::vector<double> row_scale_;  // of the cost rows: tolerances of the solver are absolute
};

/// Writes the LP in the CPLEX LP format, which every solver reads.
void write_occupation_lp(const graph::SearchGraph& graph, const graph::ProperRegion& region,
                         std::ostream& out);

}  // namespace carl::cssp

#endif
