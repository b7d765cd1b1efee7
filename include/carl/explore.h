// How large a problem is: everything reachable, counted.
#ifndef CARL_EXPLORE_H
#define CARL_EXPLORE_H

#include <cstddef>

#include "carl/cssp.h"
#include "carl/monitor.h"

namespace carl {

struct StateSpaceSize {
  bool complete = false;        // false if max_states or a limit ended the exploration
  std::size_t states = 0;       // reached
  std::size_t expanded = 0;     // of them
  std::size_t goals = 0;        // reached; the goal reached by giving up is not counted
  std::size_t pairs = 0;        // applicable (state, action), those that only loop included
  std::size_t outcomes = 0;     // transitions kept
  std::size_t forbidden = 0;    // (state, action) that a bound of zero forbids
  std::size_t hopeless = 0;     // states from which no policy surely reaches a goal (if complete)
  bool proper_policy = true;    // exists from the initial state (if complete)
  std::size_t state_bytes = 0;  // of the stored states
  std::size_t transition_bytes = 0;  // of pairs and transitions
  double seconds = 0;
};

/// Expands everything reachable, up to max_states. Throws InputError for a zero-cost loop. The
/// result does not depend on the number of threads (0: one for each processor).
StateSpaceSize explore(Cssp& cssp, std::size_t max_states, Monitor& monitor,
                       std::size_t threads = 1);

}  // namespace carl

#endif
