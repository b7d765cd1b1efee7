// From the problem as it is to the rows that equations are solved on: what the initial state can
// reach, without what bounds of zero forbid and without states from which no policy reaches the goal
// for certain, in parts along the distance to the goal.
#ifndef CARL_CLUSTER_PREPARED_ROWS_H
#define CARL_CLUSTER_PREPARED_ROWS_H

#include <optional>
#include <vector>

#include "carl/cssp.h"
#include "carl/solve.h"
#include "cluster/homes.h"
#include "cluster/rows.h"
#include "cluster/watch.h"

namespace carl::cluster {

/// Rows of the whole problem, no matter what its bounds forbid.
struct ProblemRows {
  Rows rows;
  GlobalId initial = goal_id;  // if that is where runs begin
  Homes::Kind homes = Homes::Kind::everywhere;
};

/// PPDDL tasks and PRISM programs are expanded by all ranks together, of models in shares each rank has
/// its own; other problems every rank expands as a whole, and keeps its part. Throws LimitReached, InputError.
ProblemRows read_rows(Cssp& cssp, const SolveOptions& options, const Ranks& ranks, Watch& watch);

struct PreparedRows {
  enum class Outcome { ready, no_proper_policy, zero_cost_loop };

  Outcome outcome = Outcome::ready;
  Rows rows;
  GlobalId initial = goal_id;
};

/// Without pairs that have any of the costs forbidden. If they are ready the problem's own are gone.
/// Throws LimitReached, on all ranks, as the next does.
PreparedRows prepare(ProblemRows& problem, const std::vector<std::size_t>& forbidden,
                     const Ranks& ranks, Watch& watch);
/// Whether there is anything to prepare, zero-cost loops aside.
bool has_proper_policy(const ProblemRows& problem, const std::vector<std::size_t>& forbidden,
                       const Ranks& ranks, Watch& watch);

}  // namespace carl::cluster

#endif
