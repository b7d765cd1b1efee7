// The entrance to the library: a CSSP in, a Solution out.
#ifndef CARL_SOLVE_H
#define CARL_SOLVE_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "carl/checkpoint.h"
#include "carl/cssp.h"
#include "carl/monitor.h"
#include "carl/options.h"
#include "carl/solution.h"

namespace carl {

/// Each algorithm takes what it has a use for. Only what cannot be is an error, see solve().
struct SolveOptions {
  Algorithm algorithm = Algorithm::carl;
  CarlOptions carl;
  SearchOptions search;
  DualOptions dual;
  /// For what can be done in parallel: expanding all states of a factored problem, and Dijkstra's
  /// algorithm for each cost. Results do not depend on it. 0: one for each processor.
  std::size_t threads = 1;
  /// For algorithms that sample.
  std::uint64_t seed = 0;
  /// Only policies that toss no coin count: one action in each state. That is NP-hard, so a solve may
  /// be ended at any time and has a policy and a lower bound by then: see Solution::branching. With
  /// CARL's default outer search, or an algorithm for problems without bounds, whose policies are
  /// deterministic anyway.
  bool deterministic = false;
  /// Relative gap within which a policy counts as optimal.
  double gap = 1e-4;
  /// Hand out the policies of the mixture too, not only their weights and costs.
  bool mixture_policies = false;
  /// Keep what is learnt, for CARL's default outer search.
  CheckpointOptions checkpoint = {};
  /// If there is no solution, work out what could be done about it: Solution::repair and dead_end.
  bool explain = true;
};

/// Throws InputError for a problem that is not a CSSP (zero-cost loops), and OptionError for numbers
/// out of range and choices that do not go together or do not fit this problem; a limit is a status,
/// not an exception.
Solution solve(Cssp& cssp, const SolveOptions& options, Monitor& monitor);

}  // namespace carl

#endif
