// Models that are hard in doubles.
#ifndef CARL_TESTS_CLUSTER_ILL_CONDITIONED_H
#define CARL_TESTS_CLUSTER_ILL_CONDITIONED_H

#include "support/random_model.h"

namespace carl::testing {

/// Wide costs, tiny probabilities, loops that are hardly ever left: what equations are hard for.
inline RandomModelOptions ill_conditioned(std::uint64_t seed) {
  RandomModelOptions options;
  options.states = 5 + seed % 30;
  options.dead_ends = seed % 2 == 0 ? DeadEnds::avoidable : DeadEnds::none;
  options.near_loops = seed % 3 == 0;
  options.tiny_probabilities = seed % 3 == 1;
  options.many_free_actions = seed % 3 == 2;
  options.wide_costs = seed % 5 == 0;
  return options;
}

}  // namespace carl::testing

#endif
