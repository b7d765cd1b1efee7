// What solving a CSSP by scalarisation has learnt of it: the graph, values and policies of the
// oracle, and the cuts and lower lines of L(λ). It serves one problem after the other as long as
// they differ in bounds, penalties, gap and limits only.
#ifndef CARL_CSSP_SCALARISATION_H
#define CARL_CSSP_SCALARISATION_H

#include <memory>
#include <utility>

#include "carl/solve.h"
#include "cssp/lagrangian.h"
#include "oracle/search_oracle.h"

namespace carl::cssp {

struct Scalarisation {
  Scalarisation(Cssp& cssp, const SolveOptions& options, Monitor& monitor)
      : oracle(cssp, options, monitor), lagrangian(cssp, oracle) {}
  /// With a graph that may be expanded already.
  Scalarisation(std::unique_ptr<graph::SearchGraph> graph, const SolveOptions& options,
                Monitor& monitor)
      : oracle(std::move(graph), options, monitor), lagrangian(oracle.cssp(), oracle) {}
  /// A solve begins, perhaps with other bounds or penalties. Throws LimitReached.
  void begin(const SolveOptions& options, Monitor& monitor) {
    oracle.begin(options, monitor);
    lagrangian.problem_changed();
  }

  Scalarisation(const Scalarisation&) = delete;
  Scalarisation& operator=(const Scalarisation&) = delete;

  oracle::SearchOracle oracle;
  Lagrangian lagrangian;
};

}  // namespace carl::cssp

#endif
