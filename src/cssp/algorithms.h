// The algorithms behind solve(), for options that are valid (see validate.h). Each fills in
// everything of the Solution but the total time.
#ifndef CARL_CSSP_ALGORITHMS_H
#define CARL_CSSP_ALGORITHMS_H

#include <memory>

#include "carl/solve.h"
#include "cssp/scalarisation.h"

namespace carl::cssp {

/// The note of answers that were found with C-ROC.
inline constexpr const char* c_roc_warning =
    "C-ROC may lose optimality; only the bounds shown are certified";

/// Scalarisation: the paper's CARL, and our outer search. What is known already is the start.
Solution solve_carl(Cssp& cssp, Scalarisation& scalarisation, const SolveOptions& options,
                    Monitor& monitor);

/// The options with a gap that makes sense where policies toss no coin: differences below it are
/// ties. For what is known as well as for the following.
SolveOptions for_branching(SolveOptions options);
/// The best policy that tosses no coin: CARL's answer, and branching on its coin tosses.
Solution solve_deterministic(Cssp& cssp, Scalarisation& scalarisation, const SolveOptions& options,
                             Monitor& monitor);

/// The occupation-measure LP over all reachable states.
Solution solve_lp(Cssp& cssp, const SolveOptions& options, Monitor& monitor);

/// The same without help from the other where rounding errors are in the way.
Solution solve_carl_alone(Cssp& cssp, const SolveOptions& options, Monitor& monitor);
Solution solve_lp_alone(Cssp& cssp, const SolveOptions& options, Monitor& monitor);

/// CARL's default, for the others where rounding errors are in their way.
Solution with_help_of_carl(Solution solution, Cssp& cssp, const SolveOptions& options,
                           Monitor& monitor);

/// Heuristic search in the space of occupation measures: an LP that grows, with terminal costs at
/// its fringe.
Solution solve_i_dual(Cssp& cssp, const SolveOptions& options, Monitor& monitor);

/// The same, with the projections of the heuristic built into the LP. For factored problems.
Solution solve_i2_dual(Cssp& cssp, const SolveOptions& options, Monitor& monitor);

/// Whichever of the above promises to be the fastest; what is known already, if anything, is the
/// start, and what CARL has learnt is left there.
Solution solve_auto(Cssp& cssp, std::unique_ptr<Scalarisation>& known, const SolveOptions& options,
                    Monitor& monitor);

/// One of the algorithms for SSPs, named in the options, on a problem without bounds.
Solution solve_ssp(Cssp& cssp, const SolveOptions& options, Monitor& monitor);

}  // namespace carl::cssp

#endif
