#include "model/fresh_states.h"

#include <algorithm>
#include <limits>

#include "carl/monitor.h"

namespace carl {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t least_slots = 64;

}  // namespace

void FreshStates::begin(const task::StateRegistry& known) {
  known_ = &known;
  first_id_ = known.size();
  words_.clear();
  hashes_.clear();
  slots_.assign(std::max(least_slots, slots_.size()), none);
}

StateId FreshStates::add(const std::uint64_t* state, std::uint64_t hash) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  for (; slots_[slot] != none; slot = (slot + 1) & mask) {
    const std::uint32_t number = slots_[slot];
    if (hashes_[number] == hash &&
        task::equal_states(state, this->state(number), known_->num_words()))
      return StateId(first_id_ + number);
  }
  const std::size_t number = size();
  if (first_id_ + number >= none - 1) throw LimitReached(LimitKind::memory);
  slots_[slot] = static_cast<std::uint32_t>(number);
  words_.insert(words_.end(), state, state + known_->num_words());
  hashes_.push_back(hash);
  if (2 * size() > slots_.size()) enlarge();
  return StateId(first_id_ + number);
}

void FreshStates::enlarge() {
  slots_.assign(2 * slots_.size(), none);
  const std::size_t mask = slots_.size() - 1;
  for (std::uint32_t number = 0; number < size(); ++number) {
    std::size_t slot = hashes_[number] & mask;
    while (slots_[slot] != none)
      slot = (slot + 1) & mask;
    slots_[slot] = number;
  }
}

/// A counting sort.
void FreshStates::sort_by_shard() {
  first_.fill(0);
  for (const std::uint64_t hash : hashes_)
    ++first_[task::StateRegistry::shard(hash) + 1];
  for (std::size_t shard = 0; shard < task::StateRegistry::num_shards; ++shard)
    first_[shard + 1] += first_[shard];
  std::array<std::size_t, task::StateRegistry::num_shards> next{};
  std::copy_n(first_.begin(), next.size(), next.begin());
  by_shard_.resize(size());
  for (std::uint32_t number = 0; number < size(); ++number)
    by_shard_[next[task::StateRegistry::shard(hashes_[number])]++] = number;
}

}  // namespace carl
