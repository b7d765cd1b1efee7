// What cover_all_states() does, with a say in how.
#ifndef CARL_CSSP_COVER_STATES_H
#define CARL_CSSP_COVER_STATES_H

#include <cstddef>

#include "carl/cover.h"

namespace carl::cssp {

/// Up to so many states policy iteration, whose values are exact; beyond, value iteration is first
/// choice.
Coverage cover(Cssp& cssp, const Solution& solution, std::size_t threads,
               std::size_t most_by_policy_iteration, Monitor& monitor);

}  // namespace carl::cssp

#endif
