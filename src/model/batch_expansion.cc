#include "model/batch_expansion.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <exception>
#include <limits>

namespace carl {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

}  // namespace

/// A hash table with open addressing of the states in a shard that blocks have come upon.
struct BatchExpander::Shard {
  struct Slot {
    std::uint32_t hash = 0;       // a part of it
    std::uint32_t number = none;  // among those of all blocks
  };
  std::vector<Slot> slots;
  std::vector<std::uint32_t> num_kept;  // by block

  void clear(std::size_t expected, std::size_t num_blocks) {
    slots.assign(std::bit_ceil(2 * expected + 1), {});
    num_kept.assign(num_blocks, 0);
  }
  /// The number that it has already, or else from now on.
  template <class IsEqual>
  std::uint32_t insert(std::uint64_t hash, std::uint32_t number, const IsEqual& is_equal) {
    const std::size_t mask = slots.size() - 1;
    const auto part = static_cast<std::uint32_t>(hash >> 28U);
    std::size_t slot = part & mask;
    for (; slots[slot].number != none; slot = (slot + 1) & mask)
      if (slots[slot].hash == part && is_equal(slots[slot].number)) return slots[slot].number;
    slots[slot] = {part, number};
    return number;
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
  batch.fresh_.resize(fresh);
  const std::size_t num_words = model_.registry().num_words();
  threads_.for_each_block(num_shards, [&](std::size_t s, std::size_t /*thread*/) {
    std::size_t expected = 0;
    for (std::size_t b = 0; b < batch.num_blocks(); ++b)
      expected += batch.blocks_[b]->found.states.in_shard(s).size();
    Shard& shard = shards_[s];
    shard.clear(expected, batch.num_blocks());
    for (std::size_t b = 0; b < batch.num_blocks(); ++b) {
      const ExpansionBatch::Block& block = *batch.blocks_[b];
      const FreshStates& states = block.found.states;
      for (const std::uint32_t i : states.in_shard(s)) {
        const auto number = static_cast<std::uint32_t>(block.first_fresh + i);
        const std::uint64_t* const state = batch.fresh_[number] = states.state(i);
        const std::uint32_t first = shard.insert(states.hash(i), number, [&](std::uint32_t other) {
          return task::equal_states(state, batch.fresh_[other], num_words);
        });
        batch.first_equal_[number] = first;
        shard.num_kept[b] += first == number;
      }
    }
  });
  std::size_t kept = 0;
  for (std::size_t b = 0; b < batch.num_blocks(); ++b) {
    ExpansionBatch::Block& block = *batch.blocks_[b];
    block.first_id = batch.num_known_ + kept;
    block.num_kept = 0;
    for (const Shard& shard : shards_)
      block.num_kept += shard.num_kept[b];
    kept += block.num_kept;
  }
  return kept;
}

void BatchExpander::learn(ExpansionBatch& batch) {
  task::StateRegistry& registry = model_.registry();
  std::size_t num_new = 0;
  for (std::size_t b = 0; b < batch.num_blocks(); ++b) {
    ExpansionBatch::Block& block = *batch.blocks_[b];
    num_new += block.num_kept;
    block.actions.clear();
    for (std::size_t i = 0; i < block.found.actions.size(); ++i)
      block.actions.push_back(
          model_.learn(block.found.actions.key(i), block.found.actions.cost(i)));
  }
  registry.make_room(num_new);
  batch.ids_.resize(batch.first_equal_.size());
  batch.is_goal_.resize(num_new);
  std::atomic<bool> are_goals_known{true};
  threads_.for_each_block(batch.num_blocks(), [&](std::size_t b, std::size_t thread) {
    ExpansionBatch::Block& block = *batch.blocks_[b];
    std::size_t next = block.first_id;
    for (std::size_t i = 0; i < block.found.states.size(); ++i) {
      const std::size_t n = block.first_fresh + i;
      if (batch.first_equal_[n] != n) continue;
      batch.ids_[n] = StateId(next++);
      registry.write(batch.ids_[n], block.found.states.state(i));
    }
    try {
      find_goals(block, batch, thread);
    } catch (const std::exception&) {
      are_goals_known = false;
    }
  });
  batch.are_goals_known_ = are_goals_known;
}

void BatchExpander::find_goals(ExpansionBatch::Block& block, ExpansionBatch& batch,
                               std::size_t thread) const {
  for (std::size_t s = block.first_id; s < block.first_id + block.num_kept; ++s)
    batch.is_goal_[s - batch.num_known_] = model_.is_goal(StateId(s), *rooms_[thread]) ? 1 : 0;
}

void BatchExpander::index(const ExpansionBatch& batch, std::size_t shard) {
  task::StateRegistry& registry = model_.registry();
  for (std::size_t b = 0; b < batch.num_blocks(); ++b) {
    const ExpansionBatch::Block& block = *batch.blocks_[b];
    const std::span<const std::uint32_t> states = block.found.states.in_shard(shard);
    for (const std::uint32_t i : states)
      registry.prefetch(block.found.states.hash(i));
    for (const std::uint32_t i : states)
      if (const std::size_t n = block.first_fresh + i; batch.first_equal_[n] == n)
        registry.index(batch.ids_[n], block.found.states.hash(i));
  }
}

void BatchExpander::take(const ExpansionBatch& batch, std::size_t b, std::size_t i,
                         Expansion& out) const {
  const ExpansionBatch::Block& block = *batch.blocks_[b];
  out.assign(
      block.found.expansion, block.num_actions[i], block.num_actions[i + 1],
      [&](ActionId action) { return renamed(block, action); },
      [&](StateId state) { return renamed(batch, block, state); });
  cssp_.complete(batch.states(b)[i], out);
}

}  // namespace carl
