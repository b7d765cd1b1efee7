#include "model/transitions.h"

#include <algorithm>
#include <numeric>

#include "carl/monitor.h"

namespace carl {
namespace {

constexpr double without_loop = 0;
constexpr double infinity = std::numeric_limits<double>::infinity();

template <class Array>
std::size_t bytes_of(const Array& array) {
  // What arrays reserve beyond their size takes no memory until it is used.
  return array.size() * sizeof(array[0]);
}

}  // namespace

std::size_t PairArrays::bytes() const {
  return bytes_of(pairs_) + bytes_of(states_) + bytes_of(successors_);
}

void PairArrays::reserve(std::size_t pairs, std::size_t outcomes) {
  pairs_.reserve(pairs + 1);
  successors_.reserve(outcomes);
}

void PairArrays::extend(std::size_t pairs, std::size_t outcomes) {
  successors_.extend(outcomes);
  pairs_.extend(pairs);
  pairs_.back() = {successors_.size(), 0, 0};
  states_.extend(pairs);
}

Transitions::Transitions(std::size_t num_costs) : num_costs_(num_costs) {
  cost_rows_.append_apart(std::vector<double>(num_costs + 1, 0.0));  // give_up_row
}

double Transitions::repeats(std::size_t row) const {
  return loop(row) == Loop::leaves ? cost_rows_[row][num_costs_] : 1.0;
}

Transitions::Loop Transitions::loop(std::size_t row) const {
  const double repeats = cost_rows_[row][num_costs_];
  if (repeats == without_loop) return Loop::none;
  return repeats == infinity ? Loop::stays : Loop::leaves;
}

std::span<const double> Transitions::distribution(PairId p) const {
  const PairView view = pairs_.view();
  const std::size_t others = view.num_outcomes(p);
  const auto from = distributions_.elements().subspan(view.first_probability(p));
  return loop(view.cost_row(p)) == Loop::none ? from.first(others)
                                              : from.subspan(others, others + 1);
}

std::size_t Transitions::place_of_loop(PairId p) const {
  const PairView view = pairs_.view();
  const std::size_t after = view.first_probability(p) + 2 * view.num_outcomes(p) + 1;
  return static_cast<std::size_t>(distributions_.elements()[after]);
}

std::vector<StateId> Transitions::successors(PairId p) const {
  std::vector<StateId> result;
  for_parts(p, [&](std::span<const double>, std::span<const StateId> part) {
    result.insert(result.end(), part.begin(), part.end());
  });
  return result;
}

std::size_t Transitions::bytes() const {
  return pairs_.bytes() + bytes_of(first_pair_) + bytes_of(state_of_block_) + cost_rows_.bytes() +
         distributions_.bytes();
}

void Transitions::add_pair(StateId state, std::span<const double> cost,
                           std::span<const double> probabilities,
                           std::span<const StateId> successors) {
  if (!pairs_.has_room(1)) throw LimitReached(LimitKind::memory);
  const auto own = std::find(successors.begin(), successors.end(), state);
  const bool loops = own != successors.end();
  double leaving = 0;
  for (std::size_t k = 0; k < successors.size(); ++k)
    if (successors[k] != state) leaving += probabilities[k];
  const bool stays = loops && leaving < least_leaving_probability;
  const double repeats = loops ? 1.0 / leaving : without_loop;
  row_.assign(cost.begin(), cost.end());
  row_.push_back(stays ? infinity : repeats);
  const std::uint32_t cost_row = cost_rows_.intern(row_);
  const std::uint32_t distribution =
      loops ? intern_loop(probabilities, static_cast<std::size_t>(own - successors.begin()),
                          stays ? 1.0 : repeats)
            : distributions_.intern(probabilities);
  const std::size_t first_probability = distributions_.offset(distribution);
  if (first_probability > std::numeric_limits<std::uint32_t>::max())
    throw LimitReached(LimitKind::memory);
  pairs_.add_successors(successors, state);
  pairs_.add_pair(cost_row, static_cast<std::uint32_t>(first_probability));
  pairs_.end_state(state);
}

bool Transitions::repeat_pair(StateId state, const RecentPairs::Given& given,
                              std::span<const StateId> successors) {
  const RecentPairs::Rows* const rows = recent_->find(given);
  if (rows == nullptr || !pairs_.has_room(1)) return false;
  pairs_.add_successors(successors, state);
  pairs_.add_pair(rows->cost, rows->first_probability);
  pairs_.end_state(state);
  return true;
}

void Transitions::remember_pair(const RecentPairs::Given& given) {
  const PairView view = pairs_.view();
  const PairId last(pairs_.num_pairs() - 1);
  recent_->remember(given, {view.cost_row(last), view.first_probability(last)});
}

std::uint32_t Transitions::intern_loop(std::span<const double> probabilities, std::size_t place,
                                       double repeats) {
  row_.clear();
  for (std::size_t k = 0; k < probabilities.size(); ++k)
    if (k != place) row_.push_back(probabilities[k] * repeats);
  row_.insert(row_.end(), probabilities.begin(), probabilities.end());
  row_.push_back(static_cast<double>(place));
  return distributions_.intern(row_);
}

/// A counting sort. Most texts have the actions in order.
std::vector<PairId> Transitions::finish(std::size_t num_states) {
  recent_.reset();
  cost_rows_.forget_index();
  distributions_.forget_index();
  const PairView view = pairs_.view();
  first_pair_.assign(num_states + 1, 0);
  bool in_order = true;
  for (std::size_t p = 0; p < pairs_.num_pairs(); ++p) {
    const StateId state = view.state(PairId(p));
    ++first_pair_[state.index() + 1];
    in_order &= p == 0 || !(state < view.state(PairId(p - 1)));
  }
  std::partial_sum(first_pair_.begin(), first_pair_.end(), first_pair_.begin());
  std::vector<PairId> order;
  if (!in_order) order = sort_pairs();
  const PairView sorted = pairs_.view();
  for (std::size_t p = 0; p < pairs_.num_pairs(); p += pairs_per_block)
    state_of_block_.push_back(sorted.state(PairId(p)));
  pairs_.forget_states();
  // So that adding pairs for giving up moves nothing.
  pairs_.reserve(pairs_.num_pairs() + num_states, pairs_.num_outcomes());
  return order;
}

std::vector<PairId> Transitions::sort_pairs() {
  const PairView view = pairs_.view();
  std::vector<PairId> order(pairs_.num_pairs());
  std::vector<std::uint32_t> next(first_pair_.begin(), first_pair_.end() - 1);
  for (std::size_t p = 0; p < pairs_.num_pairs(); ++p)
    order[next[view.state(PairId(p)).index()]++] = PairId(p);
  PairArrays sorted;
  sorted.reserve(pairs_.num_pairs() + num_states(), pairs_.num_outcomes());
  for (const PairId p : order) {
    for (const StateId successor : view.successors(p))
      sorted.add_successor(successor);
    sorted.add_pair(view.cost_row(p), view.first_probability(p));
    sorted.end_state(view.state(p));
  }
  pairs_ = std::move(sorted);
  return order;
}

void Transitions::add_giving_up() {
  if (pairs_.num_pairs() > num_pairs()) return;
  if (!pairs_.has_room(num_states())) throw LimitReached(LimitKind::memory);
  for (std::size_t s = 0; s < num_states(); ++s)
    pairs_.add_pair(give_up_row, 0);
}

}  // namespace carl
