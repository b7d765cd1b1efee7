// What solving a CSSP by scalarisation has learnt of it: the graph, values and policies of the
// oracle, and the cuts and lower lines of L(λ). It serves one problem after the other as long as
// they differ in bounds, penalties, gap and limits only.
#ifndef CARL_CSSP_SCALARISATION_H
#define CARL_CSSP_SCALARISATION_H

#include <memory>
#include <utility>

#include "carl/solve.h"
#include "cssp/lagrangian.h"
#include "oracle/checkpointed_oracle.h"
#include "oracle/search_oracle.h"

namespace carl::cssp {

struct Scalarisation {
  Scalarisation(Cssp& cssp, const SolveOptions& options, Monitor& monitor)
      : oracle(cssp, options, monitor), record(make_record(options)), lagrangian(cssp, asked()) {}
  /// With a graph that may be expanded already.
  Scalarisation(std::unique_ptr<graph::SearchGraph> graph, const SolveOptions& options,
                Monitor& monitor)
      : oracle(std::move(graph), options, monitor),
        record(make_record(options)),
        lagrangian(oracle.cssp(), asked()) {}
  /// A solve begins, perhaps with other bounds or penalties. Throws LimitReached.
  void begin(const SolveOptions& options, Monitor& monitor) {
    oracle.begin(options, monitor);
    lagrangian.problem_changed();
  }

  Scalarisation(const Scalarisation&) = delete;
  Scalarisation& operator=(const Scalarisation&) = delete;

  oracle::SearchOracle oracle;
  /// Between the oracle and who asks it, where there are checkpoints. Then it serves one problem.
  std::unique_ptr<oracle::CheckpointedOracle> record;
  Lagrangian lagrangian;

 private:
  std::unique_ptr<oracle::CheckpointedOracle> make_record(const SolveOptions& options) {
    if (!options.checkpoint.enabled()) return nullptr;
    return std::make_unique<oracle::CheckpointedOracle>(oracle, oracle, oracle.cssp(),
                                                        options.checkpoint);
  }
  oracle::Oracle& asked() {
    if (record) return *record;
    return oracle;
  }
};

}  // namespace carl::cssp

#endif
