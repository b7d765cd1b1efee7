// Adds what several threads have made of the states of a batch to the graph, block by block in
// order: as if its states had been expanded one after the other.

#include <algorithm>

#include "graph/pair_block.h"
#include "graph/search_graph.h"

namespace carl::graph {

void SearchGraph::add_blocks(std::span<PairBlock> blocks) {
  struct Place {
    std::size_t pair;
    std::size_t outcome;
  };
  learn_states();
  const std::size_t first_pair = own_pairs_.num_pairs();
  std::vector<Place> places;
  Place end{first_pair, own_pairs_.num_outcomes()};
  for (PairBlock& block : blocks) {
    block.share_rows(*rows_, [&](ActionId action) { return cssp_->cost(action); });
    places.push_back(end);
    end.pair += block.num_pairs();
    end.outcome += block.num_outcomes();
  }
  own_pairs_.extend(end.pair - first_pair, end.outcome - own_pairs_.num_outcomes());
  own_actions_.extend(end.pair - first_pair);
  threads_.for_each_block(blocks.size(), [&](std::size_t b, std::size_t /*thread*/) {
    copy_block(blocks[b], places[b].pair, places[b].outcome);
  });
  refresh_own_views();
  if (is_row_masked_.size() < num_cost_rows()) learn_rows();
  if (has_mask() || !forbidden_costs_.empty()) mask_new_pairs(first_pair);
  for (const PairBlock& block : blocks) {
    for (const ActionId action : block.left_out())
      leave_out(action);
    for (const StateId state : block.states()) {
      mark_expanded(state);
      count_pairs(state);
    }
    count_.actions += block.num_generated();
  }
}

void SearchGraph::copy_block(const PairBlock& block, std::size_t first_pair,
                             std::size_t first_outcome) {
  std::copy(block.successors().begin(), block.successors().end(),
            own_pairs_.successors() + first_outcome);
  std::copy(block.actions().begin(), block.actions().end(), own_actions_.data() + first_pair);
  for (std::size_t i = 0; i < block.states().size(); ++i) {
    const StateId state = block.states()[i];
    for (std::size_t p = block.num_pairs_before()[i]; p < block.num_pairs_before()[i + 1]; ++p) {
      const SharedRows::Row& row = block.row(p);
      own_pairs_.set_pair(
          first_pair + p, state,
          {first_outcome + block.first_outcome(p), row.cost, row.first_probability});
    }
    own_first_pair_[state.index()] =
        static_cast<std::uint32_t>(first_pair + block.num_pairs_before()[i]);
    last_pair_[state.index()] =
        static_cast<std::uint32_t>(first_pair + block.num_pairs_before()[i + 1]);
  }
}

}  // namespace carl::graph
