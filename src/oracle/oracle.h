// The waist of the library. An oracle answers one question: what is the least that a policy can
// cost, if costs are weighted like this? Its answer is a policy with its exact cost vector, and a
// sound lower bound on the weighted cost of every other. Searches for multipliers, rays that prove
// infeasibility, repairs and sweeps need nothing else. Above an oracle nobody sees a graph, below it
// nobody sees a bound, so anything that maps weights to policies can be put here: a heuristic
// search, a cluster, a solver of one's own.
#ifndef CARL_ORACLE_ORACLE_H
#define CARL_ORACLE_ORACLE_H

#include <cstddef>
#include <span>
#include <vector>

#include "carl/monitor.h"
#include "carl/policy.h"

namespace carl::oracle {

/// A policy that an oracle has returned, counted from 0.
using PolicyHandle = std::size_t;

/// What was found for some weights.
struct Answer {
  /// Ended by a limit, or proved that there is no proper policy: then there is no answer.
  enum class Outcome { answered, limit, no_proper_policy };

  Outcome outcome = Outcome::limit;
  PolicyHandle policy = 0;
  bool is_new = false;       // a policy of these costs was not known before
  double lower_bound = 0;    // sound, on the weighted cost of every proper policy
  double weighted_cost = 0;  // of the policy
  bool is_final = false;     // who asks for these weights again will learn nothing more
};

/// A stationary policy in terms of the problem, with its exact costs. None if it is not proper.
struct EvaluatedPolicy {
  bool proper = false;
  Policy policy;
  std::vector<double> costs;
};

/// What whoever is far from the end wants of answers: lower bounds, too, or just another policy.
enum class Wanted { bounds, policies };

class Oracle {
 public:
  virtual ~Oracle() = default;

  /// One non-negative weight per cost; that of the primary cost is positive.
  virtual Answer ask(std::span<const double> weights) = 0;
  /// A sound lower bound on the weighted cost of every proper policy for other weights, close to
  /// those asked for last, from what that answer has left: any of them may be zero. Rounded down;
  /// infinite if there is no proper policy. Effort ends when no more than a share of
  /// `negligible_loss` can be won by it. If it is below `target`, which costs more effort than a
  /// bound is mostly worth, it is raised towards that.
  virtual double bound_nearby(std::span<const double> weights, double negligible_loss,
                              double target = 0) = 0;
  /// Answers from now on may be off by this share: lower bounds may stay below the cost of their policies
  /// by it. Where policies alone are wanted these may cost about so much more than the best, and lower
  /// bounds may be anything. 0 if answers may not be off, and an oracle may do better.
  virtual void tolerate(double /*loss*/, Wanted /*wanted*/) {}
  /// Makes later answers more precise; false if they are as precise as doubles allow already.
  virtual bool tighten() = 0;

  virtual std::size_t num_policies() const = 0;
  /// Exact expected costs, one per cost of the problem.
  virtual const std::vector<double>& costs(PolicyHandle policy) const = 0;
  virtual Policy policy(PolicyHandle policy) const = 0;
  /// False if a bound of zero forbids something that the policy does.
  virtual bool is_allowed(PolicyHandle policy) const = 0;
  /// The stationary policy that costs what drawing one of the policies at the start costs. One
  /// weight per policy, summing to one.
  virtual EvaluatedPolicy mix(std::span<const double> mixture) const = 0;

  /// Work done so far, in state-action pairs looked at: for whoever must not work much longer than
  /// others have.
  virtual std::size_t work() const = 0;
  virtual Monitor& monitor() = 0;
};

}  // namespace carl::oracle

#endif
