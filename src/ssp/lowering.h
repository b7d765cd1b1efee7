// Lowering values until they are a sub-solution of the Bellman equations: V ← min(V, Q), rounded
// down, along the pairs that are violated. Sweeps do that where errors are few or far from each
// other. Where everything is tight, as the exact values of an optimal policy are up to rounding, a
// sweep lowers by a rounding error what the next one has to lower again, and on a component that
// policies leave once in 10^5 steps that goes on for as many sweeps. There the greatest values
// below those at hand that satisfy all inequalities are computed at once, component by component,
// as a stopping problem (see stopping_problem.h).
#ifndef CARL_SSP_LOWERING_H
#define CARL_SSP_LOWERING_H

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "carl/monitor.h"
#include "graph/zero_cost_loops.h"
#include "ssp/graph_names.h"
#include "ssp/inequalities.h"
#include "ssp/stopping_problem.h"
#include "util/strongly_connected.h"

namespace carl::ssp {

/// `inequalities` are about `value`, which is what gets lowered. Node v is the v-th state from the
/// end: where pairs do not say otherwise, a sweep should go from late states to early ones, since
/// most successors were found after their parents.
class Lowering {
 public:
  Lowering(const SearchGraph& graph, std::span<const double> weights,
           const Inequalities& inequalities, std::vector<double>& value, Monitor& monitor);

  /// Lowers to Q on all pairs, once, and on free pairs until none is violated.
  /// Returns whether anything changed.
  bool sweep();
  /// Lowers until no pair is violated, in every component for which that can be computed.
  void settle_everything();

 private:
  enum class Pairs { all, free };
  using Nodes = std::span<const std::uint32_t>;
  static constexpr std::uint32_t none = graph::CollapsedLoops::none;
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  StateId state(std::uint32_t node) const { return StateId(value_.size() - 1 - node); }
  bool counts(StateId s) const { return value_[s.index()] > 0 && value_[s.index()] != infinity; }
  bool is_one_of(PairId p, Pairs pairs) const {
    return pairs == Pairs::all || inequalities_.is_free(p);
  }

  ComponentMembers components(Pairs pairs) const;
  double limit(PairId p) const;
  bool lower(Nodes nodes, Pairs pairs);
  double least_limit(StateId s, Pairs pairs) const;
  bool lower_to(StateId s, double limit);
  bool lower_loop(const graph::ZeroCostLoop& loop, Pairs pairs);

  bool settle_by_sweeps(Nodes nodes, Pairs pairs);
  bool compute(Nodes nodes, Pairs pairs);
  bool can_be_factorized(Nodes nodes) const;
  void solve_as_stopping_problem(Nodes nodes, Pairs pairs, double margin);
  void add_ways(StateId s, std::uint32_t own, Pairs pairs, StoppingProblem& problem);
  void add_term(double probability, std::uint32_t to);
  void level(Nodes nodes);

  const SearchGraph& graph_;
  const Inequalities& inequalities_;
  std::vector<double>& value_;
  Monitor& monitor_;
  ComponentMembers free_components_;
  graph::CollapsedLoops loops_;
  std::vector<std::uint32_t> unknown_;  // per state: its number in the stopping problem at hand
  std::vector<StoppingProblem::Term> terms_;
  std::size_t factorized_left_;
};

}  // namespace carl::ssp

#endif
