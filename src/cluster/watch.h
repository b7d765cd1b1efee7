// Limits of a run on many ranks. Time and interrupts are the first rank's business, or an interrupt
// may reach any; memory is that of all ranks together. Whatever ends the work, all ranks hear of it
// at the same point.
#ifndef CARL_CLUSTER_WATCH_H
#define CARL_CLUSTER_WATCH_H

#include "carl/monitor.h"
#include "cluster/ranks.h"

namespace carl::cluster {

class Watch {
 public:
  Watch(const Ranks& ranks, Monitor& monitor) : ranks_(ranks), monitor_(monitor) {}

  /// Collective. Stays true; then the first rank's monitor says why.
  bool reached();
  /// Collective. Throws LimitReached, on all ranks, if it is so on any.
  void check_all(LimitKind own);
  Monitor& monitor() { return monitor_; }

 private:
  const Ranks& ranks_;
  Monitor& monitor_;
  bool reached_ = false;
};

}  // namespace carl::cluster

#endif
