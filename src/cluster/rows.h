// The rows of one rank: its states with their pairs and outcomes. States are numbered over all ranks,
// each rank has a contiguous range, and transitions stay with the owner of the state that they leave.
// A state of another rank that some outcome leads to is a ghost: its value is fetched (ghosts.h).
//
// Targets of outcomes are local: own states first, in order, then ghosts, then one slot for all
// goals, whose value is zero. Giving up is a sure step there. Self-loops are divided out as in
// graph/search_graph.h.
#ifndef CARL_CLUSTER_ROWS_H
#define CARL_CLUSTER_ROWS_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "carl/ids.h"
#include "cluster/petsc.h"
#include "cluster/ranks.h"
#include "model/intern_table.h"

namespace carl::cluster {

/// How many of something can be numbered: states of all ranks by PETSc, and what one rank has of pairs
/// and slots by 32 bits. Tests have others.
struct MostNumbers {
  std::uint64_t states = most_of_petsc;
  std::uint64_t of_a_rank = 0xfffffffe;
};

/// A state among those of all ranks.
using GlobalId = std::uint64_t;
inline constexpr GlobalId goal_id = ~GlobalId{0};
inline constexpr GlobalId no_state = goal_id - 1;

/// Which rank owns which states: rank r those from first[r] to first[r + 1].
struct Ownership {
  std::vector<GlobalId> first;

  GlobalId total() const { return first.back(); }
  GlobalId begin(const Ranks& ranks) const { return first[ranks.index()]; }
  GlobalId end(const Ranks& ranks) const { return first[ranks.index() + 1]; }
  std::size_t owner(GlobalId state) const;

  /// In parts of equal size, the first ones one larger.
  static Ownership even(GlobalId total, const Ranks& ranks);
  /// By how many each rank has.
  static Ownership of(std::uint64_t own, const Ranks& ranks);
};

class Rows {
 public:
  explicit Rows(std::size_t num_costs) : num_costs_(num_costs) {}

  // --- making them --------------------------------------------------------------------------------

  /// State by state, each with its pairs, each of these with its outcomes before it. `name` is what
  /// the model calls the state; costs are those of leaving the state, and `repeats` how often the
  /// action is used for that.
  void add_outcome(GlobalId target, double probability);
  void add_pair(ActionId action, std::span<const double> cost, double repeats);
  void end_state(std::uint64_t name);
  /// Targets that were not known by their numbers get them: id(target).
  template <class Id>
  void translate_targets(Id id) {
    for (GlobalId& target : global_target_)
      target = id(target);
  }
  std::size_t num_states() const { return names_.size(); }
  /// When all are there: this rank's part is that of `ownership`. Collective; throws TooLarge on all
  /// ranks where states, pairs or slots cannot be numbered.
  void finish(Ownership ownership, const Ranks& ranks, const MostNumbers& most = {});

  // --- reading them -------------------------------------------------------------------------------

  std::size_t size() const { return names_.size(); }
  std::size_t num_pairs() const { return cost_row_.size(); }
  std::size_t num_outcomes() const { return target_.size(); }
  std::size_t num_costs() const { return num_costs_; }
  /// Own states, ghosts and the slot of goals.
  std::size_t num_slots() const { return size() + ghosts_.size() + 1; }
  std::uint32_t goal_slot() const { return static_cast<std::uint32_t>(num_slots() - 1); }
  const std::vector<GlobalId>& ghosts() const { return ghosts_; }
  const Ownership& ownership() const { return ownership_; }
  GlobalId begin() const { return begin_; }
  GlobalId global(std::uint32_t slot) const {
    if (slot < size()) return begin_ + slot;
    return slot == goal_slot() ? goal_id : ghosts_[slot - size()];
  }
  std::uint64_t name(std::size_t state) const { return names_[state]; }

  std::size_t first_pair(std::size_t state) const { return first_pair_[state]; }
  std::size_t last_pair(std::size_t state) const { return first_pair_[state + 1]; }
  ActionId action(std::size_t pair) const { return action_[pair]; }
  std::span<const std::uint32_t> targets(std::size_t pair) const {
    return {target_.data() + first_outcome_[pair], target_.data() + first_outcome_[pair + 1]};
  }
  std::span<const double> probabilities(std::size_t pair) const {
    return {probability_.data() + first_outcome_[pair],
            probability_.data() + first_outcome_[pair + 1]};
  }
  std::uint32_t cost_row(std::size_t pair) const { return cost_row_[pair]; }
  std::size_t num_cost_rows() const { return costs_->size(); }
  std::span<const double> cost_of_row(std::size_t row) const {
    return (*costs_)[row].first(num_costs_);
  }
  std::span<const double> cost(std::size_t pair) const { return cost_of_row(cost_row_[pair]); }
  double repeats(std::size_t pair) const { return (*costs_)[cost_row_[pair]][num_costs_]; }

  std::size_t bytes() const;

 private:
  void check_numbers(const Ranks& ranks, const MostNumbers& most) const;

  std::size_t num_costs_;
  Ownership ownership_;
  GlobalId begin_ = 0;
  std::vector<std::uint64_t> names_;             // by state
  std::vector<std::uint64_t> first_pair_{0};     // by state
  std::vector<ActionId> action_;                 // by pair
  std::vector<std::uint32_t> cost_row_;          // by pair
  std::vector<std::uint64_t> first_outcome_{0};  // by pair
  std::vector<double> probability_;              // by outcome
  std::vector<std::uint32_t> target_;            // by outcome, once finished
  std::vector<GlobalId> global_target_;          // before
  std::vector<GlobalId> ghosts_;                 // ascending
  std::unique_ptr<VectorTable> costs_ =
      std::make_unique<VectorTable>();  // with repeats as the last entry
  std::vector<double> cost_;            // scratch
};

}  // namespace carl::cluster

#endif
