// The pairs of some states, made by one thread while others make those of other states: before it is
// known which ids they have, and which rows the graph has for their costs and probabilities. A block
// numbers the rows that it needs itself; the graph shares them when all blocks are there, in order,
// so that they have the numbers that adding pair by pair would have given them.
#ifndef CARL_GRAPH_PAIR_BLOCK_H
#define CARL_GRAPH_PAIR_BLOCK_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "carl/cssp.h"
#include "graph/folded_outcomes.h"
#include "graph/shared_rows.h"
#include "model/transitions.h"

namespace carl::graph {

class PairBlock {
 public:
  void clear();
  /// All that can be done in a state.
  void add_state(StateId state, const Expansion& expansion);

  /// True if successors from `begin` on come for the first time in the order of their ids, without a
  /// gap, up to `end` - 1: as they do where ids are given when states are found.
  bool finds_in_order(std::size_t begin, std::size_t end) const;

  std::span<const StateId> states() const { return states_; }
  /// Of the first so many states, with a zero in front.
  std::span<const std::size_t> num_pairs_before() const { return num_pairs_before_; }
  std::size_t num_pairs() const { return actions_.size(); }
  std::size_t num_outcomes() const { return successors_.size(); }
  std::span<const ActionId> actions() const { return actions_; }
  std::span<const StateId> successors() const { return successors_; }
  /// Of a pair, among all outcomes.
  std::size_t first_outcome(std::size_t p) const { return first_outcome_[p]; }
  /// Once rows are shared.
  const SharedRows::Row& row(std::size_t p) const { return rows_[row_of_[p]].shared; }

  /// Actions that only loop.
  std::span<const ActionId> left_out() const { return left_out_; }
  /// Actions that were there, these included, but not giving up.
  std::size_t num_generated() const { return num_generated_; }

  template <class Cost>
  void share_rows(SharedRows& shared, Cost cost) {
    for (Row& row : rows_)
      row.shared = row.action == Cssp::give_up_action
                       ? SharedRows::Row{give_up_row, 0}
                       : shared.share(row.action, row.repeats, probabilities(row), cost);
  }

 private:
  void add_action(StateId state, ActionId action, std::span<const StateId> successors,
                  std::span<const double> probabilities);
  void add_giving_up();

  struct Row {
    ActionId action;
    double repeats = 1;
    std::size_t first_probability = 0;
    std::size_t num_probabilities = 0;
    std::uint32_t previous = 0;  // of those in the same place of recent_
    SharedRows::Row shared;
  };

  std::span<const double> probabilities(const Row& row) const {
    return std::span(probabilities_).subspan(row.first_probability, row.num_probabilities);
  }
  /// One that is equal, or a new one. That equal rows are sometimes there twice does no harm.
  std::uint32_t row_for(ActionId action, double repeats, std::span<const double> probabilities);

  std::vector<StateId> states_;
  std::vector<std::size_t> num_pairs_before_;
  std::vector<ActionId> actions_;
  std::vector<std::size_t> first_outcome_;
  std::vector<std::uint32_t> row_of_;
  std::vector<StateId> successors_;
  std::vector<ActionId> left_out_;
  std::size_t num_generated_ = 0;
  std::vector<Row> rows_;
  std::vector<double> probabilities_;
  static constexpr std::size_t num_recent = 1024;
  std::array<std::uint32_t, num_recent> recent_{};  // by action: its last row
  FoldedOutcomes folded_;
};

}  // namespace carl::graph

#endif
