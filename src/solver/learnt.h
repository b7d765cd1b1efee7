// What has been learnt of a problem, and how solves use it: the part that Solver and the short forms
// solve(), sweep() and pareto() share.
#ifndef CARL_SOLVER_LEARNT_H
#define CARL_SOLVER_LEARNT_H

#include <memory>
#include <optional>
#include <vector>

#include "carl/pareto.h"
#include "carl/solve.h"
#include "carl/sweep.h"
#include "cssp/scalarisation.h"

namespace carl::solver {

struct Learnt {
  std::vector<double> units;  // in which costs are counted, see cssp/cost_units.h
  std::unique_ptr<cssp::Scalarisation> scalarisation;
};

/// `cssp` is always the same object for one Learnt.
Solution solve(Cssp& cssp, Learnt& learnt, const SolveOptions& options, Monitor& monitor);
Sweep sweep(Cssp& cssp, Learnt& learnt, const SweepRange& range,
            const std::optional<SweepRange>& second, const SolveOptions& options, Monitor& monitor);
ParetoFront pareto(Cssp& cssp, Learnt& learnt, const ParetoRequest& request,
                   const SolveOptions& options, Monitor& monitor);

}  // namespace carl::solver

#endif
