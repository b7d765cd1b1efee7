#include "model/batch_expansion.h"

#include <algorithm>
#include <atomic>
#include <limits>

namespace carl {

bool BatchExpander::can_expand(const Cssp& cssp) {
  return cssp.model().task_model() != nullptr;
}

BatchExpander::BatchExpander(Cssp& cssp, const Threads& threads)
    : cssp_(cssp),
      model_(*cssp.model().task_model()),
      threads_(threads),
      scratch_(threads.count(), TaskModel::Scratch(model_)) {}

bool BatchExpander::generate(ExpansionBatch& batch, Monitor& monitor,
                             const std::function<void()>& meanwhile) {
  batch.known_ = model_.num_states();
  while (batch.blocks_.size() < batch.num_blocks())
    batch.blocks_.push_back(std::make_unique<ExpansionBatch::Block>());
  std::atomic<bool> ended{false};
  const auto generate_block = [&](std::size_t number, std::size_t thread) {
    ExpansionBatch::Block& block = *batch.blocks_[number];
    block.clear();
    const std::size_t first = number * batch.states_per_block_;
    const std::size_t last = std::min(batch.size(), first + batch.states_per_block_);
    for (std::size_t i = first; i < last; ++i) {
      if (monitor.reached()) ended = true;
      if (ended) return;
      generate_state(batch, i, block, scratch_[thread]);
    }
  };
  threads_.for_each_block(1 + batch.num_blocks(), [&](std::size_t i, std::size_t thread) {
    i == 0 ? meanwhile() : generate_block(i - 1, thread);
  });
  return !ended;
}

void BatchExpander::generate_state(const ExpansionBatch& batch, std::size_t i,
                                   ExpansionBatch::Block& block,
                                   TaskModel::Scratch& scratch) const {
  const std::size_t num_words = model_.layout().num_words();
  const StateId state = batch.states_[i];
  model_.generate(state, scratch, block.expansion, [&](const std::uint64_t* words) {
    if (const StateId known = model_.find_state(words); known.valid()) return known;
    const std::size_t number = batch.known_ + block.fresh.intern({words, num_words});
    if (number >= std::numeric_limits<std::uint32_t>::max()) throw LimitReached(LimitKind::memory);
    return StateId(number);
  });
  block.num_actions.push_back(block.expansion.num_actions());
  block.num_fresh.push_back(block.fresh.size());
}

void BatchExpander::learn(ExpansionBatch& batch, std::size_t i) {
  ExpansionBatch::Block& block = batch.block_of(i);
  const std::size_t met = block.num_fresh[i % batch.states_per_block_ + 1];
  while (block.ids.size() < met)
    block.ids.push_back(model_.insert_state(block.fresh[block.ids.size()].data()));
}

const Expansion& BatchExpander::take(ExpansionBatch& batch, std::size_t i) {
  const ExpansionBatch::Block& block = batch.block_of(i);
  const std::size_t place = i % batch.states_per_block_;
  taken_.assign(block.expansion, block.num_actions[place], block.num_actions[place + 1],
                [&](StateId s) {
                  return s.index() < batch.known_ ? s : block.ids[s.index() - batch.known_];
                });
  cssp_.complete(batch.states_[i], taken_);
  return taken_;
}

void ExpansionBatch::Block::clear() {
  expansion.clear();
  num_actions.assign(1, 0);
  num_fresh.assign(1, 0);
  fresh.clear();
  ids.clear();
}

}  // namespace carl
