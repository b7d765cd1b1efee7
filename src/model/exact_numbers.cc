#include "model/exact_numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carl {

ExactNumbers::ExactNumbers(Cssp& cssp) : cssp_(cssp), exact_(cssp.model().exact_transitions()) {}

Rational ExactNumbers::cost(ActionId action, std::size_t i) const {
  if (action == Cssp::give_up_action) return decimal((*cssp_.give_up_penalty())[i]);
  if (exact_ == nullptr) return decimal(cssp_.cost(action)[i]);
  return exact_->exact_cost(action, i);
}

void ExactNumbers::outcomes(StateId state, ActionId action, std::span<const double> probabilities,
                            std::span<const StateId> successors, std::vector<Outcome>& out) {
  out.clear();
  if (action == Cssp::give_up_action) return;
  if (exact_ != nullptr) {
    exact_->add_exact_outcomes(state, action, out);
  } else {
    for (std::size_t k = 0; k < successors.size(); ++k)
      out.push_back({successors[k], decimal(probabilities[k])});
  }
  Rational sum = 0;
  for (const Outcome& outcome : out)
    sum += outcome.probability;
  if (sum == 1) return;
  for (Outcome& outcome : out)
    outcome.probability /= sum;
}

bool ExactNumbers::forbidden(ActionId action) const {
  return std::any_of(cssp_.bounds().begin(), cssp_.bounds().end(), [&](const Bound& bound) {
    return bound.upper == 0 && cost(action, bound.cost) > 0;
  });
}

double ExactNumbers::relative_error(ActionId action, std::span<const double> probabilities) const {
  constexpr double unit = std::numeric_limits<double>::epsilon();  // twice the rounding error
  if (action == Cssp::give_up_action) return 0;                    // it has no probabilities
  std::size_t roundings = probabilities.size() + 2;
  // Outcomes that lead to the same state were added up in floating point.
  if (exact_ != nullptr) roundings += exact_->num_roundings(action);
  double sum = 0;
  for (const double p : probabilities)
    sum += p;
  return std::abs(sum - 1) + static_cast<double>(roundings) * unit;
}

}  // namespace carl
