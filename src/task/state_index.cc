#include "task/state_index.h"

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

/// By half.
void StateIndex::Shard::enlarge() {
  GrowingArray<Slot> larger;
  larger.reserve(slots.size() + slots.size() / 2);
  larger.resize(slots.size() + slots.size() / 2, Slot());
  const GrowingArray<Slot> old = std::exchange(slots, std::move(larger));
  most = most_of(slots.size());
  for (const Slot& slot : old)
    if (slot.number_and_one != 0) add(slot);
}

std::size_t StateIndex::bytes() const {
  std::size_t slots = 0;
  for (const Shard& shard : shards_)
    slots += shard.slots.size();
  return slots * sizeof(Slot);
}

}  // namespace carl::task
