#include "model/batch_expansion.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <limits>
#include <numeric>

namespace carl {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t num_shards = task::StateRegistry::num_shards;

}  // namespace

/// A hash table with open addressing of the states in a shard that blocks have come upon.
struct BatchExpander::Shard {
  struct Slot {
    std::uint64_t hash = 0;
    const std::uint64_t* state = nullptr;
    std::uint32_t number = none;  // among those of all blocks
  };
  std::vector<Slot> slots;

  void clear(std::size_t expected) { slots.assign(std::bit_ceil(2 * expected + 1), {}); }
  /// The number that it has already, or else from now on.
  std::uint32_t insert(const Slot& added, std::size_t num_words) {
    const std::size_t mask = slots.size() - 1;
    std::size_t slot = added.hash & mask;
    for (; slots[slot].number != none; slot = (slot + 1) & mask)
      if (slots[slot].hash == added.hash &&
          task::equal_states(added.state, slots[slot].state, num_words))
        return slots[slot].number;
    slots[slot] = added;
    return added.number;
  }
};

std::size_t ExpansionBatch::num_actions() const {
  std::size_t actions = 0;
  for (std::size_t b = 0; b < num_blocks(); ++b)
    actions += blocks_[b]->found.expansion.num_actions();
  return actions;
}

/// Shuffling asks for costs, which wrappers compute in room that they have once, where some are
/// forbidden.
bool BatchExpander::can_expand(const Cssp& cssp) {
  return cssp.model().concurrent_model() != nullptr &&
         (!cssp.shuffles_actions() || cssp.zero_costs().empty());
}

BatchExpander::BatchExpander(Cssp& cssp, const Threads& threads)
    : cssp_(cssp),
      model_(*cssp.model().concurrent_model()),
      threads_(threads),
      shards_(num_shards) {
  for (std::size_t t = 0; t < threads.count(); ++t)
    rooms_.push_back(model_.make_room());
}

BatchExpander::~BatchExpander() = default;

bool BatchExpander::generate(ExpansionBatch& batch, Monitor& monitor) {
  batch.num_known_ = model_.registry().size();
  while (batch.blocks_.size() < batch.num_blocks())
    batch.blocks_.push_back(std::make_unique<ExpansionBatch::Block>());
  std::atomic<bool> ended{false};
  threads_.for_each_block(batch.num_blocks(), [&](std::size_t b, std::size_t thread) {
    ExpansionBatch::Block& block = *batch.blocks_[b];
    block.found.expansion.clear();
    block.found.states.begin(model_.registry());
    block.found.actions.begin(model_.num_known_actions());
    block.num_actions.assign(1, 0);
    for (const StateId state : batch.states(b)) {
      if (monitor.reached()) ended = true;
      if (ended) return;
      model_.generate(state, *rooms_[thread], block.found);
      block.num_actions.push_back(block.found.expansion.num_actions());
    }
    block.found.states.sort_by_shard();
  });
  return !ended;
}

std::size_t BatchExpander::merge(ExpansionBatch& batch) {
  std::size_t fresh = 0;
  for (std::size_t b = 0; b < batch.num_blocks(); ++b) {
    batch.blocks_[b]->first_fresh = fresh;
    fresh += batch.blocks_[b]->found.states.size();
  }
  if (fresh >= none) throw LimitReached(LimitKind::memory);
  batch.first_equal_.resize(fresh);
  const std::size_t num_words = model_.registry().num_words();
  std::array<std::size_t, num_shards> num_new{};
  threads_.for_each_block(num_shards, [&](std::size_t s, std::size_t /*thread*/) {
    std::size_t expected = 0;
    for (std::size_t b = 0; b < batch.num_blocks(); ++b)
      expected += batch.blocks_[b]->found.states.in_shard(s).size();
    Shard& shard = shards_[s];
    shard.clear(expected);
    std::size_t found = 0;
    for (std::size_t b = 0; b < batch.num_blocks(); ++b) {
      const ExpansionBatch::Block& block = *batch.blocks_[b];
      const FreshStates& states = block.found.states;
      for (const std::uint32_t i : states.in_shard(s)) {
        const auto number = static_cast<std::uint32_t>(block.first_fresh + i);
        const std::uint32_t first =
            shard.insert({states.hash(i), states.state(i), number}, num_words);
        batch.first_equal_[number] = first;
        found += first == number;
      }
    }
    num_new[s] = found;
  });
  return std::accumulate(num_new.begin(), num_new.end(), std::size_t{0});
}

void BatchExpander::learn(ExpansionBatch& batch) {
  task::StateRegistry& registry = model_.registry();
  const std::vector<std::uint32_t>& first_equal = batch.first_equal_;
  std::size_t next = batch.num_known_;
  batch.ids_.resize(first_equal.size());
  for (std::size_t i = 0; i < first_equal.size(); ++i)
    batch.ids_[i] = first_equal[i] == i ? StateId(next++) : batch.ids_[first_equal[i]];
  registry.make_room(next - batch.num_known_);
  for (std::size_t b = 0; b < batch.num_blocks(); ++b) {
    ExpansionBatch::Block& block = *batch.blocks_[b];
    block.actions.clear();
    for (std::size_t i = 0; i < block.found.actions.size(); ++i)
      block.actions.push_back(
          model_.learn(block.found.actions.key(i), block.found.actions.cost(i)));
  }

  threads_.for_each_block(batch.num_blocks(), [&](std::size_t b, std::size_t /*thread*/) {
    const ExpansionBatch::Block& block = *batch.blocks_[b];
    for (std::size_t i = 0; i < block.found.states.size(); ++i)
      if (const std::size_t n = block.first_fresh + i; first_equal[n] == n)
        registry.write(batch.ids_[n], block.found.states.state(i));
  });
  threads_.for_each_block(num_shards, [&](std::size_t s, std::size_t /*thread*/) {
    for (std::size_t b = 0; b < batch.num_blocks(); ++b) {
      const ExpansionBatch::Block& block = *batch.blocks_[b];
      const std::span<const std::uint32_t> states = block.found.states.in_shard(s);
      for (const std::uint32_t i : states)
        registry.prefetch(block.found.states.hash(i));
      for (const std::uint32_t i : states)
        if (const std::size_t n = block.first_fresh + i; first_equal[n] == n)
          registry.index(batch.ids_[n], block.found.states.hash(i));
    }
  });
}

void BatchExpander::take(const ExpansionBatch& batch, std::size_t b, std::size_t i,
                         Expansion& out) const {
  const ExpansionBatch::Block& block = *batch.blocks_[b];
  const std::size_t known_actions = block.found.actions.num_known();
  out.assign(
      block.found.expansion, block.num_actions[i], block.num_actions[i + 1],
      [&](ActionId a) {
        return a.index() < known_actions ? a : block.actions[a.index() - known_actions];
      },
      [&](StateId s) {
        return s.index() < batch.num_known_
                   ? s
                   : batch.ids_[block.first_fresh + s.index() - batch.num_known_];
      });
  cssp_.complete(batch.states(b)[i], out);
}

}  // namespace carl
