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
  for (std::size_t i = 0; i < expansion.num_actions(); ++i)
    if (expansion.action(i) == Cssp::give_up_action)
      add_giving_up();
    else
      add_action(state, expansion.action(i), expansion.successors(i), expansion.probabilities(i));
  states_.push_back(state);
  num_pairs_before_.push_back(num_pairs());
}

void PairBlock::add_action(StateId state, ActionId action, std::span<const StateId> successors,
                           std::span<const double> probabilities) {
  const std::size_t first = successors_.size();
  ++num_generated_;
  if (!folded_.fold(state, successors, probabilities,
                    [&](StateId successor) { successors_.push_back(successor); })) {
    left_out_.push_back(action);
    return;
  }
  row_of_.push_back(row_for(action, folded_.repeats(), folded_.probabilities()));
  actions_.push_back(action);
  first_outcome_.push_back(first);
}

void PairBlock::add_giving_up() {
  row_of_.push_back(row_for(Cssp::give_up_action, 1, {}));
  actions_.push_back(Cssp::give_up_action);
  first_outcome_.push_back(successors_.size());
}

bool PairBlock::finds_in_order(std::size_t begin, std::size_t end) const {
  std::size_t next = begin;
  for (const StateId successor : successors_) {
    if (successor.index() < next) continue;
    if (successor.index() > next) return false;
    ++next;
  }
  return next == end;
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
