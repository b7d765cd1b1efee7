#include "ssp/search_graph.h"

#include <cassert>

namespace carl::ssp {
namespace {

// A probability of leaving below this is rounding noise of probabilities that sum to one.
constexpr double least_leaving_probability = 1e-13;
constexpr std::size_t states_per_observation = 4096;

}  // namespace

SearchGraph::SearchGraph(Cssp& cssp)
    : cssp_(&cssp),
      stride_(cssp.num_costs()),
      initial_(cssp.initial_state()),
      rows_(std::make_unique<SharedRows>(stride_)) {
  learn_states();
}

void SearchGraph::learn_states() {
  for (std::size_t s = goal_.size(); s < cssp_->num_states(); ++s) {
    goal_.push_back(cssp_->is_goal(StateId(s)));
    first_pair_.push_back(unexpanded);
    last_pair_.push_back(unexpanded);
  }
}

void SearchGraph::expand(StateId state) {
  assert(!is_expanded(state) && !is_goal(state));
  cssp_->expand(state, expansion_);
  add_expansion(state);
}

void SearchGraph::expand_to_give_up(StateId state) {
  assert(!is_expanded(state) && !is_goal(state) && cssp_->can_give_up());
  expansion_.clear();
  expansion_.begin_action(Cssp::give_up_action);
  expansion_.add_outcome(1.0, Cssp::given_up);
  add_expansion(state);
}

void SearchGraph::add_expansion(StateId state) {
  require_ids();
  learn_states();
  first_pair_[state.index()] = static_cast<std::uint32_t>(num_pairs());
  for (std::size_t i = 0; i < expansion_.num_actions(); ++i)
    add_pair(state, i);
  last_pair_[state.index()] = static_cast<std::uint32_t>(num_pairs());
  ++num_expanded_;
  num_generated_actions_ += expansion_.num_actions();
}

/// Four billion outcomes would take more than 30 GB, so 32 bits are what is worth paying for.
void SearchGraph::require_ids() const {
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max() - 1;
  if (num_pairs() + expansion_.num_actions() > most ||
      successor_.size() + expansion_.num_outcomes() > most)
    throw LimitReached(LimitKind::memory);
}

void SearchGraph::add_pair(StateId state, std::size_t i) {
  std::span<const double> probabilities = expansion_.probabilities(i);
  const auto successors = expansion_.successors(i);
  double leaving = 0;
  bool loops = false;
  for (std::size_t k = 0; k < successors.size(); ++k) {
    if (successors[k] == state)
      loops = true;
    else
      leaving += probabilities[k];
  }
  if (leaving < least_leaving_probability) return;
  const double repeats = loops ? 1.0 / leaving : 1.0;
  if (loops) {
    leaving_.clear();
    for (std::size_t k = 0; k < successors.size(); ++k) {
      if (successors[k] == state) continue;
      leaving_.push_back(probabilities[k] * repeats);
      successor_.push_back(successors[k]);
    }
    probabilities = leaving_;
  } else {
    for (const StateId successor : successors)  // mostly one to three, too few for insert()
      successor_.push_back(successor);
  }
  const SharedRows::Row row = rows_->share(expansion_.action(i), repeats, probabilities,
                                           [&](ActionId action) { return cssp_->cost(action); });
  pairs_.back() = {expansion_.action(i), state, row.cost, row.first_probability,
                   pairs_.back().first_outcome};
  pairs_.emplace_back().first_outcome = static_cast<std::uint32_t>(successor_.size());
}

bool SearchGraph::expand_all(Limits& limits, const std::function<void()>& observe,
                             std::size_t max_states) {
  std::vector<StateId> queue{initial_};
  std::vector<bool> queued(num_states(), false);
  queued[initial_.index()] = true;
  for (std::size_t next = 0; next < queue.size(); ++next) {
    if (limits.reached() || num_states() > max_states) return false;
    if (observe && next % states_per_observation == 0) observe();
    const StateId state = queue[next];
    if (is_goal(state)) continue;
    if (!is_expanded(state)) expand(state);
    queued.resize(num_states(), false);
    for (const PairId p : pairs(state))
      for (const StateId successor : successors(p)) {
        if (queued[successor.index()]) continue;
        queued[successor.index()] = true;
        queue.push_back(successor);
      }
  }
  return true;
}

std::size_t SearchGraph::bytes() const {
  // What vectors reserve beyond their size takes no memory until it is used.
  const auto held = [](const auto& v) { return v.size() * sizeof(v[0]); };
  return goal_.size() / 8 + held(first_pair_) + held(last_pair_) + held(pairs_) + held(successor_) +
         rows_->bytes();
}

}  // namespace carl::ssp
