// Which pairs of a search graph may be used, and how giving up may change while the graph lives.
// What costs forbid is decided row by row, so a rule costs nothing until it meets a pair; what is
// read is one bit for each pair, and none as long as no pair is masked.

#include <algorithm>
#include <utility>

#include "graph/search_graph.h"

namespace carl::graph {

bool SearchGraph::is_forbidden(std::span<const double> cost) const {
  return std::any_of(forbidden_costs_.begin(), forbidden_costs_.end(),
                     [&](std::size_t i) { return cost[i] > 0; });
}

bool SearchGraph::is_to_be_masked(PairId p) const {
  return is_row_masked_[cost_row(p)] || (!forbidden_.empty() && forbidden_[p.index()]);
}

void SearchGraph::forbid_costs(std::vector<std::size_t> costs) {
  forbidden_costs_ = std::move(costs);
  is_row_masked_.clear();
  learn_rows();
  mask_all_pairs();
}

void SearchGraph::forbid(PairId p) {
  forbidden_.resize(num_pairs(), false);
  if (!forbidden_[p.index()] && ends(p)) ++num_forbidden_endings_;
  forbidden_[p.index()] = true;
  masked_.resize(num_pairs(), false);
  masked_[p.index()] = true;
  refresh_views();
}

void SearchGraph::allow(PairId p) {
  if (forbidden_.empty()) return;
  if (forbidden_[p.index()] && ends(p)) --num_forbidden_endings_;
  forbidden_[p.index()] = false;
  masked_[p.index()] = is_to_be_masked(p);
}

void SearchGraph::mask_new_pairs(std::size_t first) {
  if (!forbidden_.empty()) forbidden_.resize(num_pairs(), false);
  if (!masked_.empty()) masked_.resize(num_pairs(), false);
  for (std::size_t p = first; p < num_pairs(); ++p) {
    if (!is_row_masked_[cost_row(PairId(p))]) continue;
    if (masked_.empty()) masked_.resize(num_pairs(), false);
    masked_[p] = true;
  }
  refresh_views();
}

void SearchGraph::mask_all_pairs() {
  masked_.clear();
  if (std::find(forbidden_.begin(), forbidden_.end(), true) == forbidden_.end()) forbidden_.clear();
  const bool any_row =
      std::find(is_row_masked_.begin(), is_row_masked_.end(), true) != is_row_masked_.end();
  if (any_row || !forbidden_.empty()) {
    masked_.resize(num_pairs());
    for (std::size_t p = 0; p < num_pairs(); ++p)
      masked_[p] = is_to_be_masked(PairId(p));
    if (std::find(masked_.begin(), masked_.end(), true) == masked_.end()) masked_.clear();
  }
  refresh_views();
}

void SearchGraph::give_up_changed() {
  const auto& penalties = cssp_->give_up_penalty();
  rows_->set_give_up(penalties ? *penalties : std::vector<double>(stride_, 0.0));
  const bool switched = gives_up_ != penalties.has_value();
  gives_up_ = penalties.has_value();
  if (switched) num_forbidden_endings_ = 0;
  if (switched && has_own_pairs())
    rebuild_pairs();
  else if (switched)
    shared_ = cssp_->model().transitions(gives_up_);
  refresh_views();
  if (!forbidden_.empty()) forbidden_.resize(num_pairs(), false);
  is_row_masked_.clear();
  learn_rows();
  mask_all_pairs();
}

/// With giving up as the last pair of every state, or without it.
void SearchGraph::rebuild_pairs() {
  const PairView old = view_;
  const PairArrays old_pairs = std::exchange(own_pairs_, PairArrays());
  const GrowingArray<ActionId> old_actions = std::exchange(own_actions_, {});
  const std::vector<bool> old_forbidden = std::exchange(forbidden_, {});
  for (std::uint8_t& status : status_)
    status = static_cast<std::uint8_t>(status & ~generated);
  for (const StateId s : expanded_) {
    const std::size_t first = own_pairs_.num_pairs();
    for (std::size_t p = own_first_pair_[s.index()]; p < last_pair_[s.index()]; ++p) {
      if (old.cost_row(PairId(p)) == give_up_row) continue;
      for (const StateId successor : old.successors(PairId(p)))
        own_pairs_.add_successor(successor);
      own_pairs_.add_pair(old.cost_row(PairId(p)), old.first_probability(PairId(p)));
      own_actions_.push_back(old_actions[p]);
      if (!old_forbidden.empty()) forbidden_.push_back(old_forbidden[p]);
    }
    if (gives_up_) {
      if (!own_pairs_.has_room(1)) throw LimitReached(LimitKind::memory);
      add_giving_up();
      if (!old_forbidden.empty()) forbidden_.push_back(false);
    }
    own_pairs_.end_state(s);
    own_first_pair_[s.index()] = static_cast<std::uint32_t>(first);
    last_pair_[s.index()] = static_cast<std::uint32_t>(own_pairs_.num_pairs());
  }
}

}  // namespace carl::graph
