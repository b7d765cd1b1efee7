// What is asked of the values of a scalarised SSP.
#ifndef CARL_SSP_CONSISTENCY_H
#define CARL_SSP_CONSISTENCY_H

#include <cstddef>
#include <limits>

namespace carl::ssp {

/// When values are good enough.
struct Consistency {
  /// Largest residual, over all cost components, in any state of the greedy envelope.
  double epsilon = 1e-4;
  /// Strong ε-consistency (§3.2 of the paper): the same for all policies that are greedy up to ε at
  /// once, so that the values describe every optimal policy.
  bool strong = false;
  /// Until the values are those of a policy that no action improves, as far as doubles can tell,
  /// whatever ε is: for whoever has found the values at ε not to be good enough.
  bool exact = false;
  /// Whoever makes a lower bound of the values does not mind losing this share of it. Residuals that
  /// are that share of what steps cost are small enough, if they are not above ε; else those who can
  /// go far below ε at little cost do.
  double negligible_loss = 0;
  /// Large components may stop, whatever ε is, where a lower bound made of the values loses no more than
  /// this share of it: for whoever is not near the end yet. 0 if they may not.
  double tolerable_loss = 0;
  /// If no bound is to be made of the values, large components may stop where the policy seems to cost
  /// no more than the best by that share, which is much sooner.
  bool for_bounds = true;
  /// Incremental CG-iLAO* pauses, as if by a limit, when so much work has been done: see
  /// ScalarisedSsp::work(). It goes on where it was when it is asked again.
  std::size_t max_work = std::numeric_limits<std::size_t>::max();
};

}  // namespace carl::ssp

#endif
