// Expands many states at once, on several threads, such that nobody can tell: ids are given in the
// order that expanding them one after the other would have led to.
//
//  1. generate(): blocks of states at a time. A successor that is known has its id; those that are
//     new are collected, each block's own.
//  2. merge(): new states that several blocks have come upon are found out, shard by shard of all
//     hash values: the first block that has one keeps it.
//  3. learn(): what is new is counted by blocks, and so given its ids; then states are stored, and it
//     is found out which are goals, block by block.
//  4. index(): shard by shard, states can be found. Meanwhile for_each_action(), or take(), says with
//     the real ids what Cssp::expand_with_forbidden() would have said.
//
// Until the third step nothing has been changed, so a batch may as well be forgotten.
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
  /// Actions of all states; once they are generated.
  std::size_t num_actions() const;

  // Once they are learnt.

  /// The states that a block was the first to find have the ids from `begin` to `end` - 1, in the
  /// order in which the model names them.
  struct Found {
    std::size_t begin;
    std::size_t end;
  };
  Found found(std::size_t block) const {
    const Block& own = *blocks_[block];
    return {own.first_id, own.first_id + own.num_kept};
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
    std::vector<std::size_t> num_actions;  // of the first so many states, with a zero in front
    std::size_t first_fresh = 0;           // of its states that were not known, among those of all
    std::size_t first_id = 0;              // of the states that it keeps
    std::size_t num_kept = 0;
    std::vector<ActionId> actions;  // ids of those that were not known
  };

  std::size_t states_per_block_;
  std::vector<StateId> states_;
  std::size_t num_known_ = 0;  // states when the batch was generated
  std::vector<std::unique_ptr<Block>> blocks_;
  // Of the states that were not known to each block, block by block.
  std::vector<const std::uint64_t*> fresh_;
  std::vector<std::uint32_t> first_equal_;
  std::vector<StateId> ids_;  // of the first of those that are equal
  // Of the states that have got their ids.
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
  /// Returns how many states are new. Throws LimitReached(memory) when numbers run out.
  std::size_t merge(ExpansionBatch& batch);
  /// There must be room for the ids.
  void learn(ExpansionBatch& batch);
  /// For all shards, by several threads at once, before the next batch.
  static constexpr std::size_t num_shards = task::StateRegistry::num_shards;
  void index(const ExpansionBatch& batch, std::size_t shard);
  bool has_room(std::size_t num_new) const { return model_.registry().has_room(num_new); }
  /// Of the i-th state of a block. By several threads at once.
  void take(const ExpansionBatch& batch, std::size_t block, std::size_t i, Expansion& out) const;
  /// The same where actions are not shuffled, without giving up: calls visit(action, successors,
  /// probabilities) for one action after the other. The successors are in `renamed`.
  template <class Visit>
  void for_each_action(const ExpansionBatch& batch, std::size_t block, std::size_t i,
                       std::vector<StateId>& renamed, const Visit& visit) const;

 private:
  struct Shard;

  static ActionId renamed(const ExpansionBatch::Block& block, ActionId action) {
    const std::size_t known = block.found.actions.num_known();
    return action.index() < known ? action : block.actions[action.index() - known];
  }
  static StateId renamed(const ExpansionBatch& batch, const ExpansionBatch::Block& block,
                         StateId state) {
    if (state.index() < batch.num_known_) return state;
    const std::size_t fresh = block.first_fresh + state.index() - batch.num_known_;
    return batch.ids_[batch.first_equal_[fresh]];
  }
  void find_goals(ExpansionBatch::Block& block, ExpansionBatch& batch, std::size_t thread) const;

  Cssp& cssp_;
  ConcurrentModel& model_;
  const Threads& threads_;
  std::vector<std::unique_ptr<ConcurrentModel::Room>> rooms_;  // by thread
  std::vector<Shard> shards_;
};

template <class Visit>
void BatchExpander::for_each_action(const ExpansionBatch& batch, std::size_t b, std::size_t i,
                                    std::vector<StateId>& renamed, const Visit& visit) const {
  const ExpansionBatch::Block& block = *batch.blocks_[b];
  const Expansion& found = block.found.expansion;
  for (std::size_t a = block.num_actions[i]; a < block.num_actions[i + 1]; ++a) {
    const std::span<const StateId> successors = found.successors(a);
    renamed.resize(successors.size());
    for (std::size_t k = 0; k < successors.size(); ++k)
      renamed[k] = BatchExpander::renamed(batch, block, successors[k]);
    visit(BatchExpander::renamed(block, found.action(a)), std::span<const StateId>(renamed),
          found.probabilities(a));
  }
}

}  // namespace carl

#endif
