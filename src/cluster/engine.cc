#include "cluster/engine.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cluster/redistribution.h"

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
// Sweeps between two policies that are evaluated, as if each were over all states: as much work as the
// evaluation. Later ones are over few, whose news travels far until then.
constexpr std::size_t sweeps_per_policy = 20;
constexpr std::size_t most_sweeps_per_policy = 1000;
constexpr std::size_t most_policies_per_answer = 10'000;
constexpr double least_relative_bound = 1e-13;
// Policies whose costs agree to this are the same.
constexpr double same_cost = 1e-10;
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
  if (auto found = evaluate(RankPolicy(pairs_), start, AtLimit::end))
    evaluation_ = std::move(*found);
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

bool Engine::evaluate_scalar(const std::vector<double>& row_cost, std::vector<double>& value) {
  const RankPolicy policy(pairs_);
  std::vector<double> costs(rows_.size());
  for (std::size_t s = 0; s < rows_.size(); ++s)
    costs[s] = row_cost[rows_.cost_row(pairs_[s])];
  PolicyMatrix matrix(rows_, *ghosts_, ranks_, policy, value, work_.equations, watch_,
                      AtLimit::end);
  return matrix.solve(costs, value, std::max(PolicyMatrix::exact, share_of_tolerance * tolerance_));
}

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
  auto found = evaluate(RankPolicy(pairs_), evaluation_, AtLimit::end);
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

EngineWork Engine::work() const {
  return work_;
}

}  // namespace carl::cluster
