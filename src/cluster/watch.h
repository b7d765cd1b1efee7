// Limits of a run on many ranks. Time and interrupts are the first rank's business, or an interrupt
// may reach any; memory is that of all ranks together. Whatever ends the work, all ranks hear of it
// at the same point.
#ifndef CARL_CLUSTER_WATCH_H
#define CARL_CLUSTER_WATCH_H

#include <cstdint>

#include "carl/monitor.h"
#include "cluster/ranks.h"

namespace carl::cluster {

class Watch {
 public:
  Watch(const Ranks& ranks, Monitor& monitor) : ranks_(ranks), monitor_(monitor) {}

  /// Collective. Stays true; then the first rank's monitor says why.
  bool reached();
  /// The same for loops whose rounds may be short: looks only when enough has been done since the last
  /// look. `work` is how many states a round has to do with, on all ranks together, so that all look at
  /// the same time.
  bool reached(std::uint64_t work);
  /// What the last look has said: not collective.
  bool has_been_reached() const { return reached_; }
  /// Collective. Throws LimitReached, on all ranks, if it is so on any.
  void check_all(LimitKind own);
  Monitor& monitor() { return monitor_; }

 private:
  const Ranks& ranks_;
  Monitor& monitor_;
  bool reached_ = false;
  std::uint64_t work_ = 0;  // since the last look
};

}  // namespace carl::cluster

#endif
