// The inequality that every certificate rests on: θ·V(s) ≤ w·C(a) + Σ P(s'|s,a)·θ·V(s'), for the
// model with its numbers as written. Floating point with a bound on its error decides the clear
// cases, which are nearly all; rational arithmetic the others.
#ifndef CARL_POLICY_BELLMAN_INEQUALITY_H
#define CARL_POLICY_BELLMAN_INEQUALITY_H

#include <optional>
#include <vector>

#include "model/exact_numbers.h"
#include "policy/reachable_space.h"
#include "util/rational.h"

namespace carl::policy {

class BellmanInequality {
 public:
  /// One weight per cost; `value` has an entry per state.
  BellmanInequality(Cssp& cssp, std::vector<Rational> weights, double theta,
                    const std::vector<double>& value);

  struct Sides {
    Rational left;
    Rational right;
    Rational stays;  // the probability of no change of state: its value is on both sides
  };
  /// Both sides if the inequality does not hold for this pair of a state.
  std::optional<Sides> violation(const ReachableSpace& space, StateId state, std::size_t pair);

  /// How often rational arithmetic was needed.
  std::size_t num_in_rationals() const { return num_in_rationals_; }

 private:
  bool clearly_holds(const ReachableSpace& space, StateId state, std::size_t pair) const;

  Cssp& cssp_;
  ExactNumbers numbers_;
  std::vector<Rational> weights_;
  std::vector<double> rounded_weights_;
  Rational theta_;
  double rounded_theta_;
  const std::vector<double>& value_;
  std::vector<ExactNumbers::Outcome> outcomes_;
  std::size_t num_in_rationals_ = 0;
};

}  // namespace carl::policy

#endif
