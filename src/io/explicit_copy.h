// Models written out in memory, for the formats of model checkers.
#ifndef CARL_IO_EXPLICIT_COPY_H
#define CARL_IO_EXPLICIT_COPY_H

#include <memory>

#include "carl/cssp.h"
#include "carl/model.h"
#include "carl/monitor.h"
#include "carl/policy.h"

namespace carl::io {

/// Every reachable state of a problem, breadth first, with its labels. Where one may give up, that is
/// an action that leads to a goal of its own, labelled "given-up". Throws LimitReached.
std::shared_ptr<Model> explicit_copy(Cssp& cssp, Monitor& monitor);

/// The Markov chain that a policy makes of it: one action in each state. A state in which one has
/// given up is no goal. Throws InputError if the policy is none of the problem; LimitReached.
std::shared_ptr<Model> induced_chain(Cssp& cssp, const Policy& policy, Monitor& monitor);

}  // namespace carl::io

#endif
