#include "ssp/greedy_envelope.h"

#include <algorithm>
#include <limits>

namespace carl::ssp {

void GreedyEnvelope::forget_all() {
  if (++traversal_ == 0) {  // the counter has come round
    for (Entry& entry : entries_)
      entry.visited = 0;
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
  entries_.resize(ssp_.graph().num_states());
}

void GreedyEnvelope::number_states() {
  first_rank_ -= static_cast<std::int32_t>(states_.size());
  for (std::size_t i = 0; i < states_.size(); ++i)
    entries_[states_[i].index()].rank = first_rank_ + static_cast<std::int32_t>(i);
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

void GreedyEnvelope::keep_reachable(std::vector<StateId>& fringe) {
  constexpr std::uint32_t most_looks = std::numeric_limits<std::uint32_t>::max() / 2;
  if (++look_ == most_looks) {
    for (Entry& entry : entries_)
      entry.looked_at = 0;
    look_ = 1;
  }
  std::erase_if(fringe, [&](StateId s) {
    if (still_leads_to(s)) return false;
    entries_[s.index()].visited = 0;
    return true;
  });
}

/// Ways to fringe states have most of their states in common, so what is known of one is kept for
/// the others.
bool GreedyEnvelope::still_leads_to(StateId s) {
  way_.clear();
  bool reachable = true;
  while (reachable && s != ssp_.initial_state()) {
    const std::uint32_t known = entries_[s.index()].looked_at;
    if (known / 2 == look_) {
      reachable = known % 2 == 1;
      break;
    }
    way_.push_back(s);
    const StateId parent = entries_[s.index()].parent;
    const auto successors = ssp_.graph().successors(ssp_.choice(parent));
    reachable = std::find(successors.begin(), successors.end(), s) != successors.end();
    s = parent;
  }
  for (const StateId t : way_)
    entries_[t.index()].looked_at = 2 * look_ + (reachable ? 1 : 0);
  return reachable;
}

}  // namespace carl::ssp
