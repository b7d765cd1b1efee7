// What a model can say of its numbers if it has kept them as they were written. Models that have
// not are taken at their doubles (see exact_numbers.h).
#ifndef CARL_MODEL_EXACT_TRANSITIONS_H
#define CARL_MODEL_EXACT_TRANSITIONS_H

#include <cstddef>
#include <vector>

#include "carl/ids.h"
#include "util/rational.h"

namespace carl {

struct ExactOutcome {
  StateId state;
  Rational probability;
};

class ExactTransitions {
 public:
  virtual ~ExactTransitions() = default;

  /// C_i(a).
  virtual Rational exact_cost(ActionId action, std::size_t i) const = 0;
  /// Adds the outcomes of an applicable action. A state may occur more than once.
  virtual void add_exact_outcomes(StateId state, ActionId action,
                                  std::vector<ExactOutcome>& out) = 0;
  /// At most so many roundings are in each of the doubles that expanding gives.
  virtual std::size_t num_roundings(ActionId action) const = 0;
};

}  // namespace carl

#endif
