// Expands many states of a factored problem at once, on several threads, such that nobody can tell:
// ids are given in the order that expanding them one after the other would have led to.
//
//  1. generate(): all threads, while the states known stay as they are. A successor that is known
//     has its id; those that are new get provisional numbers, block by block.
//  2. learn(): the new ones are given their ids, state after state.
//  3. take(): provisional numbers are replaced, and what Cssp::expand() would have said is there.
//
// The third step may happen while the next batch is generated: it changes nothing that other
// threads look at.
#ifndef CARL_MODEL_BATCH_EXPANSION_H
#define CARL_MODEL_BATCH_EXPANSION_H

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "carl/cssp.h"
#include "carl/monitor.h"
#include "model/intern_table.h"
#include "model/task_model.h"
#include "util/parallel.h"

namespace carl {

/// States to be expanded, and what became of them. Room is reused from one batch to the next.
class ExpansionBatch {
 public:
  /// A thread takes so many states at a time.
  explicit ExpansionBatch(std::size_t states_per_block = 64)
      : states_per_block_(states_per_block) {}

  void clear() { states_.clear(); }
  void add(StateId state) { states_.push_back(state); }
  std::size_t size() const { return states_.size(); }

 private:
  friend class BatchExpander;

  /// Of some states, one after the other.
  struct Block {
    void clear();

    Expansion expansion;                   // of all of them
    std::vector<std::size_t> num_actions;  // of the first so many of them, with a zero in front
    std::vector<std::size_t> num_fresh;    // that the first so many discovered, likewise
    InternTable<task::PackedState> fresh;  // states that were not known
    std::vector<StateId> ids;              // of the first of these: given so far
  };

  std::size_t num_blocks() const { return (size() + states_per_block_ - 1) / states_per_block_; }
  Block& block_of(std::size_t i) { return *blocks_[i / states_per_block_]; }

  std::size_t states_per_block_;
  std::vector<StateId> states_;
  std::size_t known_ = 0;  // states when the batch was generated
  std::vector<std::unique_ptr<Block>> blocks_;
};

class BatchExpander {
 public:
  /// Other models may only be used by one thread.
  static bool can_expand(const Cssp& cssp);
  /// For a problem that it can expand.
  BatchExpander(Cssp& cssp, const Threads& threads);

  /// Before all else, on one of the threads, comes `meanwhile`, which must not expand anything. False if a limit
  /// ended it; there is nothing to learn then.
  bool generate(ExpansionBatch& batch, Monitor& monitor, const std::function<void()>& meanwhile);
  /// For all i, one after the other. Throws LimitReached(memory) when ids run out.
  void learn(ExpansionBatch& batch, std::size_t i);
  /// For all i that have been learnt, one after the other. Valid until the next one.
  const Expansion& take(ExpansionBatch& batch, std::size_t i);

 private:
  void generate_state(const ExpansionBatch& batch, std::size_t i, ExpansionBatch::Block& block,
                      TaskModel::Scratch& scratch) const;

  Cssp& cssp_;
  TaskModel& model_;
  const Threads& threads_;
  std::vector<TaskModel::Scratch> scratch_;  // by thread
  Expansion taken_;
};

}  // namespace carl

#endif
