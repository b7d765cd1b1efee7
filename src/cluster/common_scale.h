// The scale of costs where no rank has all actions: medians of what all ranks know together. A solve
// counts costs in units that follow from it, and so do checkpoints, so that it must be the same
// number on any number of ranks, and that of the model as a whole.
#ifndef CARL_CLUSTER_COMMON_SCALE_H
#define CARL_CLUSTER_COMMON_SCALE_H

#include <vector>

#include "carl/cssp.h"
#include "cluster/ranks.h"

namespace carl::cluster {

/// Collective: cost_scale() of the whole problem, on all ranks. Throws what expanding states throws.
std::vector<double> common_cost_scale(Cssp& cssp, const Ranks& ranks);

}  // namespace carl::cluster

#endif
