// Expands everything reachable, breadth first. On several threads the queue is worked off in
// batches. Ids, the graph and where it ends are what they would be on one thread.

#include "graph/breadth_first_expansion.h"

#include <algorithm>
#include <atomic>
#include <exception>

#include "graph/pair_block.h"
#include "model/batch_expansion.h"

namespace carl::graph {
namespace {

constexpr std::size_t states_per_report = 4096;
// Where states have very many successors, for the sake of memory.
constexpr std::size_t most_outcomes_per_batch = std::size_t{1} << 20;

}  // namespace

class BreadthFirstExpansion {
 public:
  BreadthFirstExpansion(SearchGraph& graph, Monitor& monitor, std::size_t max_states,
                        std::size_t max_expanded)
      : graph_(graph), monitor_(monitor), max_states_(max_states), max_expanded_(max_expanded) {
    visit(graph.initial_state());
  }

  bool run_on_one_thread() {
    while (next_ < queue_.size()) {
      if (is_at_limit()) return false;
      visit_next();
    }
    return true;
  }

  /// Where a batch would be more than is allowed, or cannot be expanded, one thread goes on: it
  /// knows where to stop, and throws what there is to be thrown.
  bool run_on_threads(const PiecesOfWork& pieces) {
    BatchExpander expander(*graph_.cssp_, graph_.threads());
    ExpansionBatch batch(pieces.states_per_block);
    while (next_ < queue_.size()) {
      if (is_at_limit()) return false;
      if (queue_.size() - next_ < pieces.least_states_per_batch) {
        visit_next();
        continue;
      }
      const std::size_t end = fill(batch, pieces.states_per_batch);
      if (batch.empty()) {
        for (const std::size_t stop = std::max(end, next_ + 1); next_ < stop;)
          visit_next();
        continue;
      }
      if (!generate(expander, batch)) return run_on_one_thread();
      expander.learn(batch);
      add(expander, batch);
      visit_batch(end);
    }
    return true;
  }

 private:
  bool is_at_limit() {
    return monitor_.reached() || graph_.num_states() > max_states_ ||
           graph_.num_expanded() > max_expanded_;
  }

  void visit_next() {
    report();
    const StateId state = queue_[next_++];
    if (is_to_be_expanded(state)) graph_.expand(state);
    visit_successors(state);
  }

  /// States from the next one on, those included that need not be expanded, up to where the batch
  /// ends: it has those of them that are to be.
  std::size_t fill(ExpansionBatch& batch, std::size_t states_per_batch) const {
    batch.clear();
    const std::size_t size = std::min(states_per_batch, states_within_memory());
    const std::size_t most = max_expanded_ - graph_.num_expanded();  // and one
    std::size_t end = next_;
    for (; end < queue_.size() && batch.size() < size && batch.size() <= most; ++end) {
      const StateId state = queue_[end];
      if (!is_to_be_expanded(state)) continue;
      if (graph_.is_generated(state)) break;
      batch.add(state);
    }
    return end;
  }

  /// False if one thread has to go on, with nothing changed.
  bool generate(BatchExpander& expander, ExpansionBatch& batch) {
    try {
      if (!expander.generate(batch, monitor_)) return false;
    } catch (const std::exception&) {
      return false;
    }
    const std::size_t num_pairs = batch.num_actions() + batch.size();  // with giving up
    if (!expander.has_room(batch) || !graph_.own_pairs_.has_room(num_pairs)) return false;
    const std::size_t num_new = expander.find(batch);
    if (num_new <= max_states_ - std::min(max_states_, graph_.cssp_->num_states())) return true;
    expander.forget();
    return false;
  }

  /// While some threads make pairs of what was found others may index the new states.
  void add(BatchExpander& expander, const ExpansionBatch& batch) {
    constexpr std::size_t num_shards = BatchExpander::num_shards;
    if (blocks_.size() < batch.num_blocks()) blocks_.resize(batch.num_blocks());
    rooms_.resize(graph_.threads().count());
    std::atomic<bool> is_in_order{all_queued_ == batch.found(0).begin};
    graph_.threads().for_each_block(num_shards + batch.num_blocks(),
                                    [&](std::size_t task, std::size_t thread) {
                                      if (task < num_shards) return expander.index(batch, task);
                                      const std::size_t b = task - num_shards;
                                      make_pairs(expander, batch, b, rooms_[thread]);
                                      const ExpansionBatch::Found found = batch.found(b);
                                      if (!blocks_[b].finds_in_order(found.begin, found.end))
                                        is_in_order.store(false, std::memory_order_relaxed);
                                    });
    is_in_order_ = is_in_order;
    graph_.add_blocks(std::span(blocks_).first(batch.num_blocks()), batch.goals());
  }

  void make_pairs(const BatchExpander& expander, const ExpansionBatch& batch, std::size_t b,
                  Expansion& room) {
    const std::span<const StateId> states = batch.states(b);
    PairBlock& block = blocks_[b];
    block.clear();
    for (std::size_t i = 0; i < states.size(); ++i) {
      expander.take(batch, b, i, room);
      block.add_state(states[i], room);
    }
  }

  /// If all states that were known are in the queue already, and those that are new come in the
  /// order of their ids, then that is how they go there.
  void visit_batch(std::size_t end) {
    if (is_in_order_ && graph_.is_plain_) {
      for (; next_ < end; ++next_)
        report();
      for (; all_queued_ < graph_.num_states(); ++all_queued_)
        queue_.push_back(StateId(all_queued_));
      return;
    }
    for (; next_ < end; ++next_) {
      report();
      visit_successors(queue_[next_]);
    }
  }

  bool is_to_be_expanded(StateId s) const { return !graph_.is_goal(s) && !graph_.is_expanded(s); }

  /// Mostly the first that is not in the queue is what comes next.
  void visit(StateId s) {
    if (s.index() < all_queued_) return;
    if (s.index() > all_queued_) {
      if (queued_.size() <= s.index()) queued_.resize(graph_.num_states(), false);
      if (queued_[s.index()]) return;
      queued_[s.index()] = true;
    } else {
      do
        ++all_queued_;
      while (all_queued_ < queued_.size() && queued_[all_queued_]);
    }
    queue_.push_back(s);
  }

  void visit_successors(StateId state) {
    graph_.for_each_successor(state, [&](StateId successor) { visit(successor); });
  }

  void report() const {
    if (next_ % states_per_report != 0) return;
    monitor_.report([&](Progress& progress) { progress.states = graph_.num_states(); });
  }

  std::size_t states_within_memory() const {
    const std::size_t per_state = 1 + graph_.num_outcomes() / (1 + graph_.num_expanded());
    return std::max<std::size_t>(most_outcomes_per_batch / per_state, 1);
  }

  SearchGraph& graph_;
  Monitor& monitor_;
  std::size_t max_states_;
  std::size_t max_expanded_;
  std::size_t next_ = 0;  // of the queue
  GrowingArray<StateId> queue_;
  std::size_t all_queued_ = 0;  // states with ids below this are in it
  std::vector<bool> queued_;    // and of the others those with an entry that is true
  bool is_in_order_ = false;    // the states that the last batch has found
  std::vector<PairBlock> blocks_;
  std::vector<Expansion> rooms_;  // by thread
};

bool expand_breadth_first(SearchGraph& graph, Monitor& monitor, std::size_t max_states,
                          std::size_t max_expanded, const PiecesOfWork& pieces) {
  BreadthFirstExpansion expansion(graph, monitor, max_states, max_expanded);
  if (graph.threads().count() > 1 && BatchExpander::can_expand(graph.cssp()))
    return expansion.run_on_threads(pieces);
  return expansion.run_on_one_thread();
}

bool SearchGraph::expand_all(Monitor& monitor, std::size_t max_states, std::size_t max_expanded) {
  return expand_breadth_first(*this, monitor, max_states, max_expanded, {});
}

}  // namespace carl::graph
