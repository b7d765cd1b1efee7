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
  /// A state that is looked for.
  struct Key {
    const std::uint64_t* state;
    std::uint64_t hash;
  };
  struct Hash {
    using is_transparent = void;
    const Storage* storage;
    std::size_t operator()(const Key& key) const { return key.hash; }
    std::size_t operator()(std::uint32_t i) const { return storage->hash(storage->at(i)); }
  };
  struct Equal {
    using is_transparent = void;
    const Storage* storage;
    bool operator()(std::uint32_t a, std::uint32_t b) const { return a == b; }
    bool operator()(std::uint32_t a, const Key& b) const {
      return equal_states(b.state, storage->at(a), storage->num_words);
    }
    bool operator()(const Key& a, std::uint32_t b) const { return (*this)(b, a); }
  };
  using Ids = absl::flat_hash_set<std::uint32_t, Hash, Equal>;

  explicit Index(const Storage& storage)
      : shards(num_shards, Ids(0, Hash{&storage}, Equal{&storage})) {}

  Ids& of(std::uint64_t hash) { return shards[shard(hash)]; }

  std::vector<Ids> shards;
};

StateRegistry::StateRegistry(std::size_t num_words)
    : storage_(std::make_unique<Storage>()), index_(std::make_unique<Index>(*storage_)) {
  storage_->num_words = num_words;
  while ((num_words << (storage_->chunk_bits + 1)) <= words_per_chunk)
    ++storage_->chunk_bits;
}

StateRegistry::~StateRegistry() = default;

StateId StateRegistry::insert(const std::uint64_t* state) {
  const std::uint64_t hash = storage_->hash(state);
  return StateId(*index_->of(hash).lazy_emplace(
      Index::Key{state, hash}, [&](const auto& construct) { construct(append(state)); }));
}

StateId StateRegistry::find(const std::uint64_t* state, std::uint64_t hash) const {
  const Index::Ids& ids = index_->of(hash);
  const auto found = ids.find(Index::Key{state, hash});
  return found == ids.end() ? StateId() : StateId(*found);
}

std::uint32_t StateRegistry::append(const std::uint64_t* state) {
  const std::size_t id = storage_->num_states;
  if (!has_room(1)) throw LimitReached(LimitKind::memory);
  make_room(1);
  write(StateId(id), state);
  return static_cast<std::uint32_t>(id);
}

bool StateRegistry::has_room(std::size_t count) const {
  // The highest id stands for "no state", and ids may be shifted by one (see Cssp).
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max() - 1;
  return count <= most - storage_->num_states;
}

void StateRegistry::make_room(std::size_t count) {
  const std::size_t size = storage_->num_states + count;
  while (storage_->chunks.size() << storage_->chunk_bits < size)
    storage_->chunks.push_back(std::make_unique_for_overwrite<std::uint64_t[]>(
        storage_->chunk_size() * storage_->num_words));
  storage_->num_states = size;
}

void StateRegistry::index(StateId id, std::uint64_t hash) {
  index_->of(hash).lazy_emplace(
      Index::Key{storage_->at(id.index()), hash},
      [&](const auto& construct) { construct(static_cast<std::uint32_t>(id.index())); });
}

void StateRegistry::prefetch(std::uint64_t hash) const {
  index_->of(hash).prefetch(Index::Key{nullptr, hash});
}

std::size_t StateRegistry::bytes() const {
  const std::size_t per_slot = sizeof(std::uint32_t) + 1;  // one control byte
  std::size_t slots = 0;
  for (const Index::Ids& ids : index_->shards)
    slots += ids.capacity();
  return storage_->chunks.size() * storage_->chunk_size() * storage_->num_words *
             sizeof(std::uint64_t) +
         storage_->chunks.capacity() * sizeof(storage_->chunks[0]) + slots * per_slot;
}

}  // namespace carl::task
