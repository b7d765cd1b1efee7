// States that one block of work has come upon and that were not known before: each once, numbered in
// the order in which they first came.
#ifndef CARL_MODEL_FRESH_STATES_H
#define CARL_MODEL_FRESH_STATES_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "carl/ids.h"
#include "task/state_registry.h"

namespace carl {

class FreshStates {
 public:
  /// Begins anew, while `known` stays as it is.
  void begin(const task::StateRegistry& known);
  /// The id of a state that is known; of another, size() of those known and its number here, which
  /// is a provisional one. Throws LimitReached(memory) if there are no such numbers.
  StateId id(const std::uint64_t* state) { return id(state, known_->hash(state)); }
  StateId id(const std::uint64_t* state, std::uint64_t hash) {
    const StateId found = known_->find(state, hash);
    return found.valid() ? found : add(state, hash);
  }
  const task::StateRegistry& known() const { return *known_; }

  std::size_t size() const { return hashes_.size(); }
  const std::uint64_t* state(std::size_t number) const {
    return words_.data() + number * known_->num_words();
  }
  std::uint64_t hash(std::size_t number) const { return hashes_[number]; }

  /// When all are there.
  void sort_by_shard();
  /// The numbers of those in a shard, in order.
  std::span<const std::uint32_t> in_shard(std::size_t shard) const {
    return {by_shard_.data() + first_[shard], first_[shard + 1] - first_[shard]};
  }

 private:
  StateId add(const std::uint64_t* state, std::uint64_t hash);
  void enlarge();

  const task::StateRegistry* known_ = nullptr;
  std::size_t first_id_ = 0;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t>
      slots_;  // of a hash table with open addressing; its size a power of two
  std::vector<std::uint32_t> by_shard_;
  std::array<std::size_t, task::StateRegistry::num_shards + 1> first_{};
};

}  // namespace carl

#endif
