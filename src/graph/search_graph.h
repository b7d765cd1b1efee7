// The search graph: what has been expanded of a CSSP, in flat arrays shared by all algorithms.
// State -> range of pairs (s,a) -> range of successors, all of them 32-bit numbers. Costs and
// probabilities are shared by all pairs that have the same (see shared_rows.h).
//
// Self-loops never enter the graph. An action that stays in s with probability p is stored as
// "repeat it until it leaves": the other probabilities and its costs are divided by 1 - p, which
// gives the same expected costs, and an action that only loops is left out. repeats(pair) is that
// factor 1/(1-p), needed to turn departures back into uses of the action.
//
// Giving up is a pair without successors: it ends a run (see ends()), as good as a sure step into a
// goal.
#ifndef CARL_GRAPH_SEARCH_GRAPH_H
#define CARL_GRAPH_SEARCH_GRAPH_H

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "carl/cssp.h"
#include "carl/monitor.h"
#include "graph/shared_rows.h"

namespace carl::graph {

/// A state-action pair.
using PairId = Id<struct PairTag>;

/// Consecutive pairs: those of one state.
class PairRange {
 public:
  class Iterator {
   public:
    explicit Iterator(std::size_t i) : i_(i) {}
    PairId operator*() const { return PairId(i_); }
    Iterator& operator++() {
      ++i_;
      return *this;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    std::size_t i_;
  };

  PairRange(std::size_t first, std::size_t last) : first_(first), last_(last) {}
  Iterator begin() const { return Iterator(first_); }
  Iterator end() const { return Iterator(last_); }
  std::size_t size() const { return last_ - first_; }
  bool empty() const { return first_ == last_; }

 private:
  std::size_t first_;
  std::size_t last_;
};

class SearchGraph {
 public:
  /// `threads` is for expand_all() of factored problems; whatever it is, the graph is the same.
  explicit SearchGraph(Cssp& cssp, std::size_t threads = 1);

  /// Generates the actions of a state that is neither expanded nor a goal. Throws
  /// LimitReached(memory) when ids run out.
  void expand(StateId state);
  /// Expands a state that is known to be a dead end: the only thing to do there is to give up.
  void expand_to_give_up(StateId state);
  /// Expands everything reachable, in breadth-first order. Returns false if a limit ended it,
  /// or more than `max_states` states. `observe` is called now and then.
  bool expand_all(Monitor& monitor, const std::function<void()>& observe = {},
                  std::size_t max_states = std::numeric_limits<std::size_t>::max());

  Cssp& cssp() { return *cssp_; }
  const Cssp& cssp() const { return *cssp_; }
  StateId initial_state() const { return initial_; }
  /// States known so far have the ids below this.
  std::size_t num_states() const { return goal_.size(); }
  std::size_t num_pairs() const { return pairs_.size() - 1; }
  std::size_t num_outcomes() const { return successor_.size(); }
  std::size_t num_costs() const { return stride_; }

  bool is_goal(StateId s) const { return goal_[s.index()]; }
  bool is_expanded(StateId s) const { return first_pair_[s.index()] != unexpanded; }
  PairRange pairs(StateId s) const {
    const std::uint32_t first = first_pair_[s.index()];
    return first == unexpanded ? PairRange(0, 0) : PairRange(first, last_pair_[s.index()]);
  }

  ActionId action(PairId p) const { return pairs_[p.index()].action; }
  /// The state of the pair.
  StateId state(PairId p) const { return pairs_[p.index()].state; }
  std::span<const double> cost(PairId p) const { return rows_->cost(pairs_[p.index()].cost_row); }
  /// Pairs with equal cost vectors share a row, so that scalar costs need computing once per row.
  std::uint32_t cost_row(PairId p) const { return pairs_[p.index()].cost_row; }
  std::size_t num_cost_rows() const { return rows_->num_cost_rows(); }
  std::span<const double> cost_of_row(std::size_t row) const { return rows_->cost(row); }
  double repeats(PairId p) const { return rows_->repeats(pairs_[p.index()].cost_row); }
  std::span<const double> probabilities(PairId p) const {
    return rows_->probabilities(pairs_[p.index()].first_probability, outcome_count(p));
  }
  std::span<const StateId> successors(PairId p) const {
    return std::span(successor_).subspan(pairs_[p.index()].first_outcome, outcome_count(p));
  }

  /// Giving up: the run ends with this pair. All others have successors.
  bool ends(PairId p) const { return outcome_count(p) == 0; }

  /// Of all pairs of one state, pair by pair.
  std::span<const StateId> successors(const PairRange& pairs) const {
    if (pairs.empty()) return {};
    const std::size_t first = pairs_[(*pairs.begin()).index()].first_outcome;
    const std::size_t last = pairs_[(*pairs.begin()).index() + pairs.size()].first_outcome;
    return std::span(successor_).subspan(first, last - first);
  }

  std::size_t num_expanded() const { return num_expanded_; }
  /// Actions generated before those that only loop were left out.
  std::size_t num_generated_actions() const { return num_generated_actions_; }
  /// Bytes held by states' ranges, pairs and outcomes.
  std::size_t bytes() const;

 private:
  static constexpr std::uint32_t unexpanded = ~std::uint32_t{0};

  /// All that a Q-value needs of a pair lies together: backups jump from state to state.
  struct Pair {
    ActionId action;
    StateId state;
    std::uint32_t cost_row = 0;
    std::uint32_t first_probability = 0;
    std::uint32_t first_outcome = 0;
  };

  std::size_t outcome_count(PairId p) const {
    return pairs_[p.index() + 1].first_outcome - pairs_[p.index()].first_outcome;
  }
  void learn_states();
  void add_expansion(StateId state, const Expansion& expansion);
  void add_pair(StateId state, const Expansion& expansion, std::size_t i);
  void require_ids(const Expansion& expansion) const;

  friend class BreadthFirstExpansion;

  Cssp* cssp_;
  std::size_t threads_;
  std::size_t stride_;
  StateId initial_;
  std::vector<bool> goal_;
  std::vector<std::uint32_t> first_pair_;
  std::vector<std::uint32_t> last_pair_;
  std::vector<Pair> pairs_{Pair{}};  // and one whose first outcome is yet to come
  std::vector<StateId> successor_;
  std::unique_ptr<SharedRows> rows_;
  std::size_t num_expanded_ = 0;
  std::size_t num_generated_actions_ = 0;
  Expansion expansion_;
  std::vector<double> leaving_;  // scratch of add_pair()
};

}  // namespace carl::graph

#endif
