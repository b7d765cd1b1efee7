// All known states, each packed state stored once. States lie in fixed chunks: nothing is ever moved,
// growth costs nothing extra. An index finds them there; several threads may add states at a time
// (see model/batch_expansion.h).
#ifndef CARL_TASK_STATE_REGISTRY_H
#define CARL_TASK_STATE_REGISTRY_H

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "carl/ids.h"
#include "task/packed_state.h"
#include "task/state_index.h"

namespace carl::task {

/// Of so many words. They are too few for a call of memcmp(), which std::equal() would be.
inline bool equal_states(const std::uint64_t* a, const std::uint64_t* b, std::size_t num_words) {
  for (std::size_t i = 0; i < num_words; ++i)
    if (a[i] != b[i]) return false;
  return true;
}

/// Likewise for memmove().
inline void copy_state(const std::uint64_t* from, std::size_t num_words, std::uint64_t* to) {
  if (num_words > 2) {
    std::copy_n(from, num_words, to);
    return;
  }
  to[0] = from[0];
  if (num_words == 2) to[1] = from[1];
}

class StateRegistry {
 public:
  explicit StateRegistry(std::size_t num_words);

  /// The id of the state, a new one (the old size()) if it was not there. Throws
  /// LimitReached(memory) when ids run out.
  StateId insert(const std::uint64_t* state) { return insert(state, hash(state)); }
  /// With its hash.
  StateId insert(const std::uint64_t* state, std::uint64_t hash) {
    const StateId found = find(state, hash);
    return found.valid() ? found : append(state, hash);
  }
  /// An invalid id if it is not there.
  StateId find(const std::uint64_t* state) const { return find(state, hash(state)); }
  StateId find(const std::uint64_t* state, std::uint64_t hash) const {
    const std::uint32_t found =
        index_.find(hash, [&](std::uint32_t i) { return equal_states(state, at(i), num_words_); });
    return found == StateIndex::none ? StateId() : StateId(found);
  }
  /// Stays valid.
  PackedState operator[](StateId state) const { return {at(state.index()), num_words_}; }
  std::size_t size() const { return num_states_; }
  std::size_t num_words() const { return num_words_; }
  std::size_t bytes() const;

  std::uint64_t hash(const std::uint64_t* state) const {
    std::uint64_t hash = 0x9E3779B97F4A7C15U;
    for (std::size_t i = 0; i < num_words_; ++i) {
      hash = (hash ^ state[i]) * 0xD6E8FEB86659FD93U;
      hash ^= hash >> 32;
    }
    return hash * 0xD6E8FEB86659FD93U;
  }
  /// False while all of it is in a cache, so that there is no need for what follows.
  bool waits_for_memory() const { return num_states_ >= std::size_t{1} << 16U; }
  /// To be called some states ahead, so that what find() or index() looks at first is in a cache by
  /// then.
  void prefetch(std::uint64_t hash) const { index_.prefetch(hash); }
  /// The same, some states later, for what find() looks at next: a state that is probably the one.
  void prefetch_state(std::uint64_t hash) const {
    const std::uint32_t state = index_.guess(hash);
    if (state < num_states_) __builtin_prefetch(at(state));
  }

  // States may be added by several threads. Those that are new are announced shard by shard, and in a
  // shard numbered from the highest number down, since nobody knows yet which ids they will have. When
  // all are announced, room is made for them, each is written, and each gets its id. Until then nobody
  // may insert or look for any; or else they are forgotten.

  static constexpr std::size_t num_shards = StateIndex::num_shards;
  static std::size_t shard(std::uint64_t hash) { return StateIndex::shard(hash); }
  /// Those announced in a shard. They have to stay where they are.
  using Announced = std::vector<const std::uint64_t*>;
  /// What stands for the id of the i-th of them.
  static std::uint32_t announced_number(std::size_t i) {
    return StateIndex::none - 1 - static_cast<std::uint32_t>(i);
  }
  /// The number for which the former stands.
  static std::size_t place_announced(std::uint32_t number) { return StateIndex::none - 1 - number; }

  bool has_room(std::size_t count) const;
  /// The id of a state that is known; else what stands for it, and it is announced if it was not
  /// before. By several threads for different shards. There must be room for all that are announced.
  std::uint32_t find_or_announce(const std::uint64_t* state, std::uint64_t hash,
                                 Announced& announced) {
    const std::uint32_t next = announced_number(announced.size());
    const std::uint32_t found = index_.find_or_add(hash, next, [&](std::uint32_t i) {
      const std::uint64_t* const other = i < num_states_ ? at(i) : announced[place_announced(i)];
      return equal_states(state, other, num_words_);
    });
    if (found == next) announced.push_back(state);
    return found;
  }
  /// As if nothing had been announced.
  void forget_announced() { index_.keep_below(static_cast<std::uint32_t>(num_states_)); }
  /// They have the next ids.
  void make_room(std::size_t count);
  /// By several threads for different states.
  void write(StateId id, const std::uint64_t* state) {
    copy_state(state, num_words_, at(id.index()));
  }
  /// That the i-th announced has this id. By several threads for different shards.
  void set_id(std::uint64_t hash, std::size_t i, StateId id) {
    index_.renumber(hash, announced_number(i), static_cast<std::uint32_t>(id.index()));
  }

 private:
  std::size_t chunk_size() const { return std::size_t{1} << chunk_bits_; }
  std::uint64_t* at(std::size_t i) const {
    return chunks_[i >> chunk_bits_].get() + (i & (chunk_size() - 1)) * num_words_;
  }
  StateId append(const std::uint64_t* state, std::uint64_t hash);

  std::size_t num_words_;
  std::size_t chunk_bits_ = 0;  // a chunk holds 2^chunk_bits_ states
  std::size_t num_states_ = 0;
  std::vector<std::unique_ptr<std::uint64_t[]>> chunks_;
  StateIndex index_;
};

}  // namespace carl::task

#endif
