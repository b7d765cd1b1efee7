#include "model/validity.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "carl/error.h"
#include "util/shown.h"

namespace carl {
namespace {

// Three times 0.333333333 must pass although the double nearest to it is a little smaller.
constexpr double written_tolerance = 1e-9 * (1 + 1e-6);
constexpr double stored_tolerance = 1e-15;

/// Neumaier's compensated sum: its error does not grow with the number of outcomes.
double accurate_sum(std::span<const double> numbers) {
  double sum = 0;
  double lost = 0;
  for (const double number : numbers) {
    const double next = sum + number;
    lost += std::abs(sum) >= std::abs(number) ? (sum - next) + number : (number - next) + sum;
    sum = next;
  }
  return sum + lost;
}

}  // namespace

void fail_cost(std::string_view what, double value) {
  if (std::isnan(value)) throw InputError(fmt::format("the {} is not a number", what));
  if (value < 0)
    throw InputError(fmt::format("the {} is {}, but must not be negative", what, value));
  throw InputError(above_largest_cost(what, value), largest_cost_hint);
}

void check_cost_vector(std::span<const std::string> names, std::span<const double> costs) {
  if (costs.size() != names.size())
    throw InputError(
        fmt::format("the number of costs is {}, but must be {}", costs.size(), names.size()),
        fmt::format("the costs are: {}", fmt::join(names, ", ")));
  for (const double cost : costs)
    check_cost("cost", cost);
}

void check_expected_cost(std::span<const std::string> names, std::span<const double> expected,
                         const OutcomeCosts& outcomes) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    long double sum = 0;
    for (std::size_t k = 0; k < outcomes.size(); ++k)
      sum += static_cast<long double>(outcomes.probability(k)) * outcomes.cost(k)[i];
    const auto average = static_cast<double>(sum);
    if (std::abs(average - expected[i]) <= written_tolerance * std::max(average, expected[i]))
      continue;
    throw InputError(fmt::format("the outcomes cost {:.12g} of '{}' on average, but the action "
                                 "costs {:.12g}",
                                 average, shown(names[i]), expected[i]),
                     "the cost of an action is the expectation: the sum of probability times cost "
                     "over its outcomes");
  }
}

void fail_probability(double value) {
  throw InputError(fmt::format("the probability is {}, but must be between 0 and 1", value));
}

void normalise(std::span<double> probabilities) {
  if (probabilities.empty()) throw InputError("there are no outcomes");
  const double sum = accurate_sum(probabilities);
  if (!(std::abs(sum - 1) <= written_tolerance))
    throw InputError(fmt::format("probabilities sum to {:.12g}, not 1", sum));
  if (std::abs(sum - 1) <= stored_tolerance) return;
  for (double& probability : probabilities)
    probability /= sum;
}

void check_action_name(std::string_view name) {
  if (name == give_up_name)
    throw InputError(fmt::format("'{}' cannot be the name of an action", give_up_name),
                     "policies use this name for giving up");
}

void check_cost_model(const CostModel& costs) {
  if (costs.costs.empty()) throw InputError("there are no costs", "costs[0] is minimised");
  std::set<std::string_view> names;
  for (const std::string& name : costs.costs) {
    if (name.empty()) throw InputError("the name of a cost is empty");
    if (!names.insert(name).second)
      throw InputError(fmt::format("there are two costs named '{}'", shown(name)));
  }
  std::set<std::size_t> bounded;
  for (const Bound& bound : costs.bounds) {
    if (bound.cost >= costs.costs.size())
      throw InputError(fmt::format("there is a bound on cost number {}, but there are {} costs",
                                   bound.cost, costs.costs.size()));
    check_cost(fmt::format("bound on '{}'", costs.costs[bound.cost]), bound.upper);
    if (!bounded.insert(bound.cost).second)
      throw InputError(fmt::format("there are two bounds on '{}'", costs.costs[bound.cost]));
  }
  if (!costs.rewards.empty() && costs.rewards.size() != costs.costs.size())
    throw InputError(fmt::format("'rewards' has {} entries, but there are {} costs",
                                 costs.rewards.size(), costs.costs.size()));
  if (!costs.give_up) return;
  if (costs.give_up->size() != costs.costs.size())
    throw InputError(fmt::format("there are {} penalties for giving up, but {} costs",
                                 costs.give_up->size(), costs.costs.size()));
  for (std::size_t i = 0; i < costs.costs.size(); ++i)
    check_cost(fmt::format("penalty on '{}'", costs.costs[i]), (*costs.give_up)[i]);
}

}  // namespace carl
