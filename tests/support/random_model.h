// Random explicit models, small and nasty: the same seed and options give the same model on every
// machine. A proper policy exists by construction (unless dead ends are asked to be unavoidable):
// the first action of every state avoids dead ends and leads with some probability to a state
// further on. Bounds are chosen by solving the model for single and for summed costs, so that their
// kind is what it says.
#ifndef CARL_TESTS_SUPPORT_RANDOM_MODEL_H
#define CARL_TESTS_SUPPORT_RANDOM_MODEL_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "model/explicit_model.h"

namespace carl::testing {

enum class BoundsKind {
  none,
  slack,          // the cheapest policy meets them with room to spare
  tight,          // met by a mixture of two policies, rarely by the cheapest one
  zero,           // the first secondary cost must not be incurred at all; may be infeasible
  contradictory,  // infeasible: the first secondary cost must be half of what is possible
};

enum class DeadEnds {
  none,
  avoidable,    // some actions lead to one
  unavoidable,  // every action of the initial state does
};

struct RandomModelOptions {
  std::size_t states = 6;    // not counting the goal and the dead end
  std::size_t actions = 3;   // per state, at most
  std::size_t outcomes = 3;  // per action, at most
  std::size_t costs = 3;     // at least 2 if there are bounds
  BoundsKind bounds = BoundsKind::none;
  DeadEnds dead_ends = DeadEnds::none;
  bool cycles = true;                 // outcomes may lead back
  bool self_loops = false;            // some actions do nothing
  bool give_up = false;               // there are penalties
  bool zero_secondary_costs = false;  // about half of them
  bool zero_primary_costs = false;    // some, where no loop can come of it
  bool zero_cost_loop = false;        // one loop of two states at no primary cost
  bool integer_costs = false;         // small integers and dyadic probabilities: many ties

  // Ill-conditioned kinds. Bounds are not drawn for them: that needs exact arithmetic.
  bool near_loops = false;          // actions that mostly lead nowhere, up to 1 - 1e-6
  bool tiny_probabilities = false;  // outcomes that hardly ever happen, down to 1e-9
  bool wide_costs = false;          // from 1e-6 to 1e9
  bool many_free_actions = false;   // most actions that cannot loop have no primary cost

  std::string text() const;  // for messages of failing tests
};

/// Options drawn at random for models of up to `states` states, without zero-cost loops and
/// well-conditioned.
RandomModelOptions random_options(std::uint64_t seed, std::size_t states);

std::shared_ptr<ExplicitModel> random_model(std::uint64_t seed,
                                            const RandomModelOptions& options = {});

}  // namespace carl::testing

#endif
