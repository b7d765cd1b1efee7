// CARL with any oracle: the outer search, and the answer certified by what the oracle says. What
// looks into a graph (linear programs over all states, heuristics) is left to carl_algorithm.cc.
#ifndef CARL_CSSP_ORACLE_SOLUTION_H
#define CARL_CSSP_ORACLE_SOLUTION_H

#include "carl/solve.h"
#include "cssp/lagrangian.h"
#include "oracle/checkpointed_oracle.h"

namespace carl::cssp {

/// For options that are valid. The policy is that of the oracle's mix(), which may be too large to be
/// handed out: then there are costs and no states.
Solution solve_by_oracle(Lagrangian& lagrangian, const SolveOptions& options);

/// Notes in the solution what a checkpoint has spared, and what is not in it.
void tell_of(const oracle::CheckpointedOracle& record, Solution& solution);

}  // namespace carl::cssp

#endif
