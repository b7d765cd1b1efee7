// The front of some costs, in the units in which the Cssp counts.
#ifndef CARL_CSSP_FRONT_H
#define CARL_CSSP_FRONT_H

#include "carl/pareto.h"
#include "cssp/scalarisation.h"

namespace carl::cssp {

/// The costs by number. Throws OptionError for less than two of them, or one that is given twice or
/// not known.
std::vector<std::size_t> front_costs(const Cssp& cssp, const ParetoRequest& request);

/// What a front takes is CARL, to the precision that this front asks for.
SolveOptions for_front(SolveOptions options, const ParetoRequest& request);

/// With options from for_front(), no bound on any of `costs`.
ParetoFront run_front(Cssp& cssp, Scalarisation& scalarisation, std::vector<std::size_t> costs,
                      const ParetoRequest& request, const SolveOptions& options, Monitor& monitor);

}  // namespace carl::cssp

#endif
