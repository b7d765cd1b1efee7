#include "cluster/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cluster/redistribution.h"

#include "carl/error.h"
#include "cluster/policy_files.h"

namespace carl::cluster {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// A pair is better if it is by more than this share of the value, at first and at last.
constexpr double first_tolerance = 1e-11;
constexpr double least_tolerance = 1e-14;
constexpr double tightening = 0.03;
// Improvements that are hardly more than that are the last: others would follow, one after the other, of
// states that they have made a little better.
constexpr double hardly_better = 10;
// How exact values between policies are, and what improvements may lose of what a bound may.
constexpr double share_of_tolerance = 0.1;
constexpr double share_of_loss = 0.1;
// Of expected steps, which only have to be above half of what they are.
constexpr double precision_of_steps = 1e-7;
// Sweeps between two policies that are evaluated, as if each were over all states: as much work as the
// evaluation. Later ones are over few, whose news travels far until then.
constexpr std::size_t sweeps_per_policy = 20;
constexpr std::size_t most_sweeps_per_policy = 1000;
constexpr std::size_t most_policies_per_answer = 10'000;
constexpr double least_relative_bound = 1e-13;
// Policies whose costs agree to this are the same.
constexpr double same_cost = 1e-10;
// What costs may be wrong by, relatively, and still count as exact.
constexpr double exact_enough = 1e-8;
// What is next to nothing beside a typical step, which costs about one in the units of a solve
// (cssp/cost_units.h), is nothing.
constexpr double next_to_nothing = 1e-6;
// Of what flows into a state, in doubles.
constexpr double rounding_of_flows = 4e-15;
// Errors below this share of the largest count as that.
constexpr double range_of_errors = 1e-7;
// Rows change hands again when states would move by so much of all the way on average; it takes as long
// as a few iterations.
constexpr double worth_moving = 0.02;
constexpr std::uint64_t least_states_to_move = 20;
// How much of the gap that is asked for, or of the least that makes sense, a bound may waste.
constexpr double share_of_gap = 0.02;
constexpr double least_gap = 1e-10;
constexpr std::size_t sweeps_for_a_proof = 2000;

}  // namespace

Engine::Engine(PreparedRows prepared, double gap, const Homes& homes, const Ranks& ranks,
               Watch& watch)
    : homes_(homes),
      ranks_(ranks),
      watch_(watch),
      rows_(std::move(prepared.rows)),
      initial_(prepared.initial),
      negligible_loss_(share_of_gap * std::max(gap, least_gap)),
      tolerance_(first_tolerance) {
  ghosts_.emplace(rows_, ranks_);
  search_.emplace(rows_, *ghosts_, ranks_);
  scale_ = search_->distances(PairSet(rows_.num_pairs(), 1));
  pairs_ = first_policy(scale_);
  Evaluation start;
  start.values.assign(rows_.num_costs(), std::vector<double>(rows_.num_slots(), 0.0));
  // It need not be proved: policies that are good for nothing may have costs that doubles cannot hold.
  if (auto found = evaluate(RankPolicy(pairs_), start, &watch_)) evaluation_ = std::move(*found);
  // In each step a policy may lose that much of its value.
  if (evaluation_.steps > 0)
    tolerance_ = std::max(tolerance_, share_of_loss * negligible_loss_ / evaluation_.steps);
}

/// In every state a pair that may bring the goal nearer, which makes it proper; among these one that is
/// nearest to it on average, because with bad luck in every state policies take 10^9 steps and more.
std::vector<std::uint32_t> Engine::first_policy(const std::vector<double>& distance) const {
  std::vector<std::uint32_t> pairs(rows_.size());
  for (std::size_t s = 0; s < rows_.size(); ++s) {
    double least = infinity;
    for (std::size_t p = rows_.first_pair(s); p < rows_.last_pair(s); ++p) {
      const auto targets = rows_.targets(p);
      double nearest = infinity;
      double average = 0;
      for (std::size_t k = 0; k < targets.size(); ++k) {
        nearest = std::min(nearest, distance[targets[k]]);
        average += rows_.probabilities(p)[k] * distance[targets[k]];
      }
      if (nearest >= distance[s] || average >= least) continue;
      least = average;
      pairs[s] = static_cast<std::uint32_t>(p);
    }
  }
  return pairs;
}

/// Rows change hands, if they are far from the order of the values, and all that is known of their
/// states goes with them.
void Engine::reorder(const std::vector<double>& value) {
  if (watch_.reached()) return;
  const Order order = order_by(value, rows_, *ghosts_, ranks_);
  if (movement(rows_, order, ranks_) < worth_moving) return;
  ++work_.redistributions;
  const std::uint64_t initial_here =
      initial_ >= rows_.begin() && initial_ < rows_.begin() + rows_.size()
          ? order.position[initial_ - rows_.begin()]
          : 0;
  const auto places = [&](const std::vector<std::uint32_t>& pairs) {
    std::vector<double> place;
    for (std::size_t s = 0; s < rows_.size(); ++s)
      place.push_back(static_cast<double>(pairs[s] - rows_.first_pair(s)));
    return redistribute(place, order, ranks_);
  };
  // By place among the pairs of a state, which stay in order.
  std::vector<std::vector<double>> moved{places(pairs_)};
  for (const KnownPolicy& known : policies_)
    moved.push_back(places(known.pairs));
  std::vector<std::vector<double>> values;
  for (const std::vector<double>& of_cost : evaluation_.values)
    values.push_back(redistribute(std::span(of_cost).first(rows_.size()), order, ranks_));
  std::vector<double> scale = redistribute(std::span(scale_).first(rows_.size()), order, ranks_);
  search_.reset();
  const PairSet all(rows_.num_pairs(), 1);
  rows_ = redistribute(std::move(rows_), order, all, ranks_);
  ghosts_.emplace(rows_, ranks_);
  search_.emplace(rows_, *ghosts_, ranks_);
  initial_ = ranks_.max(initial_here);
  const auto pairs_at = [&](const std::vector<double>& place) {
    std::vector<std::uint32_t> pairs;
    for (std::size_t s = 0; s < rows_.size(); ++s)
      pairs.push_back(static_cast<std::uint32_t>(rows_.first_pair(s)) +
                      static_cast<std::uint32_t>(place[s]));
    return pairs;
  };
  pairs_ = pairs_at(moved[0]);
  for (std::size_t k = 0; k < policies_.size(); ++k)
    policies_[k].pairs = pairs_at(moved[k + 1]);
  const auto with_ghosts = [&](std::vector<double> own) {
    own.resize(rows_.num_slots(), 0.0);
    ghosts_->fetch(own);
    return own;
  };
  for (std::size_t i = 0; i < values.size(); ++i)
    evaluation_.values[i] = with_ghosts(std::move(values[i]));
  scale_ = with_ghosts(std::move(scale));
}

double Engine::at_start(const std::vector<double>& value) const {
  double own = 0;
  if (initial_ >= rows_.begin() && initial_ < rows_.begin() + rows_.size())
    own = value[initial_ - rows_.begin()];
  return ranks_.sum(own);
}

// --- evaluation -------------------------------------------------------------------------------------

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
                                                   const Evaluation& start, Watch* watch) {
  Evaluation result = start;
  PolicyMatrix matrix(rows_, *ghosts_, ranks_, policy, scale_, work_.equations, watch);
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

bool Engine::evaluate_scalar(const std::vector<double>& row_cost, std::vector<double>& value) {
  const RankPolicy policy(pairs_);
  std::vector<double> costs(rows_.size());
  for (std::size_t s = 0; s < rows_.size(); ++s)
    costs[s] = row_cost[rows_.cost_row(pairs_[s])];
  PolicyMatrix matrix(rows_, *ghosts_, ranks_, policy, value, work_.equations, &watch_);
  return matrix.solve(costs, value, std::max(PolicyMatrix::exact, share_of_tolerance * tolerance_));
}

// --- answers ----------------------------------------------------------------------------------------

std::vector<double> Engine::row_costs(std::span<const double> weights) const {
  std::vector<double> result;
  for (std::size_t row = 0; row < rows_.num_cost_rows(); ++row) {
    double sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i)
      sum += weights[i] * rows_.cost_of_row(row)[i];
    result.push_back(sum);
  }
  return result;
}

/// What the policy at hand costs from each state on: exact, so that it need not be evaluated when
/// weights change.
std::vector<double> Engine::weighted_values(std::span<const double> weights) const {
  std::vector<double> value(rows_.num_slots(), 0.0);
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (weights[i] != 0)
      for (std::size_t slot = 0; slot < value.size(); ++slot)
        value[slot] += weights[i] * evaluation_.values[i][slot];
  return value;
}

/// V(s) ← min(V(s), Q(s, a)). How much that has won, or zero.
double Engine::improve_state(std::size_t s, const std::vector<double>& row_cost,
                             std::vector<double>& value) {
  long double best = tolerance_ * value[s];
  std::size_t better = rows_.num_pairs();
  for (std::size_t p = rows_.first_pair(s); p < rows_.last_pair(s); ++p) {
    long double gain = -row_cost[rows_.cost_row(p)];
    const auto targets = rows_.targets(p);
    const auto probabilities = rows_.probabilities(p);
    for (std::size_t k = 0; k < targets.size(); ++k)
      gain -= static_cast<long double>(probabilities[k]) *
              (static_cast<long double>(value[targets[k]]) - value[s]);
    if (gain <= best) continue;
    best = gain;
    better = p;
  }
  work_.q_values += rows_.last_pair(s) - rows_.first_pair(s);
  if (better == rows_.num_pairs()) return 0;
  value[s] -= static_cast<double>(best);
  pairs_[s] = static_cast<std::uint32_t>(better);
  return static_cast<double>(best);
}

/// Sweeps over the states that may have something to win: all at first, then those that lead to where
/// something was won.
Engine::Improvement Engine::improve(const std::vector<double>& row_cost,
                                    std::vector<double>& value) {
  Improvement all;
  std::vector<std::uint8_t> is_to_be_seen(rows_.size(), 1);
  const auto tell_predecessors = [&](std::size_t slot) {
    for (const std::uint32_t pair : search_->incoming().pairs(slot))
      is_to_be_seen[search_->incoming().state(pair)] = 1;
  };
  const std::uint64_t enough_seen = sweeps_per_policy * rows_.ownership().total();
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < most_sweeps_per_policy && seen < enough_seen; ++i) {
    std::vector<std::uint64_t> changes_and_seen{0, 0};
    for (std::size_t s = 0; s < rows_.size(); ++s) {
      if (is_to_be_seen[s] == 0) continue;
      is_to_be_seen[s] = 0;
      ++changes_and_seen[1];
      const double before = value[s];
      const double gain = improve_state(s, row_cost, value);
      if (gain == 0) continue;
      all.largest = std::max(all.largest, gain / before);
      ++changes_and_seen[0];
      tell_predecessors(s);
    }
    ++work_.sweeps;
    ranks_.sum(changes_and_seen);
    if (changes_and_seen[0] == 0) break;
    all.changes += changes_and_seen[0];
    seen += changes_and_seen[1];
    const std::vector<double> before(value.begin() + static_cast<std::ptrdiff_t>(rows_.size()),
                                     value.end());
    ghosts_->fetch(value);
    for (std::size_t g = 0; g < before.size(); ++g)
      if (value[rows_.size() + g] != before[g]) tell_predecessors(rows_.size() + g);
    if (watch_.reached(changes_and_seen[1])) break;
  }
  all.largest = ranks_.max(all.largest);
  return all;
}

/// The policy becomes optimal for these weights. False if a limit, or what doubles cannot solve, ended
/// it.
bool Engine::solve(std::span<const double> weights) {
  const std::vector<double> row_cost = row_costs(weights);
  std::vector<double> value = weighted_values(weights);
  bool changed = false;
  for (std::size_t i = 0; i < most_policies_per_answer; ++i) {
    const Improvement improvement = improve(row_cost, value);
    if (improvement.changes == 0) break;
    changed = true;
    ++work_.improvements;
    if (improvement.largest <= hardly_better * tolerance_) break;
    if (watch_.reached() || !evaluate_scalar(row_cost, value)) return false;
  }
  if (!changed && evaluation_.proved) return true;
  scale_ = value;
  auto found = evaluate(RankPolicy(pairs_), evaluation_, &watch_);
  if (!found || !found->proved) return false;
  evaluation_ = std::move(*found);
  return true;
}

oracle::PolicyHandle Engine::remember(bool& is_new) {
  const auto agree = [](double a, double b) { return std::abs(a - b) <= same_cost * std::abs(a); };
  const auto same = std::find_if(policies_.begin(), policies_.end(), [&](const KnownPolicy& known) {
    return std::equal(known.costs.begin(), known.costs.end(), evaluation_.costs.begin(), agree);
  });
  is_new = same == policies_.end();
  if (!is_new) return static_cast<oracle::PolicyHandle>(same - policies_.begin());
  policies_.push_back({evaluation_.costs, pairs_});
  return policies_.size() - 1;
}

oracle::Answer Engine::ask(std::span<const double> weights) {
  ++work_.answers;
  const bool again =
      std::equal(weights.begin(), weights.end(), last_weights_.begin(), last_weights_.end());
  last_weights_.assign(weights.begin(), weights.end());
  if (evaluation_.costs.empty()) return {};
  const std::vector<std::uint32_t> before = pairs_;
  if (!solve(weights)) {
    pairs_ = before;  // whose values are known
    return {};
  }
  oracle::Answer answer{.outcome = oracle::Answer::Outcome::answered};
  answer.policy = remember(answer.is_new);
  for (std::size_t i = 0; i < weights.size(); ++i)
    answer.weighted_cost += weights[i] * evaluation_.costs[i];
  const FreeLoops none(ranks_);
  LowerBound bound(rows_, *ghosts_, ranks_, none, weights, false);
  answer.lower_bound = bound.prove(weighted_values(weights), initial_,
                                   {.negligible_loss = negligible_loss_}, watch_);
  answer.is_final =
      answer.lower_bound >= answer.weighted_cost * (1 - least_relative_bound) ||
      (again && !answer.is_new && answer.lower_bound <= last_bound_ * (1 + least_relative_bound));
  last_bound_ = answer.lower_bound;
  if (rows_.ownership().total() >= least_states_to_move) reorder(weighted_values(weights));
  return answer;
}

double Engine::bound_nearby(std::span<const double> weights, double negligible_loss) {
  if (evaluation_.costs.empty()) return 0;
  const FreeLoops loops(rows_, *search_, ranks_, weights);
  LowerBound bound(rows_, *ghosts_, ranks_, loops, weights, true);
  return bound.prove(weighted_values(weights), initial_,
                     {.negligible_loss = negligible_loss,
                      .max_sweeps = sweeps_for_a_proof,
                      .holds_as_written = true},
                     watch_);
}

bool Engine::tighten() {
  if (tolerance_ <= least_tolerance) return false;
  tolerance_ = std::max(least_tolerance, tolerance_ * tightening);
  return true;
}

// --- policies ---------------------------------------------------------------------------------------

std::vector<double> Engine::start_state() const {
  std::vector<double> start(rows_.size(), 0.0);
  if (initial_ >= rows_.begin() && initial_ < rows_.begin() + rows_.size())
    start[initial_ - rows_.begin()] = 1;
  return start;
}

/// Expected departures from each own state.
std::optional<std::vector<double>> Engine::visits(const RankPolicy& policy) {
  PolicyMatrix matrix(rows_, *ghosts_, ranks_, policy, scale_, work_.equations, nullptr);
  std::vector<double> result(rows_.num_slots(), 0.0);
  if (!matrix.solve_transposed(start_state(), result)) return std::nullopt;
  const std::vector<double> reached = reached_by(policy);
  result.resize(rows_.size());
  for (std::size_t s = 0; s < rows_.size(); ++s)
    result[s] = reached[s] != 0 ? std::max(result[s], 0.0) : 0.0;
  return result;
}

/// Occupation measures add up: in each state pairs are taken in proportion to their flow. Where there
/// is none, what some policy of the mixture does that gets there.
RankPolicy Engine::mixed(std::span<const double> mixture, std::vector<double>& departures,
                         bool& solved) {
  std::vector<double> flow(rows_.num_pairs(), 0.0);
  std::vector<std::uint32_t> otherwise = pairs_;
  departures.assign(rows_.size(), 0.0);
  solved = true;
  for (std::size_t k = 0; k < mixture.size(); ++k) {
    if (mixture[k] <= 0) continue;
    const RankPolicy part(policies_[k].pairs);
    const auto found = visits(part);
    if (!found) {
      solved = false;
      continue;
    }
    const std::vector<double> reached = reached_by(part);
    for (std::size_t s = 0; s < rows_.size(); ++s) {
      flow[policies_[k].pairs[s]] += mixture[k] * (*found)[s];
      departures[s] += mixture[k] * (*found)[s];
      if (reached[s] != 0) otherwise[s] = policies_[k].pairs[s];
    }
  }
  RankPolicy policy;
  for (std::size_t s = 0; s < rows_.size(); ++s) {
    if (departures[s] <= 0) policy.add_choice(otherwise[s], 1);
    for (std::size_t p = rows_.first_pair(s); p < rows_.last_pair(s); ++p)
      if (flow[p] > 0) policy.add_choice(static_cast<std::uint32_t>(p), flow[p] / departures[s]);
    policy.end_state();
  }
  return policy;
}

/// At most how many steps there may be that departures do not tell of, or too many that they do. What is
/// left of their equations is that at each state, times the number of steps from there on, which is at
/// most 2T as in is_accurate(). Infinite if there is no such T.
double Engine::steps_lost(const std::vector<double>& departures, const RankPolicy& policy,
                          const std::vector<double>& reached) {
  PolicyMatrix matrix(rows_, *ghosts_, ranks_, policy, scale_, work_.equations, nullptr);
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

oracle::EvaluatedPolicy Engine::mix(std::span<const double> mixture) {
  bool solved = true;
  mixed_ = mixed(mixture, mixed_departures_, solved);
  if (!solved) return {};
  std::optional<std::vector<double>> costs = costs_by(mixed_departures_, mixed_);
  if (!costs) {
    const auto evaluation = evaluate(mixed_, evaluation_, nullptr);
    if (!evaluation || !evaluation->proved) return {};
    costs = evaluation->costs;
  }
  return {true, homes_.gather(entries(mixed_, mixed_departures_)), std::move(*costs)};
}

Policy Engine::policy(oracle::PolicyHandle handle) {
  const RankPolicy policy(policies_[handle].pairs);
  const auto found = visits(policy);
  return homes_.gather(entries(policy, found ? *found : std::vector<double>(rows_.size(), 0.0)));
}

void Engine::save(oracle::PolicyHandle handle, const Cssp& cssp, const std::string& path) const {
  write_pairs(path, cssp, rows_, policies_[handle].pairs, ranks_);
}

/// States that the file does not know go on as they do: what leads to those that it knows is proper
/// because these are.
oracle::PolicyHandle Engine::restore(const Cssp& cssp, const std::string& path) {
  std::vector<std::uint32_t> pairs = pairs_;
  read_pairs(path, cssp, rows_, pairs, ranks_, watch_.monitor());
  auto found = evaluate(RankPolicy(pairs), evaluation_, &watch_);
  if (!found || !found->proved) {
    watch_.check_all(watch_.monitor().kind());
    throw InputError(fmt::format("'{}' is no proper policy of this problem", path));
  }
  pairs_ = std::move(pairs);
  evaluation_ = std::move(*found);
  bool is_new = false;
  return remember(is_new);
}

/// In terms of the problem: see ssp/policy_actions.h.
Homes::Entries Engine::entries(const RankPolicy& policy,
                               const std::vector<double>& departures) const {
  const std::vector<double> reached = reached_by(policy);
  Homes::Entries result;
  for (std::size_t s = 0; s < rows_.size(); ++s) {
    if (reached[s] == 0) continue;
    double uses = 0;
    for (const auto& [pair, probability] : policy.choices(s))
      uses += probability * rows_.repeats(pair);
    result.add_state(rows_.name(s), rows_.begin() + s == initial_, departures[s] * uses,
                     policy.choices(s).size());
    for (const auto& [pair, probability] : policy.choices(s))
      result.add_choice(rows_.action(pair), probability * rows_.repeats(pair) / uses);
  }
  return result;
}

void Engine::write_mixed(const std::string& path) const {
  homes_.write(entries(mixed_, mixed_departures_), path);
}

EngineWork Engine::work() const {
  return work_;
}

}  // namespace carl::cluster
