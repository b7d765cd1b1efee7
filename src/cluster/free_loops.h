// Where policies can go round for ever at no cost, for some weights of the costs: the end components
// of free pairs, as in graph/zero_cost_loops.h. All ranks together find the states that some policy on
// free pairs never has to leave; what is left of them is taken apart by the first rank, which needs
// memory for their successors (mostly none).
#ifndef CARL_CLUSTER_FREE_LOOPS_H
#define CARL_CLUSTER_FREE_LOOPS_H

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "cluster/region.h"

namespace carl::cluster {

/// The pairs among those given that cost nothing, for these weights.
PairSet free_pairs(const Rows& rows, std::span<const double> weights, PairSet pairs);

class FreeLoops {
 public:
  /// None.
  explicit FreeLoops(const Ranks& ranks) : ranks_(ranks) {}
  FreeLoops(const Rows& rows, const GraphSearch& search, const Ranks& ranks,
            std::span<const double> weights);

  bool empty() const { return count_ == 0; }
  /// All own states of a loop get the least value that any rank has for it. Collective unless there
  /// are no loops.
  void equalise(std::vector<double>& value) const;

 private:
  const Ranks& ranks_;
  std::uint64_t count_ = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> members_;  // own states, and their loops
};

}  // namespace carl::cluster

#endif
