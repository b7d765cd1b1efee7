#include "ssp/greedy_envelope.h"

#include <algorithm>

namespace carl::ssp {

void GreedyEnvelope::forget_all() {
  if (++traversal_ == 0) {  // the counter has come round
    std::fill(visited_.begin(), visited_.end(), 0);
    traversal_ = 1;
  }
  first_rank_ = 0;
  start();
}

void GreedyEnvelope::start() {
  states_.clear();
  fringe_.clear();
  pairs_.clear();
  stack_.clear();
  visited_.resize(ssp_.graph().num_states(), 0);
  rank_.resize(ssp_.graph().num_states(), 0);
  parent_.resize(ssp_.graph().num_states());
}

void GreedyEnvelope::number_states() {
  first_rank_ -= static_cast<std::int32_t>(states_.size());
  for (std::size_t i = 0; i < states_.size(); ++i)
    rank_[states_[i].index()] = first_rank_ + static_cast<std::int32_t>(i);
}

void GreedyEnvelope::traverse() {
  traverse(greedy_choice());
}

void GreedyEnvelope::extend(std::span<const StateId> changed) {
  start();
  const auto follow = greedy_choice();
  for (const StateId s : changed) {
    if (!contains(s) || ssp_.value(s) == infinity) continue;
    for (const StateId t : ssp_.graph().successors(ssp_.choice(s)))
      search_from(t, s, follow);
  }
  number_states();
}

bool GreedyEnvelope::still_leads_to(StateId s) const {
  while (s != ssp_.initial_state()) {
    const StateId parent = parent_[s.index()];
    const auto successors = ssp_.graph().successors(ssp_.choice(parent));
    if (std::find(successors.begin(), successors.end(), s) == successors.end()) return false;
    s = parent;
  }
  return true;
}

}  // namespace carl::ssp
