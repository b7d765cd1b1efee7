#include "ssp/greedy_envelope.h"

#include <algorithm>

namespace carl::ssp {

void GreedyEnvelope::start() {
  states_.clear();
  fringe_.clear();
  pairs_.clear();
  stack_.clear();
  visited_.resize(ssp_.graph().num_states(), 0);
  if (++traversal_ == 0) {  // the counter has come round
    std::fill(visited_.begin(), visited_.end(), 0);
    traversal_ = 1;
  }
}

}  // namespace carl::ssp
