// The search graph: what has been expanded of a CSSP, in flat arrays shared by all algorithms.
// State -> range of pairs (s,a) -> successors. Costs and probabilities are shared by all pairs that
// have the same (see shared_rows.h).
//
// The arrays are those of model/transitions.h. If the model holds its transitions in such arrays,
// the graph reads them there, and expanding a state is no more than noting it; pairs have the ids
// of the model's actions then. Otherwise the graph has arrays of its own that grow, and pairs are
// numbered as they come.
//
// Self-loops are folded. An action that stays in s with probability p stands for "repeat it until it
// leaves": the other probabilities and its costs are divided by 1 - p, which gives the same expected
// costs, and an action that only loops may not be used. repeats(pair) is that factor 1/(1-p), needed
// to turn departures back into uses of the action.
//
// Giving up is a pair without successors: it ends a run (see ends()), as good as a sure step into a
// goal. Its costs have a row of their own, since penalties may change.
//
// Pairs may be masked: those that cost something of which a bound allows nothing, and single ones.
// They keep their ids; what algorithms iterate over are the others.
#ifndef CARL_GRAPH_SEARCH_GRAPH_H
#define CARL_GRAPH_SEARCH_GRAPH_H

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "carl/cssp.h"
#include "carl/monitor.h"
#include "graph/folded_outcomes.h"
#include "graph/pair_range.h"
#include "graph/shared_rows.h"
#include "model/transitions.h"
#include "util/growing_array.h"
#include "util/parallel.h"

namespace carl::graph {

/// About how many instructions it takes to generate an outcome of a factored problem: 750 to 1,250 in
/// the domains of benchmarks/.
inline constexpr std::size_t work_per_outcome = 1'000;

class PairBlock;

class SearchGraph {
 public:
  /// Forbids what the problem's bounds of zero do. `threads` is for expand_all() of factored
  /// problems, 0 for all that the machine has; whatever it is, the graph is the same.
  explicit SearchGraph(Cssp& cssp, std::size_t threads = 1);

  /// Generates the actions of a state that is neither expanded nor a goal. Throws
  /// LimitReached(memory) when ids run out.
  void expand(StateId state);
  /// Expands a state that is known to be a dead end: the only thing to do there is to give up.
  void expand_to_give_up(StateId state);
  /// Expands everything reachable, in breadth-first order. Returns false if a limit ended it,
  /// more than `max_states` states, or more than `max_expanded` that are expanded.
  bool expand_all(Monitor& monitor,
                  std::size_t max_states = std::numeric_limits<std::size_t>::max(),
                  std::size_t max_expanded = std::numeric_limits<std::size_t>::max());

  /// How far it has been expanded.
  class Bookmark;
  Bookmark bookmark() const;
  /// States that were expanded since count as unexpanded again. All that was generated is kept, so
  /// that expanding them once more does not ask the model.
  void return_to(const Bookmark& bookmark);

  /// For whoever computes something of the whole graph.
  const Threads& threads() const { return threads_; }

  Cssp& cssp() { return *cssp_; }
  const Cssp& cssp() const { return *cssp_; }
  StateId initial_state() const { return initial_; }
  /// States known so far have the ids below this.
  std::size_t num_states() const { return status_.size(); }
  /// All pairs have ids below this; some may be of states that have not been expanded.
  std::size_t num_pairs() const { return num_ids_; }
  std::size_t num_costs() const { return stride_; }

  bool is_goal(StateId s) const { return (status_[s.index()] & goal) != 0; }
  bool is_expanded(StateId s) const { return (status_[s.index()] & expanded) != 0; }
  /// True if the state was expanded to give up: what else can be done there is not known.
  bool is_known_dead_end(StateId s) const { return (status_[s.index()] & dead_end) != 0; }
  /// In the order in which they were expanded.
  std::span<const StateId> expanded_states() const { return {expanded_.data(), expanded_.size()}; }

  /// The pairs of a state that may be used; none if it is not expanded.
  PairRange pairs(StateId s) const {
    if (is_plain_) [[likely]]
      return PairRange(first_pair_[s.index()], last_pair_[s.index()]);
    return PairRange(first_pair_[s.index()], last_pair_[s.index()], pair_of_giving_up(s), mask());
  }
  /// Masked ones, too.
  PairRange all_pairs(StateId s) const {
    if (has_own_pairs()) return PairRange(first_pair_[s.index()], last_pair_[s.index()]);
    return PairRange(first_pair_[s.index()], last_pair_[s.index()], pair_of_giving_up(s), nullptr);
  }
  /// Calls visit(pair) for all pairs that may be used, those of states expanded last first.
  template <class Visit>
  void for_each_pair_backwards(Visit visit) const;

  /// From now on pairs may not be used that have a positive cost among these: those known and those
  /// to come, and giving up by its penalties. Replaces what was forbidden in this way before.
  void forbid_costs(std::vector<std::size_t> costs);
  const std::vector<std::size_t>& forbidden_costs() const { return forbidden_costs_; }
  /// The same for single pairs, whatever they cost. What is forbidden by its costs, or never leaves
  /// its state, stays so.
  void forbid(PairId p);
  void allow(PairId p);
  bool is_allowed(PairId p) const { return masked_.empty() || !masked_[p.index()]; }
  /// Every state has a pair that ends a run.
  bool can_always_give_up() const { return cssp_->can_give_up() && num_forbidden_endings_ == 0; }
  bool has_mask() const { return !masked_.empty(); }
  /// False if no pair with this row of costs may be used.
  bool is_row_allowed(std::size_t row) const {
    return !is_row_masked_[row] && (gives_up_ || row != give_up_row);
  }

  /// After the problem's penalties have changed, or giving up was switched on or off. In the latter
  /// case the ids of pairs may be others than before, and what refers to them is of no use any
  /// more. The model is not asked again.
  void give_up_changed();

  ActionId action(PairId p) const;
  /// The state of the pair.
  StateId state(PairId p) const {
    return states_ != nullptr ? states_[p.index()] : shared_->state(p);
  }
  /// Where the model does without an array of the pairs' states, makes one: four bytes for each pair
  /// that searches from pair to state are worth.
  void index_states();
  std::span<const double> cost(PairId p) const { return rows_->cost(cost_row(p)); }
  /// Pairs with equal cost vectors share a row, so that scalar costs need computing once per row.
  std::uint32_t cost_row(PairId p) const { return view_.cost_row(p); }
  std::size_t num_cost_rows() const { return rows_->num_cost_rows(); }
  std::span<const double> cost_of_row(std::size_t row) const { return rows_->cost(row); }
  double repeats(PairId p) const { return rows_->repeats(cost_row(p)); }
  std::span<const double> probabilities(PairId p) const {
    return {probability_ + view_.first_probability(p), view_.num_outcomes(p)};
  }
  std::span<const StateId> successors(PairId p) const { return view_.successors(p); }

  /// Giving up: the run ends with this pair. All others have successors.
  bool ends(PairId p) const { return cost_row(p) == give_up_row; }

  /// Calls visit(t) for the successors of all pairs of a state that may be used, pair by pair.
  template <class Visit>
  void for_each_successor(StateId s, Visit visit) const {
    if (is_plain_) {
      for (const StateId t : all_successors(s))
        visit(t);
      return;
    }
    for (const PairId p : pairs(s))
      for (const StateId t : successors(p))
        visit(t);
  }
  /// The same as an array, those of masked pairs included.
  std::span<const StateId> all_successors(StateId s) const {
    return view_.successors(first_pair_[s.index()], last_pair_[s.index()]);
  }

  // How much there is: what could be used when it was expanded.
  std::size_t num_expanded() const { return expanded_.size(); }
  std::size_t num_known_pairs() const { return count_.pairs + num_giving_up(); }
  std::size_t num_outcomes() const { return count_.outcomes; }
  /// Pairs and those that only loop.
  std::size_t num_generated_actions() const { return count_.actions + num_giving_up(); }
  /// Actions that could not be used because of their costs.
  std::size_t num_forbidden_actions() const { return count_.forbidden; }
  /// Bytes held by states' ranges, pairs and outcomes, wherever they are.
  std::size_t bytes() const;

 private:
  static constexpr std::uint8_t goal = 1;
  static constexpr std::uint8_t expanded = 2;
  static constexpr std::uint8_t dead_end = 4;
  static constexpr std::uint8_t generated = 8;  // and not expanded

  void share_transitions();
  void learn_states() { learn_states(cssp_->num_states()); }
  /// Those with the ids below this.
  void learn_states(std::size_t num_states);
  /// Of the next states it is known which are goals: 1 for a goal.
  void learn_states(std::span<const std::uint8_t> goals);
  void learn_rows();
  void refresh_views();
  void refresh_own_views();
  void add_expansion(StateId state, const Expansion& expansion);
  void add_pair(StateId state, const Expansion& expansion, std::size_t i);
  /// Of states that are not expanded, in order. There must be room for the pairs. The last of the
  /// states known have the `goals` among them, if there are any numbers of that.
  void add_blocks(std::span<PairBlock> blocks, std::span<const std::uint8_t> goals);
  /// Where a block goes.
  struct Place {
    std::size_t pair;
    std::size_t outcome;
    std::size_t expanded;
  };
  void copy_block(const PairBlock& block, const Place& place);
  void count_block(const PairBlock& block);
  void add_giving_up();
  void leave_out(ActionId action);
  void expand_again(StateId state);
  void mark_expanded(StateId state) {
    expanded_.push_back(state);
    note_expanded(state);
  }
  void note_expanded(StateId state) {
    std::uint8_t& status = status_[state.index()];
    status = static_cast<std::uint8_t>((status & ~generated) | expanded);
  }
  bool is_generated(StateId s) const { return (status_[s.index()] & generated) != 0; }
  void count_pairs(StateId state);
  void rebuild_pairs();
  bool is_forbidden(std::span<const double> cost) const;
  bool is_row_forbidden(std::size_t row) const { return is_forbidden(cost_of_row(row)); }
  bool is_to_be_masked(PairId p) const;
  void mask_new_pairs(std::size_t first);
  void mask_all_pairs();
  bool has_own_pairs() const { return shared_ == nullptr; }
  std::size_t num_giving_up() const { return is_row_allowed(give_up_row) ? num_expanded() : 0; }
  const std::vector<bool>* mask() const { return masked_.empty() ? nullptr : &masked_; }
  /// If it is not among the others.
  std::uint32_t pair_of_giving_up(StateId s) const {
    if (has_own_pairs() || !gives_up_ || !is_expanded(s)) return PairRange::none;
    return static_cast<std::uint32_t>(shared_->num_pairs() + s.index());
  }

  friend class BreadthFirstExpansion;

  Cssp* cssp_;
  Threads threads_;
  std::size_t stride_;
  StateId initial_;
  bool gives_up_ = false;  // there are pairs for it

  // Where to read, in the model's arrays or our own.
  PairView view_;
  const double* probability_ = nullptr;
  const StateId* states_ = nullptr;            // by pair; null: the model has to find them
  const std::uint32_t* first_pair_ = nullptr;  // by state
  std::size_t num_ids_ = 0;
  bool is_plain_ = true;  // nothing is masked, and all pairs of a state have consecutive ids

  const Transitions* shared_ = nullptr;  // of the model, if it has such
  GrowingArray<std::uint8_t> status_;    // by state
  GrowingArray<std::uint32_t> last_pair_;
  GrowingArray<StateId> expanded_;
  std::unique_ptr<SharedRows> rows_;
  // If the model has none.
  GrowingArray<std::uint32_t> own_first_pair_;
  PairArrays own_pairs_;
  GrowingArray<ActionId> own_actions_;
  std::vector<StateId> state_index_;  // if the model has them, and somebody asked

  std::vector<std::size_t> forbidden_costs_;
  std::vector<bool> is_row_masked_;
  std::vector<bool> masked_;               // by pair; empty if none is
  std::vector<bool> forbidden_;            // by pair, the single ones; empty if none is
  std::size_t num_forbidden_endings_ = 0;  // of the single ones

  struct Count {
    std::size_t pairs = 0;
    std::size_t outcomes = 0;
    std::size_t actions = 0;
    std::size_t forbidden = 0;
  };
  Count count_;  // without giving up
  Expansion expansion_;
  FoldedOutcomes folded_;
};

class SearchGraph::Bookmark {
  friend class SearchGraph;
  std::size_t num_expanded = 0;
  Count count;
};

template <class Visit>
void SearchGraph::for_each_pair_backwards(Visit visit) const {
  for (std::size_t i = expanded_.size(); i-- > 0;) {
    const StateId s = expanded_[i];
    const std::uint32_t extra = pair_of_giving_up(s);
    if (extra != PairRange::none && is_allowed(PairId(extra))) visit(PairId(extra));
    for (std::uint32_t p = last_pair_[s.index()]; p-- > first_pair_[s.index()];)
      if (is_allowed(PairId(p))) visit(PairId(p));
  }
}

}  // namespace carl::graph

#endif
