#include "ssp/search_graph.h"

#include <cassert>

namespace carl::ssp {
namespace {

// A probability of leaving below this is rounding noise of probabilities that sum to one.
constexpr double least_leaving_probability = 1e-13;
constexpr std::size_t states_per_observation = 4096;

}  // namespace

SearchGraph::SearchGraph(Cssp& cssp)
    : cssp_(&cssp), stride_(cssp.num_costs()), initial_(cssp.initial_state()) {
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
  learn_states();
  first_pair_[state.index()] = static_cast<std::uint32_t>(action_.size());
  for (std::size_t i = 0; i < expansion_.num_actions(); ++i) {
    const auto probabilities = expansion_.probabilities(i);
    const auto successors = expansion_.successors(i);
    double leaving = 0;
    bool loops = false;
    for (std::size_t k = 0; k < successors.size(); ++k) {
      if (successors[k] == state)
        loops = true;
      else
        leaving += probabilities[k];
    }
    if (leaving < least_leaving_probability) continue;
    const double repeats = loops ? 1.0 / leaving : 1.0;
    for (std::size_t k = 0; k < successors.size(); ++k) {
      if (successors[k] == state) continue;
      probability_.push_back(probabilities[k] * repeats);
      successor_.push_back(successors[k]);
    }
    first_outcome_.push_back(successor_.size());
    action_.push_back(expansion_.action(i));
    state_.push_back(state);
    cost_row_.push_back(find_cost_row(expansion_.action(i), repeats));
  }
  last_pair_[state.index()] = static_cast<std::uint32_t>(action_.size());
  ++num_expanded_;
  num_generated_actions_ += expansion_.num_actions();
}

std::uint32_t SearchGraph::find_cost_row(ActionId action, double repeats) {
  constexpr std::uint32_t none = ~std::uint32_t{0};
  if (plain_row_.size() <= action.index()) plain_row_.resize(action.index() + 1, none);
  if (repeats == 1.0 && plain_row_[action.index()] != none) return plain_row_[action.index()];
  const auto row = static_cast<std::uint32_t>(row_repeats_.size());
  for (const double c : cssp_->cost(action))
    costs_.push_back(c * repeats);
  row_repeats_.push_back(repeats);
  if (repeats == 1.0) plain_row_[action.index()] = row;
  return row;
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
  const auto held = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  return goal_.capacity() / 8 + held(first_pair_) + held(last_pair_) + held(action_) +
         held(state_) + held(cost_row_) + held(first_outcome_) + held(probability_) +
         held(successor_) + held(costs_) + held(row_repeats_) + held(plain_row_);
}

}  // namespace carl::ssp
