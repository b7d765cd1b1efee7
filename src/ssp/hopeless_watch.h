// When to look for states without hope. Without giving up, a state from which the goal cannot be
// reached with certainty has no value to converge to: it rises for ever. Looking for such states
// takes time linear in the graph, so it is done after 32, 64, 128, … rounds.
#ifndef CARL_SSP_HOPELESS_WATCH_H
#define CARL_SSP_HOPELESS_WATCH_H

#include <cstddef>

#include "ssp/scalarised_ssp.h"

namespace carl::ssp {

class HopelessWatch {
 public:
  explicit HopelessWatch(ScalarisedSsp& ssp) : ssp_(ssp) {}

  /// To be called once a round. True if states were found to be hopeless just now.
  bool look(Monitor& monitor) {
    if (++rounds_ < next_) return false;
    next_ *= 2;
    return ssp_.mark_hopeless(monitor);
  }

 private:
  ScalarisedSsp& ssp_;
  std::size_t rounds_ = 0;
  std::size_t next_ = 32;
};

}  // namespace carl::ssp

#endif
