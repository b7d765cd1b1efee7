// The envelope: the states that greedy choices can reach from the initial state, in the post-order
// of a depth-first search, so that a state comes after its successors as far as cycles allow. That
// is the order in which backups carry the most news. Fringe states are part of it; goals and states
// without hope are not. All arrays are reused from one traversal to the next.
#ifndef CARL_SSP_GREEDY_ENVELOPE_H
#define CARL_SSP_GREEDY_ENVELOPE_H

#include <cstdint>
#include <span>
#include <vector>

#include "ssp/scalarised_ssp.h"

namespace carl::ssp {

class GreedyEnvelope {
 public:
  explicit GreedyEnvelope(const ScalarisedSsp& ssp) : ssp_(ssp) {}

  /// `follow(s, pairs)` appends to `pairs` those of the expanded state s to go along.
  template <class Follow>
  void traverse(Follow follow) {
    start();
    enter(ssp_.initial_state(), follow);
    while (!stack_.empty()) {
      Frame& frame = stack_.back();
      if (frame.pair == frame.last_pair) {
        states_.push_back(frame.state);
        pairs_.resize(frame.first_pair);
        stack_.pop_back();
        continue;
      }
      const auto successors = ssp_.graph().successors(pairs_[frame.pair]);
      if (frame.outcome == successors.size()) {
        ++frame.pair;
        frame.outcome = 0;
      } else {
        enter(successors[frame.outcome++], follow);
      }
    }
  }
  /// Along the greedy choices.
  void traverse() {
    traverse([&](StateId s, std::vector<PairId>& pairs) { pairs.push_back(ssp_.choice(s)); });
  }

  std::span<const StateId> states() const { return states_; }
  std::span<const StateId> fringe() const { return fringe_; }

 private:
  struct Frame {
    StateId state;
    std::uint32_t first_pair;  // a range of pairs_, and where in it the search is
    std::uint32_t last_pair;
    std::uint32_t pair;
    std::uint32_t outcome;
  };

  void start();

  template <class Follow>
  void enter(StateId s, Follow& follow) {
    if (visited_[s.index()] == traversal_) return;
    visited_[s.index()] = traversal_;
    if (ssp_.graph().is_goal(s) || ssp_.value(s) == infinity) return;
    if (!ssp_.graph().is_expanded(s)) {
      fringe_.push_back(s);
      states_.push_back(s);
      return;
    }
    const auto first = static_cast<std::uint32_t>(pairs_.size());
    follow(s, pairs_);
    stack_.push_back({s, first, static_cast<std::uint32_t>(pairs_.size()), first, 0});
  }

  const ScalarisedSsp& ssp_;
  std::vector<StateId> states_;
  std::vector<StateId> fringe_;
  std::vector<std::uint32_t> visited_;  // per state: the traversal that last met it
  std::uint32_t traversal_ = 0;
  std::vector<Frame> stack_;
  std::vector<PairId> pairs_;
};

}  // namespace carl::ssp

#endif
