// Lower bounds on the optimal costs-to-go of all states of a graph, by value iteration from below.
//
// Values that no backup lowers, V(s) ≤ Q(s,a) for all pairs, are lower bounds, and a backup keeps
// them so: it can only raise them. So the iteration may end at any moment. It starts from the best
// of two such functions:
//  - the cheapest paths to a goal, if one could choose outcomes. Where actions are free, values
//    would not rise from zero; these do not mind going round at no cost.
//  - the values of the weights before, times the largest share such that no weight is less than that
//    share of what it was: costs are not less than that share of what they were, either.
//
// States are backed up in the order of these paths, nearest to the goal first, and only if the
// value of a successor has risen.
#ifndef CARL_HEURISTICS_VALUES_FROM_BELOW_H
#define CARL_HEURISTICS_VALUES_FROM_BELOW_H

#include <cstdint>
#include <span>
#include <vector>

#include "carl/monitor.h"
#include "graph/predecessors.h"
#include "graph/search_graph.h"
#include "heuristics/cost_queue.h"

namespace carl::heuristics {

class ValuesFromBelow {
 public:
  /// The graph is expanded as a whole and stays as it is. Goals are the states for which
  /// `is_goal` says so; what can be done there plays no part.
  ValuesFromBelow(const graph::SearchGraph& graph, std::vector<bool> is_goal);

  /// Values for these weights of the costs.
  void solve(std::span<const double> weights);

  /// Infinite if no policy reaches a goal with certainty and there is no giving up.
  double value(StateId s) const { return value_[s.index()]; }
  /// The value as costs that sum up to it: what the policy costs that the values are greedy for.
  void vector(StateId s, std::span<double> out) const;
  bool is_goal(StateId s) const { return is_goal_[s.index()]; }
  /// No goal can be reached.
  bool is_dead_end(StateId s) const { return is_dead_end_[s.index()]; }
  /// The best pair by the values; invalid in goals and where nothing can be done.
  graph::PairId best_pair(StateId s) const { return best_pair_[s.index()]; }

  /// Successors looked at so far.
  std::size_t work() const { return work_; }

 private:
  struct Best {
    graph::PairId pair;
    double q;
  };

  void find_dead_ends();
  void scale_old_values(std::span<const double> weights);
  void raise_to_cheapest_paths();
  void relax(graph::PairId p, double distance);
  void iterate();
  Best best(StateId s);
  void raise(StateId s, const Best& best);

  const graph::SearchGraph& graph_;
  graph::Predecessors predecessors_;
  std::vector<bool> is_goal_;
  std::vector<bool> is_dead_end_;
  std::vector<double> weights_;
  std::vector<double> row_cost_;          // by row of costs
  std::vector<double> value_;             // by state
  std::vector<double> vector_;            // by state and cost: the direction is all that counts
  std::vector<graph::PairId> best_pair_;  // by state
  std::vector<StateId> order_;            // of backups
  std::vector<bool> is_due_;              // by state: a successor has risen since its last backup
  std::vector<double> distance_;          // by state, scratch
  CostQueue queue_;                       // of states, scratch
  std::size_t work_ = 0;
};

}  // namespace carl::heuristics

#endif
