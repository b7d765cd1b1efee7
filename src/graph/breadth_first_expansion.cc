// Expands everything reachable, breadth first. On several threads the queue is worked off in
// batches: while all threads generate the successors of one, the caller's adds the one before to
// the graph and to the end of the queue. Ids, the graph and where it ends are what they would be on
// one thread.

#include <algorithm>

#include "graph/search_graph.h"
#include "model/batch_expansion.h"

namespace carl::graph {
namespace {

constexpr std::size_t states_per_report = 4096;
// Enough for threads to be worth starting, few enough for caches and, where states have very many
// successors, for memory.
constexpr std::size_t most_states_per_batch = 4096;
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
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      if (monitor_.reached() || graph_.num_states() > max_states_ ||
          graph_.num_expanded() > max_expanded_)
        return false;
      report_at(next);
      const StateId state = queue_[next];
      if (is_to_be_expanded(state)) graph_.expand(state);
      visit_successors(state);
    }
    return true;
  }

  bool run_on_threads() {
    BatchExpander expander(*graph_.cssp_, graph_.threads());
    ExpansionBatch batch;
    ExpansionBatch previous;
    Stretch added{0, 0};  // of the queue: the previous batch
    bool complete = true;
    for (std::size_t next = 0; complete && (next < queue_.size() || added.size() > 0);) {
      Stretch stretch{next, std::min(queue_.size(), next + batch_size())};
      batch.clear();
      for (std::size_t i = stretch.begin; i < stretch.end; ++i)
        if (is_to_be_expanded(queue_[i])) batch.add(queue_[i]);
      complete = !monitor_.reached() && expander.generate(batch, monitor_, [&] {
        add(expander, previous, std::exchange(added, {0, 0}));
      });
      if (!complete) break;
      complete = learn(expander, batch, stretch);
      next = stretch.end;
      added = stretch;
      std::swap(batch, previous);
    }
    add(expander, previous, added);
    return complete;
  }

 private:
  /// Of the queue.
  struct Stretch {
    std::size_t begin;
    std::size_t end;
    std::size_t size() const { return end - begin; }
  };

  bool is_to_be_expanded(StateId s) const { return !graph_.is_goal(s) && !graph_.is_expanded(s); }

  void visit(StateId s) {
    if (queued_[s.index()]) return;
    queued_[s.index()] = true;
    queue_.push_back(s);
  }

  void visit_successors(StateId state) {
    queued_.resize(graph_.num_states(), false);
    graph_.for_each_successor(state, [&](StateId successor) { visit(successor); });
  }

  void report_at(std::size_t position) const {
    if (position % states_per_report != 0) return;
    monitor_.report([&](Progress& progress) { progress.states = graph_.num_states(); });
  }

  std::size_t batch_size() const {
    const std::size_t per_state = 1 + graph_.num_outcomes() / (1 + graph_.num_expanded());
    return std::clamp<std::size_t>(most_outcomes_per_batch / per_state, 1, most_states_per_batch);
  }

  /// Cuts the stretch where one thread would have stopped, and returns whether it need not.
  bool learn(BatchExpander& expander, ExpansionBatch& batch, Stretch& stretch) {
    std::size_t next = 0;  // of the batch
    for (std::size_t i = stretch.begin; i < stretch.end; ++i) {
      if (num_states_ > max_states_ || num_expanded_ > max_expanded_) {
        stretch.end = i;
        return false;
      }
      if (!is_to_be_expanded(queue_[i])) continue;
      expander.learn(batch, next++);
      num_states_ = graph_.cssp_->num_states();
      ++num_expanded_;
    }
    return true;
  }

  void add(BatchExpander& expander, ExpansionBatch& batch, Stretch stretch) {
    std::size_t next = 0;  // of the batch
    for (std::size_t i = stretch.begin; i < stretch.end; ++i) {
      report_at(i);
      const StateId state = queue_[i];
      if (is_to_be_expanded(state)) graph_.add_expansion(state, expander.take(batch, next++));
      visit_successors(state);
    }
  }

  SearchGraph& graph_;
  Monitor& monitor_;
  std::size_t max_states_;
  std::size_t max_expanded_;
  std::size_t num_states_ = graph_.num_states();      // that the graph will have, batches included
  std::size_t num_expanded_ = graph_.num_expanded();  // the same
  std::vector<StateId> queue_;
  std::vector<bool> queued_ = std::vector<bool>(graph_.num_states(), false);
};

bool SearchGraph::expand_all(Monitor& monitor, std::size_t max_states, std::size_t max_expanded) {
  BreadthFirstExpansion expansion(*this, monitor, max_states, max_expanded);
  if (threads_.count() > 1 && BatchExpander::can_expand(*cssp_)) return expansion.run_on_threads();
  return expansion.run_on_one_thread();
}

}  // namespace carl::graph
