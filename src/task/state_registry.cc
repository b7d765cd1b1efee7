#include "task/state_registry.h"

#include <limits>

#include "carl/monitor.h"

namespace carl::task {
namespace {

constexpr std::size_t words_per_chunk = std::size_t{1} << 15;  // or a little less; 256 kB

}  // namespace

StateRegistry::StateRegistry(std::size_t num_words) : num_words_(num_words) {
  while ((num_words << (chunk_bits_ + 1)) <= words_per_chunk)
    ++chunk_bits_;
}

StateId StateRegistry::append(const std::uint64_t* state, std::uint64_t hash) {
  const StateId id(num_states_);
  if (!has_room(1)) throw LimitReached(LimitKind::memory);
  make_room(1);
  write(id, state);
  index_.add(hash, static_cast<std::uint32_t>(id.index()));
  return id;
}

bool StateRegistry::has_room(std::size_t count) const {
  // The highest id stands for "no state", and ids may be shifted by one (see Cssp).
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max() - 1;
  return count <= most - num_states_;
}

void StateRegistry::make_room(std::size_t count) {
  while (chunks_.size() << chunk_bits_ < num_states_ + count)
    chunks_.push_back(std::make_unique_for_overwrite<std::uint64_t[]>(chunk_size() * num_words_));
  num_states_ += count;
}

std::size_t StateRegistry::bytes() const {
  return chunks_.size() * chunk_size() * num_words_ * sizeof(std::uint64_t) +
         chunks_.capacity() * sizeof(chunks_[0]) + index_.bytes();
}

}  // namespace carl::task
