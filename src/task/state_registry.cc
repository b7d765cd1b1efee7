#include "task/state_registry.h"

#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <limits>

#include "carl/monitor.h"

namespace carl::task {
namespace {

constexpr std::size_t words_per_chunk = std::size_t{1} << 15;  // or a little less; 256 kB

}  // namespace

struct StateRegistry::Index {
  struct Hash {
    using is_transparent = void;
    const Storage* storage;
    std::size_t operator()(const std::uint64_t* state) const {
      std::uint64_t hash = 0x9E3779B97F4A7C15U;
      for (std::size_t i = 0; i < storage->num_words; ++i) {
        hash = (hash ^ state[i]) * 0xD6E8FEB86659FD93U;
        hash ^= hash >> 32;
      }
      return hash * 0xD6E8FEB86659FD93U;
    }
    std::size_t operator()(std::uint32_t i) const { return (*this)(storage->at(i)); }
  };
  struct Equal {
    using is_transparent = void;
    const Storage* storage;
    bool operator()(const std::uint64_t* a, const std::uint64_t* b) const {
      return std::equal(a, a + storage->num_words, b);
    }
    bool operator()(std::uint32_t a, std::uint32_t b) const { return a == b; }
    bool operator()(std::uint32_t a, const std::uint64_t* b) const {
      return (*this)(storage->at(a), b);
    }
    bool operator()(const std::uint64_t* a, std::uint32_t b) const {
      return (*this)(a, storage->at(b));
    }
  };

  explicit Index(const Storage& storage) : ids(0, Hash{&storage}, Equal{&storage}) {}

  absl::flat_hash_set<std::uint32_t, Hash, Equal> ids;
};

StateRegistry::StateRegistry(std::size_t num_words)
    : storage_(std::make_unique<Storage>()), index_(std::make_unique<Index>(*storage_)) {
  storage_->num_words = num_words;
  while ((num_words << (storage_->chunk_bits + 1)) <= words_per_chunk)
    ++storage_->chunk_bits;
}

StateRegistry::~StateRegistry() = default;

StateId StateRegistry::insert(const std::uint64_t* state) {
  return StateId(
      *index_->ids.lazy_emplace(state, [&](const auto& construct) { construct(append(state)); }));
}

StateId StateRegistry::find(const std::uint64_t* state) const {
  const auto found = index_->ids.find(state);
  return found == index_->ids.end() ? StateId() : StateId(*found);
}

std::uint32_t StateRegistry::append(const std::uint64_t* state) {
  const std::size_t id = storage_->num_states;
  // The highest id stands for "no state", and ids may be shifted by one (see Cssp).
  if (id >= std::numeric_limits<std::uint32_t>::max() - 1) throw LimitReached(LimitKind::memory);
  if ((id & (storage_->chunk_size() - 1)) == 0)
    storage_->chunks.push_back(std::make_unique_for_overwrite<std::uint64_t[]>(
        storage_->chunk_size() * storage_->num_words));
  std::copy(state, state + storage_->num_words, storage_->at(id));
  ++storage_->num_states;
  return static_cast<std::uint32_t>(id);
}

std::size_t StateRegistry::bytes() const {
  const std::size_t per_slot = sizeof(std::uint32_t) + 1;  // one control byte
  return storage_->chunks.size() * storage_->chunk_size() * storage_->num_words *
             sizeof(std::uint64_t) +
         storage_->chunks.capacity() * sizeof(storage_->chunks[0]) +
         index_->ids.capacity() * per_slot;
}

}  // namespace carl::task
