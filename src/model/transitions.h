// Transitions in flat arrays, the way in which explicit models hold them and search graphs read and
// grow them: pair (s,a) -> row of costs, row of probabilities, successors.
//
//  - A self-loop is no successor. An action that stays in s with probability p is stored as "repeat
//    it until it leaves": the probabilities of a pair are those given that s is left, divided by
//    1 - p, so that who plans never meets an edge from a state to itself. What the action does in a
//    single step is written down with the rows, of which there are few (see Transitions).
//  - Outcomes are counted in 64 bits, states and pairs in 32. Offsets that are smaller, with a base
//    for blocks of pairs, would make every Q-value slower.
#ifndef CARL_MODEL_TRANSITIONS_H
#define CARL_MODEL_TRANSITIONS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "carl/ids.h"
#include "model/intern_table.h"
#include "model/recent_pairs.h"
#include "util/growing_array.h"

namespace carl {

/// A state-action pair.
using PairId = Id<struct PairTag>;

/// The row of costs that is kept for giving up, whatever other actions cost.
inline constexpr std::uint32_t give_up_row = 0;

/// A probability of leaving below this is rounding noise of probabilities that sum to one.
inline constexpr double least_leaving_probability = 1e-13;

/// Where the pairs and their outcomes are. Valid until pairs are added.
class PairView {
 public:
  /// All that a Q-value needs of a pair lies together: backups jump from state to state.
  struct Pair {
    std::uint64_t first_outcome = 0;
    std::uint32_t cost_row = 0;
    std::uint32_t first_probability = 0;
  };

  /// Unless they were forgotten.
  StateId state(PairId p) const { return states_[p.index()]; }
  const StateId* states() const { return states_; }
  std::uint32_t cost_row(PairId p) const { return pairs_[p.index()].cost_row; }
  std::uint32_t first_probability(PairId p) const { return pairs_[p.index()].first_probability; }
  std::size_t num_outcomes(PairId p) const {
    return pairs_[p.index() + 1].first_outcome - pairs_[p.index()].first_outcome;
  }
  std::span<const StateId> successors(PairId p) const {
    return {successors_ + pairs_[p.index()].first_outcome, num_outcomes(p)};
  }
  /// Of consecutive pairs, one after the other.
  std::span<const StateId> successors(std::size_t first, std::size_t last) const {
    return {successors_ + pairs_[first].first_outcome, successors_ + pairs_[last].first_outcome};
  }

 private:
  friend class PairArrays;

  const Pair* pairs_ = nullptr;
  const StateId* states_ = nullptr;
  const StateId* successors_ = nullptr;
};

class PairArrays {
 public:
  PairArrays() { pairs_.push_back({}); }

  std::size_t num_pairs() const { return pairs_.size() - 1; }
  std::size_t num_outcomes() const { return successors_.size(); }
  std::size_t bytes() const;
  void reserve(std::size_t pairs, std::size_t outcomes);

  /// False if so many more would have no ids any more.
  bool has_room(std::size_t pairs) const {
    return pairs <= std::numeric_limits<std::uint32_t>::max() - 1 - num_pairs();
  }

  /// A successor of the pair that is added next.
  void add_successor(StateId successor) { successors_.push_back(successor); }
  void add_pair(std::uint32_t cost_row, std::uint32_t first_probability) {
    pairs_.back().cost_row = cost_row;
    pairs_.back().first_probability = first_probability;
    pairs_.push_back({successors_.size(), 0, 0});
  }
  /// All but `state`, which is left out.
  void add_successors(std::span<const StateId> successors, StateId state) {
    StateId* next = successors_.extend(successors.size());
    for (const StateId successor : successors) {
      *next = successor;
      next += successor != state ? 1 : 0;
    }
    successors_.cut(static_cast<std::size_t>(next - successors_.data()));
  }
  /// The state of all pairs that were added since the last call.
  void end_state(StateId state) { states_.resize(num_pairs(), state); }

  // Many pairs at a time, which several threads may set.

  /// Their ids and the places of their outcomes are the next ones.
  void extend(std::size_t pairs, std::size_t outcomes);
  void set_pair(std::size_t p, StateId state, const PairView::Pair& pair) {
    pairs_[p] = pair;
    states_[p] = state;
  }
  StateId* successors() { return successors_.data(); }

  /// Where pairs are sorted by state, who knows that needs no array of the states.
  void forget_states() { states_ = GrowingArray<StateId>(); }

  PairView view() const {
    PairView view;
    view.pairs_ = pairs_.data();
    view.states_ = states_.data();
    view.successors_ = successors_.data();
    return view;
  }

 private:
  GrowingArray<PairView::Pair> pairs_;  // and one whose first outcome is yet to come
  GrowingArray<StateId> states_;        // by pair
  GrowingArray<StateId> successors_;
};

/// All transitions of a model. Pairs have the ids of actions, state by state; where giving up is
/// asked for, it has the ids after them, in the order of the states.
class Transitions {
 public:
  explicit Transitions(std::size_t num_costs);

  void reserve(std::size_t pairs, std::size_t outcomes) { pairs_.reserve(pairs, outcomes); }
  /// Successors are distinct. Pairs may come in any order. Throws LimitReached(memory) when numbers
  /// run out.
  void add_pair(StateId state, std::span<const double> cost, std::span<const double> probabilities,
                std::span<const StateId> successors);
  /// The same if a pair was remembered that is equal up to its state and successors; else nothing
  /// is added, and it returns false.
  bool repeat_pair(StateId state, const RecentPairs::Given& given,
                   std::span<const StateId> successors);
  /// That the pair added last, which has all its successors, was given like this.
  void remember_pair(const RecentPairs::Given& given);
  /// When all pairs are there: groups them by state, without a change of order in a state, and
  /// returns the order: what each has been before. Empty if they have been in order already.
  std::vector<PairId> finish(std::size_t num_states);
  /// A pair for giving up in every state, once. Views stay valid.
  void add_giving_up();

  /// What the costs and probabilities of a pair say of its self-loop.
  enum class Loop { none, leaves, stays };  // stays: the state is as good as never left

  /// Without those of giving up.
  std::size_t num_pairs() const {
    return first_pair_.empty() ? pairs_.num_pairs() : first_pair_.back();
  }
  std::size_t num_states() const { return first_pair_.size() - 1; }
  const PairArrays& pairs() const { return pairs_; }
  /// By state, with one more for the end; once the transitions are complete.
  std::span<const std::uint32_t> first_pair() const { return first_pair_; }
  StateId state(PairId p) const;
  /// At the first probability of a pair are those given that the state is left.
  const double* probabilities() const { return distributions_.elements().data(); }

  std::size_t num_cost_rows() const { return cost_rows_.size(); }
  /// What an action costs when it is used once.
  std::span<const double> cost(std::size_t row) const { return cost_rows_[row].first(num_costs_); }
  Loop loop(std::size_t row) const;
  /// How often an action is used until its state is left.
  double repeats(std::size_t row) const;

  /// All outcomes of an action, the self-loop where it was given.
  std::span<const double> distribution(PairId p) const;
  std::vector<StateId> successors(PairId p) const;
  /// Calls add(probabilities, successors) for parts of them, in order.
  template <class Add>
  void for_parts(PairId p, Add add) const;

  std::size_t bytes() const;

 private:
  static constexpr std::size_t pairs_per_block = 16;

  std::size_t place_of_loop(PairId p) const;
  std::vector<PairId> sort_pairs();
  std::uint32_t intern_loop(std::span<const double> probabilities, std::size_t place,
                            double repeats);

  std::size_t num_costs_;
  PairArrays pairs_;
  std::vector<std::uint32_t> first_pair_;
  std::vector<StateId> state_of_block_;  // of every pairs_per_block-th pair
  // Costs, and how often the action is repeated: 0 without a self-loop, infinity if it stays.
  VectorTable cost_rows_;
  // Probabilities given that the state is left. If there is a self-loop, those of all outcomes
  // follow, and the place of the self-loop among them.
  VectorTable distributions_;
  std::unique_ptr<RecentPairs> recent_ = std::make_unique<RecentPairs>();
  std::vector<double> row_;  // scratch
};

/// Beginning with the state that the block of the pair begins with.
inline StateId Transitions::state(PairId p) const {
  if (p.index() >= num_pairs()) return StateId(p.index() - num_pairs());  // giving up
  constexpr std::size_t most_steps = 8;
  std::size_t s = state_of_block_[p.index() / pairs_per_block].index();
  for (const std::size_t stop = s + most_steps; s < stop; ++s)
    if (first_pair_[s + 1] > p.index()) return StateId(s);
  const auto next = std::upper_bound(first_pair_.begin() + static_cast<std::ptrdiff_t>(s),
                                     first_pair_.end(), p.index());
  return StateId(static_cast<std::size_t>(next - first_pair_.begin()) - 1);
}

template <class Add>
void Transitions::for_parts(PairId p, Add add) const {
  const PairView view = pairs_.view();
  const std::span<const double> all = distribution(p);
  const std::span<const StateId> others = view.successors(p);
  if (loop(view.cost_row(p)) == Loop::none) return add(all, others);
  const std::size_t place = place_of_loop(p);
  const StateId own = state(p);
  add(all.first(place), others.first(place));
  add(all.subspan(place, 1), std::span<const StateId>(&own, 1));
  add(all.subspan(place + 1), others.subspan(place));
}

}  // namespace carl

#endif
