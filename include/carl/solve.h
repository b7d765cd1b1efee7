// The door of the library: a CSSP in, a Solution out.
#ifndef CARL_SOLVE_H
#define CARL_SOLVE_H

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "carl/cssp.h"
#include "carl/limits.h"
#include "carl/solution.h"

namespace carl {

/// What a solve is at, for a live progress line.
struct Progress {
  std::string phase;
  std::size_t states = 0;
  std::size_t iterations = 0;
  std::optional<double> lower_bound;
  std::optional<double> upper_bound;
  std::vector<double> multipliers;  // one per constraint: where a λ search is looking
};

struct SolveOptions {
  /// "auto": what promises to be the fastest; "carl": scalarisation; "i-dual", "i2-dual": heuristic
  /// search in the space of occupation measures; "lp": the occupation-measure LP over all reachable
  /// states; "cg-ilao", "cg-ilao-paper", "ilao", "lrtdp", "vi": for problems without bounds.
  std::string algorithm = "carl";
  /// How CARL looks for multipliers: "bundle", cutting planes over policies, or "coordinate", as in
  /// the paper.
  std::string outer = "bundle";
  /// What CARL solves scalarised problems with: "cg-ilao" (incremental), "cg-ilao-paper" (plain),
  /// "ilao", "lrtdp", "vi". Empty: "vi" for problems that are in memory as a whole or prove to be
  /// small, "cg-ilao" for others.
  std::string inner;
  /// "landmarks", "lmcut", "roc", "pom", "hmax" (factored problems), "dijkstra", "zero". Empty:
  /// "hmax" for heuristic search, replaced by "landmarks" where these say much more ("dijkstra" if
  /// the problem is not factored), "zero" for value iteration, "lmcut" for i-dual, "pom" for
  /// i2-dual.
  std::string heuristic;
  /// "lambda": computed for the scalarised costs; "ideal-point": one bound per cost; "c-roc": one
  /// bound per cost by ROC under the problem's bounds, for i-dual, which may lose optimality.
  /// Empty: "lambda", or "ideal-point" for i-dual.
  std::string heuristic_mode;
  /// Largest Bellman residual at which a search stops at first; tightened until the gap is met. In
  /// units of the primary cost. If not given, 1e-4 of what an action typically costs.
  std::optional<double> epsilon;
  /// Coordinate search ends when no coordinate improves L(λ) by more than this. Likewise.
  std::optional<double> eta;
  /// The dual methods end after so many expanded states; 0: they do not.
  std::size_t max_expanded = 0;
  /// For what can be done in parallel: expanding all states of a factored problem, and Dijkstra's
  /// algorithm for each cost. Results do not depend on it. 0: one for each processor.
  std::size_t threads = 1;
  /// For algorithms that sample.
  std::uint64_t seed = 0;
  /// Relative gap within which a policy counts as optimal.
  double gap = 1e-4;
  /// Hand out the policies of the mixture too, not only their weights and costs.
  bool mixture_policies = false;
  /// If there is no solution, work out what could be done about it: Solution::repair and dead_end.
  bool explain = true;
  /// Called often; throttling is the caller's business.
  std::function<void(const Progress&)> progress;
};

/// Throws InputError for a problem that is not a CSSP (zero-cost loops) or unknown options; a limit
/// is a status, not an exception.
Solution solve(Cssp& cssp, const SolveOptions& options, Limits& limits);

/// The names that SolveOptions accepts.
const std::vector<std::string>& algorithm_names();
const std::vector<std::string>& outer_names();
const std::vector<std::string>& inner_names();
const std::vector<std::string>& heuristic_names();
const std::vector<std::string>& heuristic_mode_names();

}  // namespace carl

#endif
