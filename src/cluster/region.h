// Sets of states that depend on the graph alone, found by all ranks together: each follows its own
// transitions as far as they go, then news about ghosts is exchanged, until there is none.
//
// Arrays have an entry per slot of the rows (see rows.h), or per pair.
#ifndef CARL_CLUSTER_REGION_H
#define CARL_CLUSTER_REGION_H

#include <cstdint>
#include <span>
#include <vector>

#include "cluster/ghosts.h"
#include "cluster/ranks.h"
#include "cluster/rows.h"
#include "cluster/watch.h"

namespace carl::cluster {

/// By pair: 1 if it may be used.
using PairSet = std::vector<std::uint8_t>;

/// All pairs that have nothing of these costs.
PairSet pairs_without(const Rows& rows, const std::vector<std::size_t>& costs);

/// The pairs that lead to each slot, and the states that they leave.
class Incoming {
 public:
  explicit Incoming(const Rows& rows);

  std::span<const std::uint32_t> pairs(std::size_t slot) const {
    return {pairs_.data() + first_[slot], pairs_.data() + first_[slot + 1]};
  }
  std::uint32_t state(std::size_t pair) const { return state_[pair]; }

 private:
  std::vector<std::uint64_t> first_;
  std::vector<std::uint32_t> pairs_;
  std::vector<std::uint32_t> state_;
};

/// Graph searches on the rows of all ranks.
class GraphSearch {
 public:
  /// With a watch all functions throw LimitReached, on all ranks.
  GraphSearch(const Rows& rows, const Ghosts& ghosts, const Ranks& ranks, Watch* watch = nullptr)
      : rows_(rows), ghosts_(ghosts), ranks_(ranks), watch_(watch), incoming_(rows) {}

  /// The states from which some policy on the pairs given reaches a goal for certain: the fixpoint of
  /// graph/proper_region.h. Pairs that lead out of them are taken out of `pairs`.
  std::vector<double> proper_region(PairSet& pairs) const;
  /// The greatest set of states of which each has one of the pairs given that leads nowhere else;
  /// `pairs` become those that stay in it. Some policy never leaves it, so that it is not empty if and
  /// only if there is an end component.
  std::vector<double> closed_set(PairSet& pairs) const;
  /// What can be reached from a state by these pairs.
  std::vector<double> reachable(GlobalId from, const PairSet& pairs) const;
  /// How many steps each state is from a goal, by these pairs and with luck; infinite if there is no
  /// way.
  std::vector<double> distances(const PairSet& pairs) const;

  const Incoming& incoming() const { return incoming_; }

 private:
  bool is_to_go_on(bool news) const;
  std::vector<std::uint32_t> pairs_left(const PairSet& pairs) const;
  void remove(std::vector<std::uint32_t> gone, PairSet& pairs, std::vector<std::uint32_t>& left,
              std::vector<double>& member) const;

  const Rows& rows_;
  const Ghosts& ghosts_;
  const Ranks& ranks_;
  Watch* watch_;
  Incoming incoming_;
};

}  // namespace carl::cluster

#endif
