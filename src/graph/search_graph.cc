#include "graph/search_graph.h"

#include <cassert>

#include "util/parallel.h"

namespace carl::graph {
namespace {

// A probability of leaving below this is rounding noise of probabilities that sum to one.
constexpr double least_leaving_probability = 1e-13;

}  // namespace

SearchGraph::SearchGraph(Cssp& cssp, std::size_t threads)
    : cssp_(&cssp),
      threads_(num_threads(threads)),
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
  add_expansion(state, expansion_);
}

void SearchGraph::expand_to_give_up(StateId state) {
  assert(!is_expanded(state) && !is_goal(state) && cssp_->can_give_up());
  expansion_.clear();
  expansion_.begin_action(Cssp::give_up_action);
  add_expansion(state, expansion_);
}

void SearchGraph::add_expansion(StateId state, const Expansion& expansion) {
  require_ids(expansion);
  learn_states();
  first_pair_[state.index()] = static_cast<std::uint32_t>(num_pairs());
  for (std::size_t i = 0; i < expansion.num_actions(); ++i)
    add_pair(state, expansion, i);
  last_pair_[state.index()] = static_cast<std::uint32_t>(num_pairs());
  ++num_expanded_;
  num_generated_actions_ += expansion.num_actions();
}

/// Four billion outcomes would take more than 30 GB, so 32 bits are what is worth paying for.
void SearchGraph::require_ids(const Expansion& expansion) const {
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max() - 1;
  if (num_pairs() + expansion.num_actions() > most ||
      successor_.size() + expansion.num_outcomes() > most)
    throw LimitReached(LimitKind::memory);
}

void SearchGraph::add_pair(StateId state, const Expansion& expansion, std::size_t i) {
  std::span<const double> probabilities = expansion.probabilities(i);
  const auto successors = expansion.successors(i);
  double leaving = 0;
  bool loops = false;
  for (std::size_t k = 0; k < successors.size(); ++k) {
    if (successors[k] == state)
      loops = true;
    else
      leaving += probabilities[k];
  }
  const bool ends = expansion.action(i) == Cssp::give_up_action;
  if (leaving < least_leaving_probability && !ends) return;
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
  const SharedRows::Row row = rows_->share(expansion.action(i), repeats, probabilities,
                                           [&](ActionId action) { return cssp_->cost(action); });
  pairs_.back() = {expansion.action(i), state, row.cost, row.first_probability,
                   pairs_.back().first_outcome};
  pairs_.emplace_back().first_outcome = static_cast<std::uint32_t>(successor_.size());
}

std::size_t SearchGraph::bytes() const {
  // What vectors reserve beyond their size takes no memory until it is used.
  const auto held = [](const auto& v) { return v.size() * sizeof(v[0]); };
  return goal_.size() / 8 + held(first_pair_) + held(last_pair_) + held(pairs_) + held(successor_) +
         rows_->bytes();
}

}  // namespace carl::graph
