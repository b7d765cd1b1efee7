#include "model/cost_scale.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace carl {
namespace {

// A model that has shown no cost after so many states is not worth asking further.
constexpr std::size_t most_states = 1'000;

/// Positive costs of the actions of a model that is explored on the fly: those of the initial
/// state, and of further states in breadth-first order as long as none has a primary cost.
std::vector<std::vector<double>> costs_near_the_start(Cssp& cssp) {
  std::vector<std::vector<double>> positive(cssp.num_costs());
  std::vector<StateId> queue{cssp.initial_state()};
  std::vector<bool> seen;
  Expansion expansion;
  for (std::size_t next = 0; next < queue.size() && next < most_states; ++next) {
    if (cssp.is_goal(queue[next])) continue;
    cssp.expand(queue[next], expansion);
    for (std::size_t i = 0; i < expansion.num_actions(); ++i) {
      if (expansion.action(i) == Cssp::give_up_action) continue;
      const auto cost = cssp.cost(expansion.action(i));
      for (std::size_t c = 0; c < cost.size(); ++c)
        if (cost[c] > 0) positive[c].push_back(cost[c]);
    }
    if (!positive[0].empty()) break;
    seen.resize(cssp.num_states(), false);
    for (std::size_t i = 0; i < expansion.num_actions(); ++i)
      for (const StateId t : expansion.successors(i)) {
        if (seen[t.index()]) continue;
        seen[t.index()] = true;
        queue.push_back(t);
      }
  }
  return positive;
}

double median(std::vector<double>& numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>((numbers.size() - 1) / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  return *middle;
}

}  // namespace

std::vector<double> cost_scale(Cssp& cssp) {
  std::vector<std::vector<double>> positive;
  bool known = false;
  for (std::size_t c = 0; c < cssp.num_costs(); ++c) {
    positive.push_back(cssp.model().positive_costs(c));
    for (double& cost : positive.back())
      cost /= cssp.units()[c];
    known |= !positive.back().empty();
  }
  if (!known) positive = costs_near_the_start(cssp);
  std::vector<double> medians;
  for (std::vector<double>& costs : positive)
    medians.push_back(costs.empty() ? 0 : median(costs));
  return cost_scale(cssp, std::move(medians));
}

std::vector<double> cost_scale(const Cssp& cssp, std::vector<double> medians) {
  for (std::size_t c = 0; c < cssp.num_costs(); ++c) {
    if (medians[c] > 0) continue;
    double upper = 0;
    for (const Bound& bound : cssp.bounds())
      if (bound.cost == c) upper = bound.upper;
    if (cssp.give_up_penalty() && (*cssp.give_up_penalty())[c] > 0)
      medians[c] = (*cssp.give_up_penalty())[c];
    else
      medians[c] = upper > 0 ? upper : 1.0;
  }
  return medians;
}

double power_of_two_below(double number) {
  return std::ldexp(1.0, std::ilogb(number));
}

}  // namespace carl
