// A sound lower bound on the weighted cost of every proper policy, from approximate values: what
// ssp/sub_solution.h does, by all ranks together. Values are lowered where they exceed a free pair's
// Q, equalised where a policy can go round at no cost, and scaled by θ for all other pairs; θ is the
// least over all ranks.
#ifndef CARL_CLUSTER_LOWER_BOUND_H
#define CARL_CLUSTER_LOWER_BOUND_H

#include <span>
#include <vector>

#include "cluster/free_loops.h"
#include "cluster/ghosts.h"
#include "cluster/rows.h"
#include "cluster/watch.h"

namespace carl::cluster {

struct LowerBoundOptions {
  double negligible_loss = 1e-12;
  std::size_t max_sweeps = 20;
  /// See ssp::SubSolutionOptions.
  bool holds_as_written = false;
};

class LowerBound {
 public:
  /// All pairs of the rows count. `loops` are those that are free for these weights.
  LowerBound(const Rows& rows, const Ghosts& ghosts, const Ranks& ranks, const FreeLoops& loops,
             std::span<const double> weights, bool holds_as_written);

  /// From values by slot. Rounded down.
  double prove(std::vector<double> value, GlobalId initial, const LowerBoundOptions& options,
               Watch& watch);

 private:
  struct Slack {
    long double slack;
    long double error;
    bool is_violated() const { return slack < error; }
  };
  Slack slack(std::size_t state, std::size_t pair) const;
  bool has_much_room(std::size_t state, std::size_t pair) const;
  bool is_free(std::size_t pair) const { return row_cost_[rows_.cost_row(pair)] == 0; }
  long double share_lost(std::size_t pair) const;
  long double excess() const;
  bool lower(std::size_t state, std::size_t pair);
  bool sweep(bool free_only);
  bool settle_free_pairs(Watch& watch);
  double start(GlobalId initial) const;

  const Rows& rows_;
  const Ghosts& ghosts_;
  const Ranks& ranks_;
  const FreeLoops& loops_;
  long double rounding_;
  std::vector<long double> row_cost_;
  bool any_free_ = false;
  std::vector<double> value_;
};

}  // namespace carl::cluster

#endif
