// What the search over thresholds of CVaR shares with make_problem().
#ifndef CARL_SOLVER_MAKE_PROBLEM_H
#define CARL_SOLVER_MAKE_PROBLEM_H

#include "carl/guarantees.h"

namespace carl::solver {

/// CVaR as a bound on the expected excess over a threshold.
Guarantee at_threshold(const Guarantee& cvar, double threshold);

}  // namespace carl::solver

#endif
