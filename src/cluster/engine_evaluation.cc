// What policies cost, with proofs, by all ranks together.

#include <algorithm>
#include <cmath>
#include <limits>

#include "carl/solution.h"
#include "cluster/engine.h"

namespace carl::cluster {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Of expected steps, which only have to be above half of what they are.
constexpr double precision_of_steps = 1e-7;
// What costs may be wrong by, relatively, and still count as exact; or costs next to nothing beside a
// typical step, which costs about one in the units of a solve (cssp/cost_units.h).
constexpr double exact_enough = 1e-8;
// Of what flows into a state, in doubles.
constexpr double rounding_of_flows = 4e-15;
// Errors below this share of the largest count as that.
constexpr double range_of_errors = 1e-7;

}  // namespace

double Engine::at_start(const std::vector<double>& value) const {
  double own = 0;
  if (initial_ >= rows_.begin() && initial_ < rows_.begin() + rows_.size())
    own = value[initial_ - rows_.begin()];
  return ranks_.sum(own);
}

std::vector<double> Engine::expected_costs(const RankPolicy& policy, std::size_t cost) const {
  std::vector<double> result(rows_.size(), 0.0);
  for (std::size_t s = 0; s < rows_.size(); ++s)
    for (const auto& [pair, probability] : policy.choices(s))
      result[s] += probability * rows_.cost(pair)[cost];
  return result;
}

std::vector<double> Engine::reached_by(const RankPolicy& policy) const {
  PairSet used(rows_.num_pairs(), 0);
  for (std::size_t s = 0; s < rows_.size(); ++s)
    for (const auto& choice : policy.choices(s))
      used[choice.pair] = 1;
  return search_->reachable(initial_, used);
}

/// Where no state that the policy meets has any of a cost, it is zero as it is. Left to the equations it
/// would be next to nothing, and no bound would ever be as good as that.
void Engine::clear_zeros(const std::vector<std::vector<double>>& costs,
                         const std::vector<double>& reached, Evaluation& evaluation) const {
  for (std::size_t cost = 0; cost < costs.size(); ++cost) {
    bool is_zero = true;
    for (std::size_t s = 0; s < rows_.size(); ++s)
      is_zero &= reached[s] == 0 || costs[cost][s] == 0;
    if (!ranks_.all(is_zero)) continue;
    evaluation.costs[cost] = 0;
    for (std::size_t s = 0; s < rows_.size(); ++s)
      if (reached[s] != 0) evaluation.values[cost][s] = 0;
    ghosts_->fetch(evaluation.values[cost]);
  }
}

/// Whether residuals prove the costs of the initial state. A small residual is not a small error, but
/// with T such that (I - P) T ≥ 1/2 > 0 in all states that the policy meets, which proves that it is
/// proper, too, no cost-to-go is wrong by more than max |r| · 2T.
bool Engine::is_accurate(PolicyMatrix& matrix, const std::vector<double>& reached,
                         const std::vector<double>& steps,
                         const std::vector<std::vector<double>>& costs,
                         const Evaluation& evaluation) const {
  const std::vector<double> ones(rows_.size(), 1.0);
  if (!is_above_half(matrix, ones, steps, reached)) return false;
  const double from_start = at_start(steps);
  for (std::size_t cost = 0; cost < costs.size(); ++cost) {
    std::vector<double> error = matrix.residual(costs[cost], evaluation.values[cost]);
    double largest = 0;
    for (std::size_t s = 0; s < rows_.size(); ++s) {
      error[s] = reached[s] != 0 ? std::abs(error[s]) : 0.0;
      largest = std::max(largest, error[s]);
    }
    largest = ranks_.max(largest);
    const double allowed = exact_enough * std::max(evaluation.costs[cost], next_to_nothing);
    if (largest * 2 * from_start > allowed && error_at_start(matrix, error, reached) > allowed)
      return false;
  }
  return true;
}

/// (I - P) x ≥ b/2 and x ≥ 0, in the states given.
bool Engine::is_above_half(const PolicyMatrix& matrix, const std::vector<double>& b,
                           const std::vector<double>& x, const std::vector<double>& reached) const {
  const std::vector<double> rest = matrix.residual(b, x);
  bool holds = true;
  for (std::size_t s = 0; s < rows_.size(); ++s)
    if (reached[s] != 0) holds &= std::abs(rest[s]) <= b[s] / 2 && x[s] >= 0;
  return ranks_.all(holds);
}

/// The same with errors where they are: what is large where policies hardly ever get is harmless.
double Engine::error_at_start(PolicyMatrix& matrix, std::vector<double> error,
                              const std::vector<double>& reached) const {
  double largest = 0;
  for (const double e : error)
    largest = std::max(largest, e);
  largest = ranks_.max(largest);
  for (double& e : error)
    e = std::max(e, range_of_errors * largest);
  std::vector<double> bound(rows_.num_slots(), 0.0);
  if (!matrix.solve(error, bound) || !is_above_half(matrix, error, bound, reached)) return infinity;
  return 2 * at_start(bound);
}

std::optional<Engine::Evaluation> Engine::evaluate(const RankPolicy& policy,
                                                   const Evaluation& start, AtLimit at_limit) {
  Evaluation result = start;
  PolicyMatrix matrix(rows_, *ghosts_, ranks_, policy, scale_, work_.equations, watch_, at_limit);
  std::vector<std::vector<double>> costs;
  result.costs.assign(rows_.num_costs(), 0.0);
  for (std::size_t cost = 0; cost < rows_.num_costs(); ++cost) {
    costs.push_back(expected_costs(policy, cost));
    if (!matrix.solve(costs[cost], result.values[cost])) return std::nullopt;
    result.costs[cost] = std::max(0.0, at_start(result.values[cost]));
  }
  std::vector<double> steps(rows_.num_slots(), 0.0);
  const std::vector<double> ones(rows_.size(), 1.0);
  if (!matrix.solve(ones, steps, precision_of_steps)) return std::nullopt;
  const std::vector<double> reached = reached_by(policy);
  if (!is_above_half(matrix, ones, steps, reached) && !matrix.solve(ones, steps))
    return std::nullopt;
  result.steps = at_start(steps);
  clear_zeros(costs, reached, result);
  result.proved = is_accurate(matrix, reached, steps, costs, result);
  return result;
}

// --- by visits --------------------------------------------------------------------------------------

std::vector<double> Engine::start_state() const {
  std::vector<double> start(rows_.size(), 0.0);
  if (initial_ >= rows_.begin() && initial_ < rows_.begin() + rows_.size())
    start[initial_ - rows_.begin()] = 1;
  return start;
}

/// Expected departures from each own state.
std::optional<std::vector<double>> Engine::visits(const RankPolicy& policy) {
  PolicyMatrix matrix(rows_, *ghosts_, ranks_, policy, scale_, work_.equations, watch_,
                      AtLimit::go_on);
  std::vector<double> result(rows_.num_slots(), 0.0);
  if (!matrix.solve_transposed(start_state(), result)) return std::nullopt;
  const std::vector<double> reached = reached_by(policy);
  result.resize(rows_.size());
  for (std::size_t s = 0; s < rows_.size(); ++s)
    result[s] = reached[s] != 0 ? std::max(result[s], 0.0) : 0.0;
  return result;
}

/// At most how many steps there may be that departures do not tell of, or too many that they do. What is
/// left of their equations is that at each state, times the number of steps from there on, which is at
/// most 2T as in is_accurate(). Infinite if there is no such T.
double Engine::steps_lost(const std::vector<double>& departures, const RankPolicy& policy,
                          const std::vector<double>& reached) {
  PolicyMatrix matrix(rows_, *ghosts_, ranks_, policy, scale_, work_.equations, watch_,
                      AtLimit::go_on);
  const std::vector<double> ones(rows_.size(), 1.0);
  std::vector<double> steps(rows_.num_slots(), 0.0);
  if (!matrix.solve(ones, steps, precision_of_steps) ||
      !is_above_half(matrix, ones, steps, reached))
    return infinity;
  const std::vector<double> left = matrix.residual_transposed(start_state(), departures);
  double lost = 0;
  for (std::size_t s = 0; s < rows_.size(); ++s)
    if (reached[s] != 0)
      lost += (std::abs(left[s]) + rounding_of_flows * departures[s]) * 2 * steps[s];
  return ranks_.sum(lost);
}

/// What the policy costs by its departures, if that is proved. Those of a mixture are known, so that
/// this takes one rough solution, much sooner found than exact costs-to-go of all states.
std::optional<std::vector<double>> Engine::costs_by(const std::vector<double>& departures,
                                                    const RankPolicy& policy) {
  const std::vector<double> reached = reached_by(policy);
  const double lost = steps_lost(departures, policy, reached);
  std::vector<double> result;
  for (std::size_t cost = 0; cost < rows_.num_costs(); ++cost) {
    const std::vector<double> expected = expected_costs(policy, cost);
    double sum = 0;
    double dearest = 0;
    for (std::size_t s = 0; s < rows_.size(); ++s) {
      if (reached[s] == 0) continue;
      sum += departures[s] * expected[s];
      dearest = std::max(dearest, expected[s]);
    }
    result.push_back(ranks_.sum(sum));
    dearest = ranks_.max(dearest);
    if (dearest == 0 && lost < infinity) continue;
    if (!(lost * dearest <= exact_enough * std::max(result.back(), next_to_nothing)))
      return std::nullopt;
  }
  return result;
}

}  // namespace carl::cluster
