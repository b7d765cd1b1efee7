// The envelope: the states that greedy choices can reach from the initial state, in the post-order
// of a depth-first search, so that a state comes after its successors as far as cycles allow. That
// is the order in which backups carry the most news. Fringe states are part of it; goals and states
// without hope are not. All arrays are reused from one traversal to the next.
//
// Where few choices change at a time, the envelope can be extended along those alone. What is no
// longer reachable then stays in it until the next traversal.
#ifndef CARL_SSP_GREEDY_ENVELOPE_H
#define CARL_SSP_GREEDY_ENVELOPE_H

#include <cstdint>
#include <span>
#include <vector>

#include "ssp/graph_names.h"
#include "ssp/scalarised_ssp.h"

namespace carl::ssp {

class GreedyEnvelope {
 public:
  explicit GreedyEnvelope(const ScalarisedSsp& ssp) : ssp_(ssp) {}

  /// `follow(s, pairs)` appends to `pairs` those of the expanded state s to go along.
  template <class Follow>
  void traverse(Follow follow) {
    forget_all();
    search_from(ssp_.initial_state(), ssp_.initial_state(), follow);
    number_states();
  }
  /// Along the greedy choices.
  void traverse();
  /// Along the greedy choices of `changed`, as far as they are in the envelope, to what is not.
  /// New states come before all others in the order, as a state comes after its successors.
  void extend(std::span<const StateId> changed);
  /// Leaves out, here and of the envelope, fringe states that greedy choices no longer lead to on
  /// the way on which they were found; if something leads to one later, it is new.
  void keep_reachable(std::vector<StateId>& fringe);

  /// Those found by the last traversal or extension, in order.
  std::span<const StateId> states() const { return states_; }
  std::span<const StateId> fringe() const { return fringe_; }

  bool contains(StateId s) const {
    return s.index() < entries_.size() && entries_[s.index()].visited == traversal_;
  }
  /// The place of a state of the envelope in the order.
  std::int32_t rank(StateId s) const { return entries_[s.index()].rank; }

 private:
  /// What is known of a state, in one place: looking at it mostly means to wait for the memory.
  struct Entry {
    std::uint32_t visited = 0;  // the traversal that last saw it
    std::int32_t rank = 0;
    StateId parent;               // where it was entered from
    std::uint32_t looked_at = 0;  // 2·look, and one more if it is reachable
  };
  struct Frame {
    StateId state;
    std::uint32_t first_pair;  // a range of pairs_, and where in it the search is
    std::uint32_t last_pair;
    std::uint32_t pair;
    std::uint32_t outcome;
  };

  auto greedy_choice() const {
    return [this](StateId s, std::vector<PairId>& pairs) { pairs.push_back(ssp_.choice(s)); };
  }
  void forget_all();
  void start();
  void number_states();
  bool still_leads_to(StateId s);

  template <class Follow>
  void search_from(StateId s, StateId parent, Follow& follow) {
    enter(s, parent, follow);
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
        enter(successors[frame.outcome++], frame.state, follow);
      }
    }
  }

  template <class Follow>
  void enter(StateId s, StateId parent, Follow& follow) {
    Entry& entry = entries_[s.index()];
    if (entry.visited == traversal_) return;
    if (ssp_.graph().is_goal(s) || ssp_.value(s) == infinity) return;
    entry.visited = traversal_;
    entry.parent = parent;
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
  std::vector<Entry> entries_;  // per state
  std::vector<StateId> way_;    // scratch
  std::uint32_t look_ = 0;
  std::int32_t first_rank_ = 0;
  std::uint32_t traversal_ = 0;
  std::vector<Frame> stack_;
  std::vector<PairId> pairs_;
};

}  // namespace carl::ssp

#endif
