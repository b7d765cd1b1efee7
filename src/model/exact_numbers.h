// The numbers of a problem as they were written. Models that have kept them say so (see
// exact_transitions.h); of others only doubles are left, of which the shortest decimal is taken (see
// util/rational.h). The probabilities of an action are scaled to sum to one. This is the model that
// exact checks and certificates are about.
#ifndef CARL_MODEL_EXACT_NUMBERS_H
#define CARL_MODEL_EXACT_NUMBERS_H

#include <span>
#include <vector>

#include "carl/cssp.h"
#include "model/exact_transitions.h"

namespace carl {

class ExactNumbers {
 public:
  using Outcome = ExactOutcome;

  explicit ExactNumbers(Cssp& cssp);

  /// C_i(a).
  Rational cost(ActionId action, std::size_t i) const;
  /// Fills in the outcomes of an action whose doubles are those of an Expansion. A state may occur
  /// more than once. Giving up has none.
  void outcomes(StateId state, ActionId action, std::span<const double> probabilities,
                std::span<const StateId> successors, std::vector<Outcome>& out);
  /// True if a bound of zero forbids the action, because it costs any of it.
  bool forbidden(ActionId action) const;
  /// How far, relatively, the doubles of an Expansion can be from these probabilities.
  double relative_error(ActionId action, std::span<const double> probabilities) const;

 private:
  Cssp& cssp_;
  ExactTransitions* exact_;  // null if there are only doubles
};

}  // namespace carl

#endif
