#include "graph/pair_block.h"

#include <algorithm>
#include <limits>

#include "model/transitions.h"

namespace carl::graph {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t most_comparisons = 8;

}  // namespace

void PairBlock::clear() {
  states_.clear();
  num_pairs_before_.assign(1, 0);
  actions_.clear();
  first_outcome_.clear();
  row_of_.clear();
  successors_.clear();
  left_out_.clear();
  num_generated_ = 0;
  rows_.clear();
  probabilities_.clear();
  recent_.fill(none);
}

void PairBlock::add_state(StateId state, const Expansion& expansion) {
  for (std::size_t i = 0; i < expansion.num_actions(); ++i) {
    const ActionId action = expansion.action(i);
    const std::size_t first = successors_.size();
    if (action == Cssp::give_up_action) {
      row_of_.push_back(row_for(action, 1, {}));
    } else {
      ++num_generated_;
      if (!folded_.fold(state, expansion.successors(i), expansion.probabilities(i),
                        [&](StateId successor) { successors_.push_back(successor); })) {
        left_out_.push_back(action);
        continue;
      }
      row_of_.push_back(row_for(action, folded_.repeats(), folded_.probabilities()));
    }
    actions_.push_back(action);
    first_outcome_.push_back(first);
  }
  states_.push_back(state);
  num_pairs_before_.push_back(num_pairs());
}

std::uint32_t PairBlock::row_for(ActionId action, double repeats,
                                 std::span<const double> probabilities) {
  std::uint32_t& recent = recent_[action.index() % num_recent];
  std::size_t comparisons = 0;
  for (std::uint32_t r = recent; r != none && comparisons < most_comparisons; ++comparisons) {
    const Row& row = rows_[r];
    if (row.action == action && row.repeats == repeats &&
        std::ranges::equal(this->probabilities(row), probabilities))
      return r;
    r = row.previous;
  }
  rows_.push_back({action, repeats, probabilities_.size(), probabilities.size(), recent, {}});
  probabilities_.insert(probabilities_.end(), probabilities.begin(), probabilities.end());
  return recent = static_cast<std::uint32_t>(rows_.size() - 1);
}

}  // namespace carl::graph
