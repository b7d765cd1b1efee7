#include "carl/policy.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

namespace carl {
namespace {

constexpr std::uint32_t free_slot = std::numeric_limits<std::uint32_t>::max();

/// As many slots as keep an index of so many states at most three quarters full.
std::size_t slots_for(std::size_t states) {
  return std::bit_ceil(std::max<std::size_t>(4, states + states / 3));
}

template <class T>
std::size_t held(const std::vector<T>& vector) {
  return vector.capacity() * sizeof(T);
}

}  // namespace

void Policy::reserve(std::size_t states) {
  states_.reserve(states);
  visits_.reserve(states);
  actions_.reserve(states);
  if (slots_for(states) > index_.size()) index_states(slots_for(states));
}

void Policy::add_state(StateId state, std::optional<double> visits) {
  states_.push_back(state);
  visits_.push_back(visits.value_or(std::numeric_limits<double>::quiet_NaN()));
  actions_.emplace_back();
  if (slots_for(states_.size()) > index_.size()) return index_states(slots_for(states_.size()));
  std::uint32_t& slot = index_[slot_of(state)];
  if (slot == free_slot) slot = static_cast<std::uint32_t>(states_.size() - 1);
}

void Policy::add_choice(ActionId action, double probability) {
  assert(!states_.empty());
  const auto last = static_cast<std::uint32_t>(states_.size() - 1);
  ActionId& single = actions_[last];
  const bool is_written_out = !written_out_.empty() && written_out_.back() == last;
  if (!is_written_out) {
    if (!single.valid() && action.valid() && probability == 1) {
      single = action;
      return;
    }
    written_out_.push_back(last);
    first_choice_.push_back(choices_.size());
    if (single.valid()) choices_.push_back({single, 1});
    single = ActionId();
  }
  choices_.push_back({action, probability});
}

Policy::Entry Policy::operator[](std::size_t i) const {
  Entry entry{states_[i], std::nullopt, {}};
  if (!std::isnan(visits_[i])) entry.visits = visits_[i];
  if (actions_[i].valid()) {
    entry.choices.single_ = actions_[i];
    entry.choices.size_ = 1;
    return entry;
  }
  const auto found = std::lower_bound(written_out_.begin(), written_out_.end(), i);
  if (found == written_out_.end() || *found != i) return entry;  // no choices at all
  const auto k = static_cast<std::size_t>(found - written_out_.begin());
  const std::size_t end = k + 1 < first_choice_.size() ? first_choice_[k + 1] : choices_.size();
  entry.choices.written_ = choices_.data() + first_choice_[k];
  entry.choices.size_ = end - first_choice_[k];
  return entry;
}

std::optional<std::size_t> Policy::find(StateId state) const {
  if (index_.empty()) return std::nullopt;
  const std::uint32_t entry = index_[slot_of(state)];
  return entry == free_slot ? std::nullopt : std::optional<std::size_t>(entry);
}

/// The slot that has the state, or the free one where it belongs. (Multiplying by 2^32 divided by
/// the golden ratio spreads numbers that follow each other.)
std::size_t Policy::slot_of(StateId state) const {
  const std::size_t mask = index_.size() - 1;
  const auto hash = static_cast<std::uint32_t>(state.index() * 2654435769U);
  std::size_t slot = (hash ^ (hash >> 16U)) & mask;
  while (index_[slot] != free_slot && states_[index_[slot]] != state)
    slot = (slot + 1) & mask;
  return slot;
}

void Policy::index_states(std::size_t slots) {
  index_.assign(slots, free_slot);
  index_.shrink_to_fit();
  for (std::size_t i = 0; i < states_.size(); ++i) {
    std::uint32_t& slot = index_[slot_of(states_[i])];
    if (slot == free_slot) slot = static_cast<std::uint32_t>(i);
  }
}

std::size_t Policy::num_stochastic_states() const {
  std::size_t count = 0;
  for (std::size_t k = 0; k < first_choice_.size(); ++k) {
    const std::size_t end = k + 1 < first_choice_.size() ? first_choice_[k + 1] : choices_.size();
    std::size_t possible = 0;
    for (std::size_t c = first_choice_[k]; c < end; ++c)
      possible += choices_[c].probability > 0;
    count += possible > 1;
  }
  return count;
}

std::size_t Policy::bytes() const {
  return held(states_) + held(visits_) + held(actions_) + held(written_out_) + held(first_choice_) +
         held(choices_) + held(index_);
}

bool operator==(const Policy& a, const Policy& b) {
  const auto same_visits = [](double x, double y) {
    return x == y || (std::isnan(x) && std::isnan(y));
  };
  return a.states_ == b.states_ && a.actions_ == b.actions_ && a.written_out_ == b.written_out_ &&
         a.first_choice_ == b.first_choice_ && a.choices_ == b.choices_ &&
         std::equal(a.visits_.begin(), a.visits_.end(), b.visits_.begin(), b.visits_.end(),
                    same_visits);
}

}  // namespace carl
