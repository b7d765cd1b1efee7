// What a scalarised problem says of all policies, whatever the bounds are: a line in the space of
// costs that none is below. From such lines come all lower bounds of solutions.
#ifndef CARL_CSSP_LOWER_LINE_H
#define CARL_CSSP_LOWER_LINE_H

#include <optional>
#include <span>
#include <vector>

#include "carl/monitor.h"
#include "carl/solution.h"
#include "graph/search_graph.h"

namespace carl::cssp {

/// C0(π) + λ·C(π) ≥ `least` for every proper policy π: for any bounds u a lower bound on the
/// optimum, least - λ·u.
struct LowerLine {
  std::vector<double> multipliers;  // λ, one per cost; zero where there was no constraint
  double least = 0;
};

/// Which policies a line was proved for: those that use no action that these bounds of zero forbid,
/// and pay these penalties for giving up. It holds for fewer policies, and for higher penalties.
struct LineConditions {
  explicit LineConditions(const Cssp& cssp);
  /// True if what was proved under these conditions holds for the problem as it is.
  bool cover(const Cssp& cssp) const;

  std::vector<std::size_t> zero_costs;
  std::vector<double> penalties;  // infinite: no giving up
};

/// The line of these multipliers, one per constraint, from values for [1 λ]·C as ssp::sound_lower_bound() asks for.
LowerLine lower_line(const graph::SearchGraph& graph, std::span<const double> multipliers,
                     std::vector<double> values, Monitor& monitor);
/// False if costs that are not bounded count in it: then it says nothing of the optimum.
bool is_about(const Cssp& cssp, const LowerLine& line);
/// What a line says of all policies that meet the bounds; it must be about them. With the costs of a policy that exceeds
/// some of them by a little: of all that exceed none by more than it does, so of itself too.
double lower_bound(const Cssp& cssp, const LowerLine& line,
                   const std::optional<std::vector<double>>& costs = std::nullopt);
/// Fills in lower bound and multipliers by the line that says most of the solution's policy, if it
/// has one already, and of all others that are as feasible. The one place where a lower bound gets
/// into a solution.
void set_lower_bound(const Cssp& cssp, std::span<const LowerLine> lines, Solution& solution);

}  // namespace carl::cssp

#endif
