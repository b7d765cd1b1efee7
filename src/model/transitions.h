// Transitions in flat arrays, the way in which explicit models hold them and search graphs read and
// grow them: pair (s,a) -> row of costs, row of probabilities, successors.
//
//  - A self-loop is no successor. An action that stays in s with probability p is stored as "repeat
//    it until it leaves": the probabilities of a pair are those given that s is left, divided by
//    1 - p, so that who plans never meets an edge from a state to itself. What the action does in a
//    single step is written down with the rows, of which there are few (see Transitions).
//  - Outcomes are counted in 64 bits. The offsets that every pair has are 32-bit numbers, counted
//    from a base that blocks of pairs share.
#ifndef CARL_MODEL_TRANSITIONS_H
#define CARL_MODEL_TRANSITIONS_H

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "carl/ids.h"
#include "model/intern_table.h"

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
    std::uint32_t cost_row = 0;
    std::uint32_t first_probability = 0;
    std::uint32_t first_outcome = 0;  // counted from the base of its block
  };
  static constexpr std::size_t pairs_per_block = 256;
  /// Bases are multiples of this. So the low bits of a difference of two offsets do not depend on
  /// their bases: they are the number of outcomes.
  static constexpr std::uint64_t base_unit = std::uint64_t{1} << 31;

  StateId state(PairId p) const { return states_[p.index()]; }
  std::uint32_t cost_row(PairId p) const { return pairs_[p.index()].cost_row; }
  std::uint32_t first_probability(PairId p) const { return pairs_[p.index()].first_probability; }
  std::size_t num_outcomes(PairId p) const {
    return (pairs_[p.index() + 1].first_outcome - pairs_[p.index()].first_outcome) &
           static_cast<std::uint32_t>(base_unit - 1);
  }
  /// Of the pair, or of the end if it is the one after the last.
  std::uint64_t first_outcome(std::size_t pair) const {
    return bases_[pair / pairs_per_block] + pairs_[pair].first_outcome;
  }
  std::span<const StateId> successors(PairId p) const {
    return {successors_ + first_outcome(p.index()), num_outcomes(p)};
  }
  /// Of consecutive pairs, one after the other.
  std::span<const StateId> successors(std::size_t first, std::size_t last) const {
    return {successors_ + first_outcome(first), successors_ + first_outcome(last)};
  }

 private:
  friend class PairArrays;

  const Pair* pairs_ = nullptr;
  const std::uint64_t* bases_ = nullptr;
  const StateId* states_ = nullptr;
  const StateId* successors_ = nullptr;
};

class PairArrays {
 public:
  /// Offsets of outcomes begin with `first_offset`, which is 0 but in tests of large numbers.
  explicit PairArrays(std::uint64_t first_offset = 0)
      : first_offset_(first_offset), bases_{base_of(first_offset)} {
    pairs_.emplace_back().first_outcome = static_cast<std::uint32_t>(first_offset - bases_[0]);
  }

  std::size_t num_pairs() const { return states_.size(); }
  std::size_t num_outcomes() const { return successors_.size(); }
  std::size_t bytes() const;
  void reserve(std::size_t pairs, std::size_t outcomes);

  /// False if so many more would have no numbers any more: more than four billion pairs, or more
  /// than two billion outcomes of neighbouring ones.
  bool has_room(std::size_t pairs, std::size_t outcomes) const {
    constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max() - 1;
    return pairs <= most - num_pairs() && outcomes < PairView::base_unit &&
           outcomes + (end_offset() - bases_.back()) < most;
  }

  /// A successor of the pair that is added next.
  void add_successor(StateId successor) { successors_.push_back(successor); }
  void add_pair(StateId state, std::uint32_t cost_row, std::uint32_t first_probability) {
    pairs_.back().cost_row = cost_row;
    pairs_.back().first_probability = first_probability;
    states_.push_back(state);
    const std::uint64_t end = end_offset();
    if (pairs_.size() % PairView::pairs_per_block == 0) bases_.push_back(base_of(end));
    pairs_.push_back({0, 0, static_cast<std::uint32_t>(end - bases_.back())});
  }

  /// Offsets count from `first_offset`, so successors() of the view is of use only if that is 0.
  PairView view() const;

 private:
  static std::uint64_t base_of(std::uint64_t offset) { return offset & ~(PairView::base_unit - 1); }
  std::uint64_t end_offset() const { return first_offset_ + successors_.size(); }

  std::uint64_t first_offset_;
  std::vector<PairView::Pair> pairs_;  // and one whose first outcome is yet to come
  std::vector<std::uint64_t> bases_;   // by block
  std::vector<StateId> states_;        // by pair
  std::vector<StateId> successors_;
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
  std::size_t place_of_loop(PairId p) const;
  std::uint32_t intern_loop(std::span<const double> probabilities, std::size_t place,
                            double repeats);

  std::size_t num_costs_;
  PairArrays pairs_;
  std::vector<std::uint32_t> first_pair_;
  // Costs, and how often the action is repeated: 0 without a self-loop, infinity if it stays.
  VectorTable cost_rows_;
  // Probabilities given that the state is left. If there is a self-loop, those of all outcomes
  // follow, and the place of the self-loop among them.
  VectorTable distributions_;
  std::vector<double> row_;  // scratch
};

template <class Add>
void Transitions::for_parts(PairId p, Add add) const {
  const PairView view = pairs_.view();
  const std::span<const double> all = distribution(p);
  const std::span<const StateId> others = view.successors(p);
  if (loop(view.cost_row(p)) == Loop::none) return add(all, others);
  const std::size_t place = place_of_loop(p);
  const StateId own = view.state(p);
  add(all.first(place), others.first(place));
  add(all.subspan(place, 1), std::span<const StateId>(&own, 1));
  add(all.subspan(place + 1), others.subspan(place));
}

}  // namespace carl

#endif
