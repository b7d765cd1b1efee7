// Sweeps over bounds, in the units in which the Cssp counts.
#ifndef CARL_CSSP_SWEEP_H
#define CARL_CSSP_SWEEP_H

#include <optional>

#include "carl/sweep.h"
#include "cssp/scalarisation.h"

namespace carl::cssp {

/// What a sweep does is CARL, whatever else the options ask for, to a gap much smaller than theirs.
SolveOptions for_sweep(SolveOptions options);

/// With options from for_sweep(). Points within `asked_gap` count as optimal.
Sweep run_sweep(Cssp& cssp, Scalarisation& scalarisation, const SweepRange& range,
                const std::optional<SweepRange>& second, double asked_gap,
                const SolveOptions& options, Monitor& monitor);

}  // namespace carl::cssp

#endif
