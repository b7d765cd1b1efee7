#include "heuristics/values_from_below.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "graph/proper_region.h"
#include "graph/q_value.h"

namespace carl::heuristics {
namespace {

using graph::PairId;

constexpr double infinity = std::numeric_limits<double>::infinity();
// A rise below this share of the value is not worth telling the predecessors.
constexpr double negligible_rise = 1e-7;
// Where values creep, they are good enough after so many backups of each state.
constexpr std::size_t most_sweeps = 200;

/// The largest share ≤ 1 such that every weight is at least that share of the old one.
double least_share(std::span<const double> weights, std::span<const double> old) {
  double share = 1;
  for (std::size_t i = 0; i < old.size(); ++i)
    if (old[i] > 0) share = std::min(share, weights[i] / old[i]);
  return share;
}

}  // namespace

ValuesFromBelow::ValuesFromBelow(const graph::SearchGraph& graph, std::vector<bool> is_goal)
    : graph_(graph),
      predecessors_(graph),
      is_goal_(std::move(is_goal)),
      is_dead_end_(graph.num_states(), true),
      value_(graph.num_states(), 0.0),
      vector_(graph.num_states() * graph.num_costs(), 0.0),
      best_pair_(graph.num_states()),
      is_due_(graph.num_states(), false) {
  find_dead_ends();
  if (graph.cssp().can_give_up()) return;
  Monitor monitor;
  const graph::ProperRegion region = graph::proper_region(graph, is_goal_, monitor);
  for (std::size_t s = 0; s < value_.size(); ++s)
    if (!region.contains(StateId(s))) value_[s] = infinity;
}

void ValuesFromBelow::find_dead_ends() {
  std::vector<StateId> queue;
  const auto reach = [&](StateId s) {
    if (!is_dead_end_[s.index()]) return;
    is_dead_end_[s.index()] = false;
    queue.push_back(s);
  };
  for (std::size_t s = 0; s < graph_.num_states(); ++s)
    if (is_goal_[s]) reach(StateId(s));
  for (std::size_t next = 0; next < queue.size(); ++next)
    predecessors_.for_each(queue[next], [&](PairId p) { reach(graph_.state(p)); });
}

void ValuesFromBelow::solve(std::span<const double> weights) {
  scale_old_values(weights);
  weights_.assign(weights.begin(), weights.end());
  row_cost_.clear();
  for (std::size_t row = 0; row < graph_.num_cost_rows(); ++row)
    row_cost_.push_back(graph::weighted_cost(graph_.cost_of_row(row), weights));
  raise_to_cheapest_paths();
  iterate();
}

void ValuesFromBelow::scale_old_values(std::span<const double> weights) {
  const double share = least_share(weights, weights_);
  for (double& value : value_)
    if (value != infinity) value *= share;
}

/// Dijkstra's algorithm, backwards from the goals and from giving up. Pairs that may lead to where
/// there is no hope are of no use.
void ValuesFromBelow::raise_to_cheapest_paths() {
  distance_.assign(value_.size(), infinity);
  queue_.clear();
  order_.clear();
  for (std::size_t s = 0; s < value_.size(); ++s)
    if (is_goal_[s]) {
      distance_[s] = 0;
      queue_.push(0, static_cast<std::uint32_t>(s));
    }
  predecessors_.for_each_ending([&](PairId p) { relax(p, 0); });
  while (!queue_.empty()) {
    const auto [distance, number] = queue_.pop();
    const StateId s(number);
    if (distance > distance_[s.index()] || is_due_[s.index()]) continue;
    is_due_[s.index()] = true;
    order_.push_back(s);
    predecessors_.for_each(s, [&, d = distance](PairId p) { relax(p, d); });
  }
  for (const StateId s : order_)
    value_[s.index()] = std::max(value_[s.index()], distance_[s.index()]);
}

void ValuesFromBelow::relax(PairId p, double distance) {
  ++work_;
  const StateId s = graph_.state(p);
  if (value_[s.index()] == infinity || is_goal_[s.index()]) return;
  const double through = distance + row_cost_[graph_.cost_row(p)];
  if (through >= distance_[s.index()]) return;
  const auto successors = graph_.successors(p);
  if (std::any_of(successors.begin(), successors.end(),
                  [&](StateId t) { return value_[t.index()] == infinity; }))
    return;
  distance_[s.index()] = through;
  queue_.push(through, static_cast<std::uint32_t>(s.index()));
}

void ValuesFromBelow::iterate() {
  bool any_due = true;
  for (std::size_t sweep = 0; any_due && sweep < most_sweeps; ++sweep) {
    any_due = false;
    for (const StateId s : order_) {
      if (!is_due_[s.index()]) continue;
      is_due_[s.index()] = false;
      if (is_goal_[s.index()]) continue;
      const double old = value_[s.index()];
      raise(s, best(s));
      if (value_[s.index()] <= old * (1 + negligible_rise)) continue;
      any_due = true;
      predecessors_.for_each(s, [&](PairId p) { is_due_[graph_.state(p).index()] = true; });
    }
  }
  std::fill(is_due_.begin(), is_due_.end(), false);
}

ValuesFromBelow::Best ValuesFromBelow::best(StateId s) {
  Best best{PairId(), infinity};
  for (const PairId p : graph_.pairs(s)) {
    const double q = graph::q_value(graph_, p, row_cost_[graph_.cost_row(p)],
                                    [&](StateId t) { return value_[t.index()]; });
    work_ += 1 + graph_.successors(p).size();
    if (q < best.q) best = {p, q};
  }
  return best;
}

void ValuesFromBelow::raise(StateId s, const Best& best) {
  if (!best.pair.valid()) return;
  value_[s.index()] = std::max(value_[s.index()], best.q);
  best_pair_[s.index()] = best.pair;
  const std::size_t n = graph_.num_costs();
  const auto cost = graph_.cost(best.pair);
  double* out = vector_.data() + s.index() * n;
  std::copy(cost.begin(), cost.end(), out);
  const auto successors = graph_.successors(best.pair);
  const auto probabilities = graph_.probabilities(best.pair);
  for (std::size_t k = 0; k < successors.size(); ++k)
    for (std::size_t i = 0; i < n; ++i)
      out[i] += probabilities[k] * vector_[successors[k].index() * n + i];
}

void ValuesFromBelow::vector(StateId s, std::span<double> out) const {
  const std::size_t n = out.size();
  std::copy_n(vector_.begin() + static_cast<std::ptrdiff_t>(s.index() * n), n, out.begin());
  const double sum = graph::weighted_cost(out, weights_);
  const double value = value_[s.index()];
  if (sum > 0) {
    for (double& entry : out)
      entry *= value / sum;
    return;
  }
  std::fill(out.begin(), out.end(), 0.0);
  const auto counts =
      std::find_if(weights_.begin(), weights_.end(), [](double w) { return w > 0; });
  if (counts != weights_.end())
    out[static_cast<std::size_t>(counts - weights_.begin())] = value / *counts;
}

}  // namespace carl::heuristics
