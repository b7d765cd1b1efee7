#include "policy/reachable_space.h"

#include <algorithm>
#include <utility>

namespace carl::policy {

ReachableSpace::ReachableSpace(Cssp& cssp, const Rules& rules, Monitor& monitor) : cssp_(cssp) {
  explore(rules, monitor);
  find_proper_states(monitor);
  collect_proper_states(monitor);
}

void ReachableSpace::discover(StateId state) {
  if (discovered_.size() <= state.index()) {
    const std::size_t size = std::max(cssp_.num_states(), state.index() + 1);
    discovered_.resize(size, false);
    target_.resize(size, false);
    expanded_.resize(size, false);
    first_pair_.resize(size, 0);
    last_pair_.resize(size, 0);
  }
  if (discovered_[state.index()]) return;
  discovered_[state.index()] = true;
  states_.push_back(state);
}

void ReachableSpace::explore(const Rules& rules, Monitor& monitor) {
  discover(cssp_.initial_state());
  Expansion expansion;
  for (std::size_t next = 0; next < states_.size(); ++next) {
    monitor.check();
    const StateId state = states_[next];
    const Treatment treatment = cssp_.is_goal(state) ? Treatment::target : rules.treatment(state);
    target_[state.index()] = treatment == Treatment::target;
    first_pair_[state.index()] = last_pair_[state.index()] = actions_.size();
    if (treatment != Treatment::expand) continue;
    expanded_[state.index()] = true;
    cssp_.expand(state, expansion);
    add_pairs(state, expansion, rules);
    last_pair_[state.index()] = actions_.size();
  }
}

void ReachableSpace::add_pairs(StateId state, const Expansion& expansion, const Rules& rules) {
  for (std::size_t a = 0; a < expansion.num_actions(); ++a) {
    if (rules.forbidden(expansion.action(a))) continue;
    state_of_.push_back(state);
    actions_.push_back(expansion.action(a));
    for (std::size_t k = 0; k < expansion.successors(a).size(); ++k) {
      // Of a factored problem even a probability that rounds to zero is one.
      if (expansion.probabilities(a)[k] <= 0 && !cssp_.model().factored()) continue;
      successors_.push_back(expansion.successors(a)[k]);
      probabilities_.push_back(expansion.probabilities(a)[k]);
      discover(expansion.successors(a)[k]);
    }
    first_outcome_.push_back(successors_.size());
  }
}

std::vector<bool> ReachableSpace::can_reach_target(Monitor& monitor) const {
  std::vector<bool> reaches(discovered_.size(), false);
  std::vector<StateId> queue;
  for (const StateId s : states_)
    if (target_[s.index()]) {
      reaches[s.index()] = true;
      queue.push_back(s);
    }
  for (std::size_t p = 0; p < actions_.size(); ++p) {
    if (actions_[p] != Cssp::give_up_action || reaches[state_of_[p].index()]) continue;
    reaches[state_of_[p].index()] = true;
    queue.push_back(state_of_[p]);
  }
  for (std::size_t next = 0; next < queue.size(); ++next) {
    monitor.check();
    const std::size_t s = queue[next].index();
    for (std::size_t i = first_predecessor_[s]; i < first_predecessor_[s + 1]; ++i) {
      const StateId from = state_of_[predecessors_[i]];
      if (!allowed_[predecessors_[i]] || reaches[from.index()]) continue;
      reaches[from.index()] = true;
      queue.push_back(from);
    }
  }
  return reaches;
}

void ReachableSpace::index_predecessors() {
  first_predecessor_.assign(discovered_.size() + 1, 0);
  for (const StateId s : successors_)
    ++first_predecessor_[s.index() + 1];
  for (std::size_t s = 0; s < discovered_.size(); ++s)
    first_predecessor_[s + 1] += first_predecessor_[s];
  predecessors_.resize(successors_.size());
  std::vector<std::size_t> next(first_predecessor_.begin(), first_predecessor_.end() - 1);
  for (std::size_t p = 0; p < actions_.size(); ++p)
    for (const StateId s : successors(p))
      predecessors_[next[s.index()]++] = p;
}

/// Shrinks the set of all states to those that can reach a target along pairs that stay in the set,
/// until nothing changes.
void ReachableSpace::find_proper_states(Monitor& monitor) {
  index_predecessors();
  allowed_.assign(actions_.size(), true);
  for (std::size_t s = 0; s < discovered_.size(); ++s)
    num_allowed_.push_back(last_pair_[s] - first_pair_[s]);
  proper_ = discovered_;
  while (true) {
    std::vector<bool> before = can_reach_target(monitor);
    if (before == proper_) return;
    std::swap(before, proper_);
    for (const StateId s : states_)
      if (before[s.index()] && !proper_[s.index()]) forbid_entering(s);
  }
}

/// States that no pair is left for are not in the set either: following that at once spares a look
/// at all states for each.
void ReachableSpace::forbid_entering(StateId state) {
  std::vector<StateId> queue{state};
  while (!queue.empty()) {
    const std::size_t to = queue.back().index();
    queue.pop_back();
    for (std::size_t i = first_predecessor_[to]; i < first_predecessor_[to + 1]; ++i) {
      const std::size_t pair = predecessors_[i];
      if (!allowed_[pair]) continue;
      allowed_[pair] = false;
      const std::size_t from = state_of_[pair].index();
      if (--num_allowed_[from] > 0 || !proper_[from]) continue;
      proper_[from] = false;
      queue.push_back(state_of_[pair]);
    }
  }
}

bool ReachableSpace::stays_proper(std::size_t pair) const {
  const auto successors = this->successors(pair);
  return std::all_of(successors.begin(), successors.end(), [&](StateId s) { return is_proper(s); });
}

void ReachableSpace::collect_proper_states(Monitor& monitor) {
  std::vector<bool> collected(discovered_.size(), false);
  const auto collect = [&](StateId s) {
    if (collected[s.index()] || !is_proper(s) || cssp_.is_goal(s)) return;
    collected[s.index()] = true;
    (expanded_[s.index()] ? proper_states_ : proper_targets_).push_back(s);
  };
  collect(states_.front());
  for (std::size_t next = 0; next < proper_states_.size(); ++next) {
    monitor.check();
    const StateId s = proper_states_[next];
    for (std::size_t p = first_pair(s); p < last_pair(s); ++p)
      if (stays_proper(p))
        for (const StateId successor : successors(p))
          collect(successor);
  }
}

}  // namespace carl::policy
