#include "model/batch_expansion.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>

namespace carl {
namespace {

// How many successors ahead of those that are looked for it is said so: enough for memory to answer in
// the meantime, first with a slot of the index, then with a state.
constexpr std::size_t slots_ahead = 16;
constexpr std::size_t states_ahead = 8;

}  // namespace

std::size_t ExpansionBatch::num_actions() const {
  std::size_t actions = 0;
  for (std::size_t b = 0; b < num_blocks(); ++b)
    actions += blocks_[b]->found.block.num_actions();
  return actions;
}

std::size_t ExpansionBatch::num_outcomes() const {
  std::size_t outcomes = 0;
  for (std::size_t b = 0; b < num_blocks(); ++b)
    outcomes += blocks_[b]->found.block.num_outcomes();
  return outcomes;
}

/// Shuffling asks for costs, which wrappers compute in room that they have once, where some are
/// forbidden.
bool BatchExpander::can_expand(const Cssp& cssp) {
  return cssp.model().concurrent_model() != nullptr &&
         (!cssp.shuffles_actions() || cssp.zero_costs().empty());
}

BatchExpander::BatchExpander(Cssp& cssp, const Threads& threads)
    : cssp_(cssp), model_(*cssp.model().concurrent_model()), threads_(threads) {
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
    ConcurrentModel::Findings& found = batch.blocks_[b]->found;
    found.block.begin(model_.registry());
    found.actions.begin(model_.num_known_actions());
    for (const StateId state : batch.states(b)) {
      if (monitor.reached()) ended = true;
      if (ended) return;
      model_.generate(state, *rooms_[thread], found);
      found.block.end_state();
    }
  });
  return !ended;
}

std::size_t BatchExpander::find(ExpansionBatch& batch) {
  try {
    threads_.for_each_block(
        num_shards, [&](std::size_t s, std::size_t /*thread*/) { find_in_shard(batch, s); });
  } catch (...) {
    forget();
    throw;
  }
  return count_new(batch);
}

std::size_t BatchExpander::count_new(ExpansionBatch& batch) {
  std::size_t num_new = 0;
  for (ExpansionBatch::Shard& shard : batch.shards_) {
    shard.first = num_new;
    num_new += shard.states.size();
  }
  std::size_t next_id = batch.num_known_;
  for (std::size_t b = 0; b < batch.num_blocks(); ++b) {
    ExpansionBatch::Block& block = *batch.blocks_[b];
    block.first_id = next_id;
    block.num_new = 0;
    for (const ExpansionBatch::Shard& shard : batch.shards_)
      block.num_new += shard.num_before[b + 1] - shard.num_before[b];
    next_id += block.num_new;
  }
  return num_new;
}

void BatchExpander::find_in_shard(ExpansionBatch& batch, std::size_t s) const {
  task::StateRegistry& registry = model_.registry();
  const bool looks_ahead = registry.waits_for_memory();
  ExpansionBatch::Shard& shard = batch.shards_[s];
  shard.states.clear();
  shard.num_before.assign(1, 0);
  for (std::size_t b = 0; b < batch.num_blocks(); ++b) {
    FoundBlock& found = batch.blocks_[b]->found.block;
    const std::span<std::uint64_t> part = found.in_shard(s);
    const std::size_t step = found.entry_size();
    for (std::size_t i = 0; i < part.size(); i += step) {
      if (looks_ahead) {
        if (const std::size_t k = i + slots_ahead * step; k < part.size())
          registry.prefetch(part[k]);
        if (const std::size_t k = i + states_ahead * step; k < part.size())
          registry.prefetch_state(part[k]);
      }
      part[i] = registry.find_or_announce(&part[i + 1], part[i], shard.states);
    }
    shard.num_before.push_back(shard.states.size());
  }
}

void BatchExpander::learn(ExpansionBatch& batch) {
  std::size_t num_new = 0;
  for (std::size_t b = 0; b < batch.num_blocks(); ++b) {
    ExpansionBatch::Block& block = *batch.blocks_[b];
    num_new += block.num_new;
    block.actions.clear();
    for (std::size_t i = 0; i < block.found.actions.size(); ++i)
      block.actions.push_back(
          model_.learn(block.found.actions.key(i), block.found.actions.cost(i)));
  }
  model_.registry().make_room(num_new);
  batch.ids_.resize(num_new);
  batch.is_goal_.resize(num_new);
  std::atomic<bool> are_goals_known{true};
  threads_.for_each_block(batch.num_blocks(), [&](std::size_t b, std::size_t thread) {
    store_states(batch, b);
    try {
      find_goals(batch, b, thread);
    } catch (const std::exception&) {
      are_goals_known = false;
    }
  });
  batch.are_goals_known_ = are_goals_known;
}

/// Goes through the successors in the order in which they were found. In each shard the new ones have
/// been numbered in this order: the first to be found of those left has the next number.
void BatchExpander::store_states(ExpansionBatch& batch, std::size_t b) const {
  task::StateRegistry& registry = model_.registry();
  FoundBlock& found = batch.blocks_[b]->found.block;
  struct Place {
    std::size_t next_new;
    std::size_t first;
  };
  std::array<Place, num_shards> places;
  for (std::size_t s = 0; s < num_shards; ++s)
    places[s] = {batch.shards_[s].num_before[b], batch.shards_[s].first};
  std::size_t next_id = batch.blocks_[b]->first_id;
  found.for_each_outcome([&](FoundBlock::Outcome& outcome, const std::uint64_t* entry) {
    Place& place = places[outcome.successor];
    const auto number = static_cast<std::uint32_t>(entry[0]);
    outcome.successor = number;
    if (number < batch.num_known_) return;
    const std::size_t i = task::StateRegistry::place_announced(number);
    outcome.successor = static_cast<std::uint32_t>(batch.num_known_ + place.first + i);
    if (i != place.next_new) return;
    ++place.next_new;
    const StateId id(next_id++);
    batch.ids_[place.first + i] = id;
    registry.write(id, entry + 1);
  });
}

void BatchExpander::find_goals(ExpansionBatch& batch, std::size_t b, std::size_t thread) const {
  const ExpansionBatch::Found found = batch.found(b);
  for (std::size_t s = found.begin; s < found.end; ++s)
    batch.is_goal_[s - batch.num_known_] = model_.is_goal(StateId(s), *rooms_[thread]) ? 1 : 0;
}

void BatchExpander::index(const ExpansionBatch& batch, std::size_t s) {
  task::StateRegistry& registry = model_.registry();
  const ExpansionBatch::Shard& shard = batch.shards_[s];
  for (std::size_t i = 0; i < shard.states.size(); ++i) {
    if (i + slots_ahead < shard.states.size())
      registry.prefetch(registry.hash(shard.states[i + slots_ahead]));
    registry.set_id(registry.hash(shard.states[i]), i, batch.ids_[shard.first + i]);
  }
}

void BatchExpander::take(const ExpansionBatch& batch, std::size_t b, std::size_t i,
                         Expansion& out) const {
  const ExpansionBatch::Block& block = *batch.blocks_[b];
  const FoundBlock& found = block.found.block;
  out.clear();
  for (std::size_t a = found.first_action(i); a < found.first_action(i + 1); ++a) {
    out.begin_action(renamed(block, found.action(a)));
    for (const FoundBlock::Outcome& outcome : found.outcomes(a))
      out.add_outcome(outcome.probability, renamed(batch, outcome.successor));
  }
  cssp_.complete(batch.states(b)[i], out);
}

}  // namespace carl
