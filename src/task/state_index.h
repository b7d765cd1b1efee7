// Finds the numbers of states by their hash values: a table with open addressing, in parts for ranges
// of hash values, so that several threads may add to it at a time, each to other parts.
//
// A slot has the number of a state and 32 bits of its hash value. They say where it belongs in a table
// of any size, so growing looks at no state; and a state that is looked for is compared with hardly
// any but itself. A look costs one cache line of slots, and one of the state if it is there. Slots are
// in the order of these bits, up to the few that had to go further: tables grow from front to back.
#ifndef CARL_TASK_STATE_INDEX_H
#define CARL_TASK_STATE_INDEX_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "util/growing_array.h"

namespace carl::task {

class StateIndex {
 public:
  static constexpr std::size_t num_shards = 16;
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  static std::size_t shard(std::uint64_t hash) { return hash >> 60U; }

  /// The number of the state for which is_it(number) says so, or none.
  template <class IsIt>
  std::uint32_t find(std::uint64_t hash, const IsIt& is_it) const {
    const Shard& part = shards_[shard(hash)];
    const std::uint32_t tag = tag_of(hash);
    for (std::size_t i = part.home(tag);; i = part.next(i)) {
      const Slot slot = part.slots[i];
      if (slot.number_and_one == 0) return none;
      if (slot.tag == tag && is_it(slot.number_and_one - 1)) return slot.number_and_one - 1;
    }
  }
  /// Of a state that is not there.
  void add(std::uint64_t hash, std::uint32_t number) {
    Shard& part = shards_[shard(hash)];
    if (part.size >= part.most) part.enlarge();
    part.add({tag_of(hash), number + 1});
    ++part.size;
  }
  /// The number of the state for which is_it(number) says so. If there is none, `number`, which it has
  /// from now on. By several threads for hashes in different shards, as what follows.
  template <class IsIt>
  std::uint32_t find_or_add(std::uint64_t hash, std::uint32_t number, const IsIt& is_it) {
    const std::uint32_t found = find(hash, is_it);
    if (found != none) return found;
    add(hash, number);
    return number;
  }
  /// Gives another number to a state that is there. No other in its shard may have the old one.
  void renumber(std::uint64_t hash, std::uint32_t from, std::uint32_t to) {
    Shard& part = shards_[shard(hash)];
    std::size_t i = part.home(tag_of(hash));
    while (part.slots[i].number_and_one != from + 1)
      i = part.next(i);
    part.slots[i].number_and_one = to + 1;
  }
  /// Forgets the states that do not have a number below this: the table is as large as before them.
  void keep_below(std::uint32_t number);
  /// To be called some states ahead, so that what is looked at first is in a cache by then.
  void prefetch(std::uint64_t hash) const {
    const Shard& part = shards_[shard(hash)];
    __builtin_prefetch(part.slots.data() + part.home(tag_of(hash)));
  }
  /// The number of a state that may be the one with this hash, or none: without going far.
  std::uint32_t guess(std::uint64_t hash) const {
    const Shard& part = shards_[shard(hash)];
    const Slot slot = part.slots[part.home(tag_of(hash))];
    return slot.number_and_one != 0 && slot.tag == tag_of(hash) ? slot.number_and_one - 1 : none;
  }
  std::size_t bytes() const;

 private:
  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t number_and_one = 0;  // 0: the slot is empty
  };
  struct alignas(64) Shard {  // a cache line each, since threads change different ones
    Shard();
    std::size_t home(std::uint32_t tag) const { return (slots.size() * tag) >> 32U; }
    std::size_t next(std::size_t i) const { return i + 1 < slots.size() ? i + 1 : 0; }
    void add(const Slot& added) {
      std::size_t i = home(added.tag);
      while (slots[i].number_and_one != 0)
        i = next(i);
      slots[i] = added;
    }
    void enlarge() { rebuild(larger(slots.size()), none); }
    /// With so many slots, of the states with numbers below this.
    void rebuild(std::size_t num_slots, std::uint32_t end);
    static std::size_t larger(std::size_t num_slots) { return num_slots + num_slots / 2; }

    GrowingArray<Slot> slots;
    std::size_t size = 0;
    std::size_t most = 0;  // that it may have before it grows
  };

  /// The bits after those of the shard.
  static std::uint32_t tag_of(std::uint64_t hash) {
    return static_cast<std::uint32_t>(hash >> 28U);
  }

  std::array<Shard, num_shards> shards_;
};

}  // namespace carl::task

#endif
