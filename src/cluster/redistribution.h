// Rows change hands: parts of equal size, contiguous along some order of the states. Along the order
// of values probability mostly flows downhill, so that each rank's own block of I - P says most of
// what there is to know about its states, and few ghosts are needed.
#ifndef CARL_CLUSTER_REDISTRIBUTION_H
#define CARL_CLUSTER_REDISTRIBUTION_H

#include <span>
#include <vector>

#include "cluster/ghosts.h"
#include "cluster/ranks.h"
#include "cluster/region.h"
#include "cluster/rows.h"

namespace carl::cluster {

/// New numbers of the own states, ascending along `key`, which is not negative; those of an infinite
/// key have none. Keys that agree to 2^-16 of the largest are tied, and ties are in the old order.
struct Order {
  std::vector<GlobalId> position;  // by slot once it is complete; no_state where there is none
  GlobalId total = 0;
};
Order order_by(const std::vector<double>& key, const Rows& rows, const Ghosts& ghosts,
               const Ranks& ranks);

/// Every state goes to the rank that owns its new number, with those of its pairs that are given; these
/// must lead to states that have numbers. The old rows are gone before the new ones are made.
/// Throws LimitReached, on all ranks, if there is a watch.
Rows redistribute(Rows rows, const Order& order, const PairSet& pairs, const Ranks& ranks,
                  Watch* watch = nullptr);
/// What belongs to the own states goes with them. All states have numbers.
std::vector<double> redistribute(std::span<const double> own, const Order& order,
                                 const Ranks& ranks);
/// How far states move, on average, as a share of how far they could.
double movement(const Rows& rows, const Order& order, const Ranks& ranks);

}  // namespace carl::cluster

#endif
