#include "task/state_index.h"

#include <algorithm>
#include <utility>

namespace carl::task {
namespace {

constexpr std::size_t least_slots = 16;

/// Half full, a look in vain goes past one or two others; the longer that is, the worse it is foreseen.
std::size_t most_of(std::size_t slots) {
  return slots / 2;
}

}  // namespace

StateIndex::Shard::Shard() : most(most_of(least_slots)) {
  slots.resize(least_slots, Slot());
}

void StateIndex::Shard::rebuild(std::size_t num_slots, std::uint32_t end) {
  GrowingArray<Slot> empty;
  empty.reserve(num_slots);
  empty.resize(num_slots, Slot());
  const GrowingArray<Slot> old = std::exchange(slots, std::move(empty));
  most = most_of(slots.size());
  for (const Slot& slot : old)
    if (slot.number_and_one != 0 && slot.number_and_one <= end) add(slot);
}

void StateIndex::keep_below(std::uint32_t number) {
  for (Shard& part : shards_) {
    const auto is_kept = [&](const Slot& slot) {
      return slot.number_and_one != 0 && slot.number_and_one <= number;
    };
    const auto size =
        static_cast<std::size_t>(std::count_if(part.slots.begin(), part.slots.end(), is_kept));
    if (size == part.size) continue;
    part.size = size;
    std::size_t num_slots = least_slots;
    while (most_of(num_slots) < size)
      num_slots = Shard::larger(num_slots);
    part.rebuild(num_slots, number);
  }
}

std::size_t StateIndex::bytes() const {
  std::size_t slots = 0;
  for (const Shard& shard : shards_)
    slots += shard.slots.size();
  return slots * sizeof(Slot);
}

}  // namespace carl::task
