// Expands many states at once, on several threads, such that nobody can tell: ids are given in the
// order that expanding them one after the other would have led to.
//
//  1. generate(): blocks of states at a time, each on one thread. Successors are written down by the
//     shards of the index that they belong to.
//  2. find(): shard by shard, each on one thread, all successors are looked for, those of the first
//     block first. What is not there is new, and is put there at once, so that whoever comes to it
//     later finds it. Hence a state is looked for once, where one thread would, and of all that have
//     come to a new one, the first is known.
//  3. learn(): how many new states each block was the first to find gives them their ids; then, block
//     by block, they are stored, and it is found out which are goals.
//  4. index(): shard by shard, new states are told their ids. Meanwhile take() says with the real ids
//     what Cssp::expand_with_forbidden() would have said.
//
// Until the third step a batch may be forgotten, and leaves nothing behind.
#ifndef CARL_MODEL_BATCH_EXPANSION_H
#define CARL_MODEL_BATCH_EXPANSION_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "carl/cssp.h"
#include "carl/monitor.h"
#include "model/concurrent_model.h"
#include "util/parallel.h"

namespace carl {

/// States to be expanded, and what became of them. Room is reused from one batch to the next.
class ExpansionBatch {
 public:
  /// A thread takes so many states at a time.
  explicit ExpansionBatch(std::size_t states_per_block = 128)
      : states_per_block_(states_per_block) {}

  void clear() { states_.clear(); }
  void add(StateId state) { states_.push_back(state); }
  std::size_t size() const { return states_.size(); }
  bool empty() const { return states_.empty(); }
  std::size_t num_blocks() const { return Threads::num_blocks(size(), states_per_block_); }
  std::span<const StateId> states() const { return states_; }
  std::span<const StateId> states(std::size_t block) const {
    const std::size_t first = block * states_per_block_;
    return std::span(states_).subspan(first, std::min(states_per_block_, size() - first));
  }

  // Once they are generated.

  /// Of all states.
  std::size_t num_actions() const;
  /// Of all actions, equal ones counted as often as they were found.
  std::size_t num_outcomes() const;

  // Once they are learnt.

  /// The states that a block was the first to find have the ids from `begin` to `end` - 1, in the
  /// order in which the model names them.
  struct Found {
    std::size_t begin;
    std::size_t end;
  };
  Found found(std::size_t block) const {
    const Block& own = *blocks_[block];
    return {own.first_id, own.first_id + own.num_new};
  }
  /// Of all states that were found: 1 for a goal. None if asking for one has thrown, to be asked
  /// again by whoever can throw it.
  std::span<const std::uint8_t> goals() const {
    return are_goals_known_ ? std::span<const std::uint8_t>(is_goal_)
                            : std::span<const std::uint8_t>();
  }

 private:
  friend class BatchExpander;

  /// Of some states, one after the other.
  struct Block {
    ConcurrentModel::Findings found;
    std::size_t first_id = 0;  // of the states that it is the first to find
    std::size_t num_new = 0;
    std::vector<ActionId> actions;  // ids of those that were not known
  };
  struct Shard {
    task::StateRegistry::Announced states;  // that are new
    std::vector<std::size_t> num_before;    // by block: of these, how many were found before it
    std::size_t first = 0;                  // number of its first state, among those of all shards
  };

  std::size_t states_per_block_;
  std::vector<StateId> states_;
  std::size_t num_known_ = 0;  // states when the batch was generated
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<Shard> shards_{task::StateRegistry::num_shards};
  // Of the states that are new, shard by shard.
  std::vector<StateId> ids_;
  // The same in the order of their ids.
  std::vector<std::uint8_t> is_goal_;
  bool are_goals_known_ = false;
};

class BatchExpander {
 public:
  /// Other problems may only be expanded by one thread.
  static bool can_expand(const Cssp& cssp);
  /// For a problem that it can expand.
  BatchExpander(Cssp& cssp, const Threads& threads);
  ~BatchExpander();

  /// False if a limit ended it. What expanding would throw is thrown, though not always of the same
  /// state.
  bool generate(ExpansionBatch& batch, Monitor& monitor);
  /// True if there are ids for all that was generated, were it all new.
  bool has_room(const ExpansionBatch& batch) const {
    return model_.registry().has_room(batch.num_outcomes());
  }
  /// Returns how many states are new. There must be room.
  std::size_t find(ExpansionBatch& batch);
  /// Instead of learning what was found.
  void forget() { model_.registry().forget_announced(); }
  void learn(ExpansionBatch& batch);
  /// For all shards, by several threads at once, before the next batch.
  static constexpr std::size_t num_shards = task::StateRegistry::num_shards;
  void index(const ExpansionBatch& batch, std::size_t shard);
  /// Of the i-th state of a block. By several threads at once.
  void take(const ExpansionBatch& batch, std::size_t block, std::size_t i, Expansion& out) const;

 private:
  static ActionId renamed(const ExpansionBatch::Block& block, ActionId action) {
    const std::size_t known = block.found.actions.num_known();
    return action.index() < known ? action : block.actions[action.index() - known];
  }
  static StateId renamed(const ExpansionBatch& batch, std::uint32_t successor) {
    return successor < batch.num_known_ ? StateId(successor)
                                        : batch.ids_[successor - batch.num_known_];
  }
  void find_in_shard(ExpansionBatch& batch, std::size_t s) const;
  static std::size_t count_new(ExpansionBatch& batch);
  void store_states(ExpansionBatch& batch, std::size_t b) const;
  void find_goals(ExpansionBatch& batch, std::size_t b, std::size_t thread) const;

  Cssp& cssp_;
  ConcurrentModel& model_;
  const Threads& threads_;
  std::vector<std::unique_ptr<ConcurrentModel::Room>> rooms_;  // by thread
};

}  // namespace carl

#endif
