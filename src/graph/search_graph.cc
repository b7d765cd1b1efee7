#include "graph/search_graph.h"

#include <algorithm>
#include <cassert>

namespace carl::graph {

SearchGraph::SearchGraph(Cssp& cssp, std::size_t threads)
    : cssp_(&cssp),
      threads_(threads),
      stride_(cssp.num_costs()),
      initial_(cssp.initial_state()),
      gives_up_(cssp.give_up_penalty().has_value()),
      rows_(std::make_unique<SharedRows>(stride_)),
      forbidden_costs_(cssp.zero_costs()) {
  if (!cssp.shuffles_actions()) shared_ = cssp.model().transitions(gives_up_);
  if (gives_up_) rows_->set_give_up(*cssp.give_up_penalty());
  if (shared_ != nullptr) share_transitions();
  learn_states();
  refresh_views();
  learn_rows();
  if (shared_ != nullptr) mask_all_pairs();
}

/// The rows of costs alone are our own: they are in the units in use, and folded.
void SearchGraph::share_transitions() {
  std::vector<double> cost(stride_);
  for (std::size_t row = give_up_row + 1; row < shared_->num_cost_rows(); ++row) {
    for (std::size_t i = 0; i < stride_; ++i)
      cost[i] = shared_->cost(row)[i] / cssp_->units()[i];
    rows_->append(cost, shared_->repeats(row));
  }
}

void SearchGraph::learn_states(std::size_t num_states) {
  if (!has_own_pairs()) {
    status_.reserve(num_states);
    last_pair_.reserve(num_states);
  }
  for (std::size_t s = status_.size(); s < num_states; ++s) {
    status_.push_back(cssp_->is_goal(StateId(s)) ? goal : 0);
    if (has_own_pairs()) own_first_pair_.push_back(0);
    last_pair_.push_back(has_own_pairs() ? 0 : shared_->first_pair()[s]);
  }
}

void SearchGraph::learn_states(std::span<const std::uint8_t> goals) {
  static_assert(goal == 1);
  std::copy(goals.begin(), goals.end(), status_.extend(goals.size()));
  own_first_pair_.resize(status_.size(), 0);
  last_pair_.resize(status_.size(), 0);
}

void SearchGraph::learn_rows() {
  for (std::size_t row = is_row_masked_.size(); row < num_cost_rows(); ++row) {
    const bool stays = !has_own_pairs() && shared_->loop(row) == Transitions::Loop::stays;
    is_row_masked_.push_back(stays || is_row_forbidden(row));
  }
}

void SearchGraph::refresh_views() {
  is_plain_ = masked_.empty() && (has_own_pairs() || !gives_up_);
  if (has_own_pairs()) return refresh_own_views();
  view_ = shared_->pairs().view();
  num_ids_ = shared_->num_pairs() + (gives_up_ ? shared_->num_states() : 0);
  probability_ = shared_->probabilities();
  states_ = state_index_.empty() ? nullptr : state_index_.data();
  first_pair_ = shared_->first_pair().data();
}

/// After every expansion.
void SearchGraph::refresh_own_views() {
  view_ = own_pairs_.view();
  num_ids_ = own_pairs_.num_pairs();
  probability_ = rows_->all_probabilities();
  states_ = view_.states();
  first_pair_ = own_first_pair_.data();
}

void SearchGraph::index_states() {
  if (has_own_pairs() || !state_index_.empty()) return;
  // With giving up, which may be switched on.
  for (std::size_t p = 0; p < shared_->num_pairs() + shared_->num_states(); ++p)
    state_index_.push_back(shared_->state(PairId(p)));
  refresh_views();
}

void SearchGraph::expand(StateId state) {
  assert(!is_expanded(state) && !is_goal(state));
  if ((status_[state.index()] & generated) != 0) return expand_again(state);
  if (has_own_pairs()) {
    cssp_->expand_with_forbidden(state, expansion_);
    return add_expansion(state, expansion_);
  }
  last_pair_[state.index()] = shared_->first_pair()[state.index() + 1];
  mark_expanded(state);
  count_pairs(state);
  count_.actions += last_pair_[state.index()] - first_pair_[state.index()];
}

/// Its pairs are where they were, one after the other.
void SearchGraph::expand_again(StateId state) {
  std::uint32_t last = first_pair_[state.index()];
  while (last < own_pairs_.num_pairs() && states_[last] == state)
    ++last;
  last_pair_[state.index()] = last;
  mark_expanded(state);
  count_pairs(state);
  count_.actions += last - first_pair_[state.index()] - (gives_up_ ? 1 : 0);
}

SearchGraph::Bookmark SearchGraph::bookmark() const {
  Bookmark here;
  here.num_expanded = num_expanded();
  here.count = count_;
  return here;
}

void SearchGraph::return_to(const Bookmark& bookmark) {
  for (std::size_t i = bookmark.num_expanded; i < expanded_.size(); ++i) {
    const std::size_t s = expanded_[i].index();
    const std::uint8_t kept = has_own_pairs() && !is_known_dead_end(expanded_[i]) ? generated : 0;
    status_[s] = static_cast<std::uint8_t>((status_[s] & goal) | kept);
    last_pair_[s] = first_pair_[s];
  }
  expanded_.cut(bookmark.num_expanded);
  count_ = bookmark.count;
}

void SearchGraph::expand_to_give_up(StateId state) {
  assert(!is_expanded(state) && !is_goal(state) && cssp_->can_give_up());
  status_[state.index()] |= dead_end;
  if (!has_own_pairs()) return mark_expanded(state);
  expansion_.clear();
  expansion_.begin_action(Cssp::give_up_action);
  add_expansion(state, expansion_);
}

void SearchGraph::add_expansion(StateId state, const Expansion& expansion) {
  if (!own_pairs_.has_room(expansion.num_actions())) throw LimitReached(LimitKind::memory);
  learn_states();
  const std::size_t first = own_pairs_.num_pairs();
  for (std::size_t i = 0; i < expansion.num_actions(); ++i)
    add_pair(state, expansion, i);
  own_pairs_.end_state(state);
  own_first_pair_[state.index()] = static_cast<std::uint32_t>(first);
  last_pair_[state.index()] = static_cast<std::uint32_t>(own_pairs_.num_pairs());
  refresh_own_views();
  mark_expanded(state);
  if (is_row_masked_.size() < num_cost_rows()) learn_rows();
  if (has_mask() || !forbidden_costs_.empty()) mask_new_pairs(first);
  count_pairs(state);
  count_.actions += expansion.num_actions() - (gives_up_ ? 1 : 0);
}

void SearchGraph::add_pair(StateId state, const Expansion& expansion, std::size_t i) {
  if (expansion.action(i) == Cssp::give_up_action) return add_giving_up();
  if (!folded_.fold(state, expansion.successors(i), expansion.probabilities(i),
                    [&](StateId successor) { own_pairs_.add_successor(successor); }))
    return leave_out(expansion.action(i));
  const SharedRows::Row row =
      rows_->share(expansion.action(i), folded_.repeats(), folded_.probabilities(),
                   [&](ActionId action) { return cssp_->cost(action); });
  own_pairs_.add_pair(row.cost, row.first_probability);
  own_actions_.push_back(expansion.action(i));
}

/// It only loops.
void SearchGraph::leave_out(ActionId action) {
  if (forbidden_costs_.empty() || !is_forbidden(cssp_->cost(action))) return;
  ++count_.forbidden;
  --count_.actions;
}

void SearchGraph::add_giving_up() {
  own_pairs_.add_pair(give_up_row, 0);
  own_actions_.push_back(Cssp::give_up_action);
}

/// Forbidden actions are taken off those generated, to which whoever expands adds all.
void SearchGraph::count_pairs(StateId state) {
  const std::uint32_t first = first_pair_[state.index()];
  const std::uint32_t last = last_pair_[state.index()];
  if (masked_.empty()) {
    const bool has_giving_up = has_own_pairs() && gives_up_;
    count_.pairs += last - first - (has_giving_up ? 1 : 0);
    count_.outcomes += view_.successors(first, last).size();
    return;
  }
  for (PairId p(first); p.index() < last; p = PairId(p.index() + 1)) {
    if (ends(p)) continue;
    if (is_row_forbidden(cost_row(p))) {
      ++count_.forbidden;
      --count_.actions;
    } else if (!is_row_masked_[cost_row(p)]) {
      ++count_.pairs;
      count_.outcomes += view_.num_outcomes(p);
    }
  }
}

ActionId SearchGraph::action(PairId p) const {
  if (has_own_pairs()) return own_actions_[p.index()];
  return p.index() < shared_->num_pairs() ? ActionId(p.index()) : Cssp::give_up_action;
}

std::size_t SearchGraph::bytes() const {
  // What vectors reserve beyond their size takes no memory until it is used.
  const auto held = [](const auto& v) { return v.size() * sizeof(v[0]); };
  const std::size_t arrays = has_own_pairs() ? own_pairs_.bytes() : shared_->bytes();
  return arrays + held(status_) + held(own_first_pair_) + held(last_pair_) + held(own_actions_) +
         held(state_index_) + held(expanded_) + (masked_.size() + forbidden_.size()) / 8 +
         rows_->bytes();
}

}  // namespace carl::graph
