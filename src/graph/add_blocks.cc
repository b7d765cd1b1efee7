// Adds what several threads have made of the states of a batch to the graph, block by block in
// order: as if its states had been expanded one after the other.

#include <algorithm>

#include "graph/pair_block.h"
#include "graph/search_graph.h"

namespace carl::graph {

void SearchGraph::add_blocks(std::span<PairBlock> blocks, std::span<const std::uint8_t> goals) {
  learn_states(cssp_->num_states() - goals.size());
  learn_states(goals);
  const Place begin{own_pairs_.num_pairs(), own_pairs_.num_outcomes(), expanded_.size()};
  std::vector<Place> places;
  Place end = begin;
  for (PairBlock& block : blocks) {
    block.share_rows(*rows_, [&](ActionId action) { return cssp_->cost(action); });
    places.push_back(end);
    end.pair += block.num_pairs();
    end.outcome += block.num_outcomes();
    end.expanded += block.states().size();
  }
  own_pairs_.extend(end.pair - begin.pair, end.outcome - begin.outcome);
  own_actions_.extend(end.pair - begin.pair);
  expanded_.extend(end.expanded - begin.expanded);
  threads_.for_each_block(blocks.size(), [&](std::size_t b, std::size_t /*thread*/) {
    copy_block(blocks[b], places[b]);
  });
  refresh_own_views();
  if (is_row_masked_.size() < num_cost_rows()) learn_rows();
  if (has_mask() || !forbidden_costs_.empty()) mask_new_pairs(begin.pair);
  for (const PairBlock& block : blocks)
    count_block(block);
}

void SearchGraph::copy_block(const PairBlock& block, const Place& place) {
  std::copy(block.successors().begin(), block.successors().end(),
            own_pairs_.successors() + place.outcome);
  std::copy(block.actions().begin(), block.actions().end(), own_actions_.data() + place.pair);
  std::copy(block.states().begin(), block.states().end(), expanded_.data() + place.expanded);
  for (std::size_t i = 0; i < block.states().size(); ++i) {
    const StateId state = block.states()[i];
    for (std::size_t p = block.num_pairs_before()[i]; p < block.num_pairs_before()[i + 1]; ++p) {
      const SharedRows::Row& row = block.row(p);
      own_pairs_.set_pair(
          place.pair + p, state,
          {place.outcome + block.first_outcome(p), row.cost, row.first_probability});
    }
    own_first_pair_[state.index()] =
        static_cast<std::uint32_t>(place.pair + block.num_pairs_before()[i]);
    last_pair_[state.index()] =
        static_cast<std::uint32_t>(place.pair + block.num_pairs_before()[i + 1]);
    note_expanded(state);
  }
}

void SearchGraph::count_block(const PairBlock& block) {
  for (const ActionId action : block.left_out())
    leave_out(action);
  count_.actions += block.num_generated();
  if (!masked_.empty()) {
    for (const StateId state : block.states())
      count_pairs(state);
    return;
  }
  count_.pairs += block.num_pairs() - (gives_up_ ? block.states().size() : 0);
  count_.outcomes += block.num_outcomes();
}

}  // namespace carl::graph
