// From the weights that the outer search gives its cuts to a mixture of policies.
#ifndef CARL_CSSP_MIXTURE_OF_CUTS_H
#define CARL_CSSP_MIXTURE_OF_CUTS_H

#include <vector>

#include "carl/solution.h"
#include "cssp/lagrangian.h"

namespace carl::cssp {

/// Without the parts that only rounding errors ask for: those of next to no weight without which the
/// rest still meets the bounds and costs the same. One weight per cut, here and in the following.
std::vector<double> pruned(const Lagrangian& lagrangian, const std::vector<double>& mixture);
/// One weight per policy of the oracle.
std::vector<double> per_policy(const Lagrangian& lagrangian, const std::vector<double>& mixture);
/// Heaviest first; with their policies if they are asked for.
std::vector<MixtureComponent> components_of(const Lagrangian& lagrangian,
                                            const std::vector<double>& mixture, bool with_policies);

}  // namespace carl::cssp

#endif
