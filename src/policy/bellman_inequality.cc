#include "policy/bellman_inequality.h"

#include <cmath>
#include <limits>

namespace carl::policy {

BellmanInequality::BellmanInequality(Cssp& cssp, std::vector<Rational> weights, double theta,
                                     const std::vector<double>& value)
    : cssp_(cssp),
      numbers_(cssp),
      weights_(std::move(weights)),
      theta_(decimal(theta)),
      rounded_theta_(theta),
      value_(value) {
  for (const Rational& weight : weights_)
    rounded_weights_.push_back(to_double(weight));
}

/// Each number is within half a unit in the last place of what it stands for, and each of the
/// operations adds as much, relatively to a sum of k + n terms; twice that is allowed for. What
/// underflows is smaller than the last term.
bool BellmanInequality::clearly_holds(const ReachableSpace& space, StateId state,
                                      std::size_t pair) const {
  const auto successors = space.successors(pair);
  const auto probabilities = space.probabilities(pair);
  const auto cost = cssp_.cost(space.action(pair));
  const double left = rounded_theta_ * value_[state.index()];
  double right = 0;
  double magnitude = 0;
  for (std::size_t k = 0; k < successors.size(); ++k) {
    const double value = value_[successors[k].index()];
    right += probabilities[k] * value;
    magnitude += probabilities[k] * std::abs(value);
  }
  right *= rounded_theta_;
  magnitude *= rounded_theta_;
  for (std::size_t i = 0; i < cost.size(); ++i)
    right += rounded_weights_[i] * cost[i];
  for (std::size_t i = 0; i < cost.size(); ++i)
    magnitude += rounded_weights_[i] * cost[i];
  magnitude += std::abs(left);
  const auto terms = static_cast<double>(successors.size() + cost.size() + 8);
  const double error = magnitude * (numbers_.relative_error(space.action(pair), probabilities) +
                                    terms * std::numeric_limits<double>::epsilon()) +
                       1e-300;
  return right - left >= error;  // false if anything is not a number
}

std::optional<BellmanInequality::Sides> BellmanInequality::violation(const ReachableSpace& space,
                                                                     StateId state,
                                                                     std::size_t pair) {
  if (clearly_holds(space, state, pair)) return std::nullopt;
  ++num_in_rationals_;
  const ActionId action = space.action(pair);
  numbers_.outcomes(state, action, space.probabilities(pair), space.successors(pair), outcomes_);
  Sides sides;
  for (const ExactNumbers::Outcome& outcome : outcomes_) {
    sides.right += outcome.probability * decimal(value_[outcome.state.index()]);
    if (outcome.state == state) sides.stays += outcome.probability;
  }
  sides.right *= theta_;
  for (std::size_t i = 0; i < weights_.size(); ++i)
    if (weights_[i] != 0) sides.right += weights_[i] * numbers_.cost(action, i);
  sides.left = theta_ * decimal(value_[state.index()]);
  if (sides.left <= sides.right) return std::nullopt;
  return sides;
}

}  // namespace carl::policy
