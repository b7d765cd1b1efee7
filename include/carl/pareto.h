// All trade-offs between some of the costs at once. What policies can cost, seen in these costs
// alone, is a convex set; its lower boundary is the front: a policy is on it if no other (and no
// mixture of others) costs less in one respect and no more in the rest. The front is given by its
// vertices, each with a policy that attains it. In between are mixtures: toss a coin at the start
// and follow the one or the other.
//
// Two costs: the exact front, every vertex of it. More: as many vertices as it takes to be close to
// all of it. In both cases lower lines prove how close.
#ifndef CARL_PARETO_H
#define CARL_PARETO_H

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carl/cssp.h"
#include "carl/monitor.h"
#include "carl/solution.h"
#include "carl/solve.h"

namespace carl {

struct ParetoRequest {
  /// Two or more costs of the problem, which need not include the primary one.
  std::vector<std::string> costs;
  /// The distance to stop at, see ParetoFront::distance. Not given: 1e-3, and for two costs none:
  /// the front is exact.
  std::optional<double> gap;
  /// Hand out the policies of the vertices.
  bool policies = true;
};

struct ParetoVertex {
  std::vector<double> costs;  // exact, all costs of the problem
  /// Deterministic, unless bounds on other costs ask for a coin.
  bool deterministic = true;
  Policy policy;
};

/// weights · C ≥ least, in the costs of the front, for every policy that meets the bounds.
struct ParetoLine {
  std::vector<double> weights;
  double least = 0;
};

struct ParetoFront {
  /// optimal: to the distance that was asked for. If a limit was reached it is the front so far.
  Status status = Status::limit;
  std::vector<std::size_t> costs;  // those asked for, by their number in the problem
  /// By the first of these costs, ascending.
  std::vector<ParetoVertex> vertices;
  /// Two vertices each, between which every mixture is on the front; of two and three costs only.
  std::vector<std::pair<std::size_t, std::size_t>> edges;
  /// The same of three vertices or more, in no order; of three costs only.
  std::vector<std::vector<std::size_t>> faces;
  /// What proves that there is nothing below the front.
  std::vector<ParetoLine> lines;
  /// No policy that meets the bounds is below the front (some point of it, in all its costs at
  /// once) by more than this share of `scale`. None if there are no vertices.
  std::optional<double> distance;
  /// For each of these costs: how much it varies between the policies that are best in one of them,
  /// or a thousandth of its largest value if that is more.
  std::vector<double> scale;
  /// Bounds of the problem on the costs of the front: they do not count.
  std::vector<Bound> lifted;
  /// If no policy meets the other bounds: why.
  std::optional<Infeasibility> infeasibility;
  Statistics statistics;
  std::string note;
};

/// Bounds on the costs of the front are lifted (a front shows all their values), those on other
/// costs count. SolveOptions: `algorithm`, `outer` and `gap` do not apply. Throws InputError as
/// solve() does, OptionError for costs that are no trade-off, and LimitReached if a limit is reached
/// before anything is known.
ParetoFront pareto(Cssp& cssp, const ParetoRequest& request, const SolveOptions& options,
                   Monitor& monitor);

}  // namespace carl

#endif
