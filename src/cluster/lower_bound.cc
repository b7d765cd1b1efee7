#include "cluster/lower_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carl::cluster {
namespace {

constexpr long double rounding_of_long_double = 0x1.0p-63L;
constexpr long double rounding_of_double = 0x1.0p-53L;
constexpr std::size_t further_roundings = 4;
constexpr double much_room = 1 - 1e-9;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t most_rounds_of_free_pairs = 100'000;

}  // namespace

LowerBound::LowerBound(const Rows& rows, const Ghosts& ghosts, const Ranks& ranks,
                       const FreeLoops& loops, std::span<const double> weights,
                       bool holds_as_written)
    : rows_(rows),
      ghosts_(ghosts),
      ranks_(ranks),
      loops_(loops),
      rounding_(holds_as_written ? rounding_of_double : rounding_of_long_double) {
  for (std::size_t row = 0; row < rows.num_cost_rows(); ++row) {
    long double sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i)
      if (weights[i] != 0) sum += static_cast<long double>(weights[i]) * rows.cost_of_row(row)[i];
    row_cost_.push_back(sum);
    any_free_ |= sum == 0;
  }
  any_free_ = ranks.any(any_free_);
}

/// Of a sum over this pair's outcomes and costs, by rounding.
long double LowerBound::share_lost(std::size_t pair) const {
  const std::size_t terms = rows_.targets(pair).size() + rows_.num_costs() + further_roundings;
  return rounding_ * static_cast<double>(terms);
}

/// Q(s,a) - V(s), and how much rounding may have added to it.
LowerBound::Slack LowerBound::slack(std::size_t state, std::size_t pair) const {
  const long double own = value_[state];
  long double sum = row_cost_[rows_.cost_row(pair)];
  long double size = sum;
  const auto targets = rows_.targets(pair);
  const auto probabilities = rows_.probabilities(pair);
  for (std::size_t k = 0; k < targets.size(); ++k) {
    const long double part = probabilities[k] * (value_[targets[k]] - own);
    sum += part;
    size += part < 0 ? -part : part;
  }
  return {sum, size * share_lost(pair)};
}

/// Most pairs have, which doubles can tell.
bool LowerBound::has_much_room(std::size_t state, std::size_t pair) const {
  auto q = static_cast<double>(row_cost_[rows_.cost_row(pair)]);
  const auto targets = rows_.targets(pair);
  const auto probabilities = rows_.probabilities(pair);
  for (std::size_t k = 0; k < targets.size(); ++k)
    q += probabilities[k] * value_[targets[k]];
  return value_[state] <= q * much_room;
}

/// max viol / c over all pairs of all ranks; infinite if a free one is violated.
long double LowerBound::excess() const {
  long double most = 0;
  for (std::size_t s = 0; s < rows_.size() && most != infinity; ++s) {
    if (value_[s] == 0) continue;
    for (std::size_t p = rows_.first_pair(s); p < rows_.last_pair(s); ++p) {
      if (has_much_room(s, p)) continue;
      const auto [slack_left, error] = slack(s, p);
      if (!(slack_left < error)) continue;
      most = is_free(p) ? static_cast<long double>(infinity)
                        : std::max(most, (error - slack_left) /
                                             (row_cost_[rows_.cost_row(p)] * (1 - share_lost(p))));
    }
  }
  // As a double, rounded up.
  const auto rounded = std::nextafter(static_cast<double>(most), infinity);
  return ranks_.max(most == 0 ? 0.0 : rounded);
}

/// V(s) ← Q(s,a), a little less than that, if it is more. True if it was.
bool LowerBound::lower(std::size_t state, std::size_t pair) {
  if (value_[state] == 0 || has_much_room(state, pair)) return false;
  const Slack left = slack(state, pair);
  if (!left.is_violated()) return false;
  const auto lowered = static_cast<double>(value_[state] + left.slack - 2 * left.error);
  value_[state] =
      std::max(0.0, std::min(std::nextafter(lowered, 0.0), std::nextafter(value_[state], 0.0)));
  return true;
}

/// One sweep of V(s) ← min(V(s), Q(s,a)); all states of a free loop have the least of its values.
bool LowerBound::sweep(bool free_only) {
  bool changed = false;
  for (std::size_t s = 0; s < rows_.size(); ++s)
    for (std::size_t p = rows_.first_pair(s); p < rows_.last_pair(s); ++p)
      if (!free_only || is_free(p)) changed |= lower(s, p);
  loops_.equalise(value_);
  ghosts_.fetch(value_);
  return ranks_.any(changed);
}

/// False if that takes too long.
bool LowerBound::settle_free_pairs(Watch& watch) {
  if (!any_free_) return true;
  for (std::size_t i = 0; i < most_rounds_of_free_pairs; ++i) {
    if (!sweep(true)) return true;
    if (watch.reached(rows_.ownership().total())) return false;
  }
  return false;
}

double LowerBound::start(GlobalId initial) const {
  double own = 0;
  if (initial >= rows_.begin() && initial < rows_.begin() + rows_.size())
    own = value_[initial - rows_.begin()];
  return ranks_.max(own);
}

double LowerBound::prove(std::vector<double> value, GlobalId initial,
                         const LowerBoundOptions& options, Watch& watch) {
  value_ = std::move(value);
  for (double& v : value_)
    v = std::max(0.0, v);  // costs are not negative, so this only improves a sub-solution
  loops_.equalise(value_);
  ghosts_.fetch(value_);
  double best = 0;
  const auto look = [&] {
    const long double theta = 1 / (1 + excess());
    const auto bound =
        static_cast<double>(theta * start(initial) * (1 - 4 * rounding_of_long_double));
    best = std::max(best, std::nextafter(bound, 0.0));
  };
  const auto good_enough = [&] { return start(initial) <= best * (1 + options.negligible_loss); };
  look();
  for (std::size_t i = 0; i < options.max_sweeps && !good_enough(); ++i) {
    if (i > 0 && watch.reached()) break;
    const bool changed = sweep(false);
    if (!settle_free_pairs(watch)) break;
    look();
    if (!changed) break;
  }
  return best;
}

}  // namespace carl::cluster
