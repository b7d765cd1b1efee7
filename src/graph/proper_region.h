// Where a proper policy exists: the states from which some policy reaches the goal with probability
// one. The standard almost-sure reachability fixpoint: shrink the set of hopeful
// states to those that can still reach a goal by actions whose outcomes are all hopeful, until
// nothing changes. Works on the graph alone; probabilities do not matter.
//
// L. de Alfaro, "Formal Verification of Probabilistic Systems", PhD thesis, Stanford University,
// 1997.
#ifndef CARL_GRAPH_PROPER_REGION_H
#define CARL_GRAPH_PROPER_REGION_H

#include <vector>

#include "carl/monitor.h"
#include "graph/search_graph.h"

namespace carl::graph {

struct ProperRegion {
  bool contains(StateId s) const { return member[s.index()]; }
  /// True if every outcome of the pair is in the region.
  bool allows(const SearchGraph& graph, PairId p) const;

  std::vector<bool> member;  // goals included
  /// For every non-goal member a pair on a proper policy: each step can come closer to a goal.
  std::vector<PairId> choice;
  /// The members, those nearest to a target (in steps of that policy) first.
  std::vector<StateId> order;
};

/// The region of the policies that reach some target, or give up, with probability one. States never
/// expanded, and not targets, count as hopeless. If a limit ends it early, the region may be too large: who
/// is not in it is hopeless all the same, but its choices need not be proper.
ProperRegion proper_region(const SearchGraph& graph, const std::vector<bool>& targets,
                           Monitor& monitor);
/// The targets are the goals; `graph` is fully expanded.
ProperRegion proper_region(const SearchGraph& graph, Monitor& monitor);

}  // namespace carl::graph

#endif
