// All known states, each packed state stored once. States lie in fixed chunks (nothing is ever
// moved, growth costs nothing extra), and the hash sets hold only their 32-bit numbers and look at
// the chunks for their contents. There are several of them, for parts of all hash values, so that
// several threads may add states at a time (see model/batch_expansion.h).
#ifndef CARL_TASK_STATE_REGISTRY_H
#define CARL_TASK_STATE_REGISTRY_H

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "carl/ids.h"
#include "task/packed_state.h"

namespace carl::task {

/// Of so many words. They are too few for a call of memcmp(), which std::equal() would be.
inline bool equal_states(const std::uint64_t* a, const std::uint64_t* b, std::size_t num_words) {
  for (std::size_t i = 0; i < num_words; ++i)
    if (a[i] != b[i]) return false;
  return true;
}

class StateRegistry {
 public:
  explicit StateRegistry(std::size_t num_words);
  ~StateRegistry();

  /// The id of the state, a new one (the old size()) if it was not there. Throws
  /// LimitReached(memory) when ids run out.
  StateId insert(const std::uint64_t* state);
  /// An invalid id if it is not there.
  StateId find(const std::uint64_t* state) const { return find(state, storage_->hash(state)); }
  /// Stays valid.
  PackedState operator[](StateId state) const {
    return {storage_->at(state.index()), storage_->num_words};
  }
  std::size_t size() const { return storage_->num_states; }
  std::size_t num_words() const { return storage_->num_words; }
  std::size_t bytes() const;

  std::uint64_t hash(const std::uint64_t* state) const { return storage_->hash(state); }
  /// With its hash.
  StateId find(const std::uint64_t* state, std::uint64_t hash) const;

  // States that are known to be new may be added by several threads: room is made for them, each is
  // written, and when all are, each is indexed. Until then nobody may insert or look for any.

  static constexpr std::size_t num_shards = 16;
  static std::size_t shard(std::uint64_t hash) {
    return hash / (~std::uint64_t{0} / num_shards + 1);
  }
  bool has_room(std::size_t count) const;
  /// They have the next ids.
  void make_room(std::size_t count);
  /// By several threads for different states.
  void write(StateId id, const std::uint64_t* state) {
    std::copy_n(state, storage_->num_words, storage_->at(id.index()));
  }
  /// By several threads for hashes in different shards.
  void index(StateId id, std::uint64_t hash);
  /// To be called some states ahead, so that what index() looks at first is in a cache by then.
  void prefetch(std::uint64_t hash) const;

 private:
  struct Storage {
    std::size_t num_words = 1;
    std::size_t chunk_bits = 0;  // a chunk holds 2^chunk_bits states
    std::size_t num_states = 0;
    std::vector<std::unique_ptr<std::uint64_t[]>> chunks;
    std::size_t chunk_size() const { return std::size_t{1} << chunk_bits; }
    std::uint64_t* at(std::size_t i) const {
      return chunks[i >> chunk_bits].get() + (i & (chunk_size() - 1)) * num_words;
    }
    std::uint64_t hash(const std::uint64_t* state) const {
      std::uint64_t hash = 0x9E3779B97F4A7C15U;
      for (std::size_t i = 0; i < num_words; ++i) {
        hash = (hash ^ state[i]) * 0xD6E8FEB86659FD93U;
        hash ^= hash >> 32;
      }
      return hash * 0xD6E8FEB86659FD93U;
    }
  };
  struct Index;  // defined where it is used, since its header takes long to compile

  std::uint32_t append(const std::uint64_t* state);

  std::unique_ptr<Storage> storage_;  // its address is known to the index
  std::unique_ptr<Index> index_;
};

}  // namespace carl::task

#endif
