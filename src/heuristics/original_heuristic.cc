#include "heuristics/original_heuristic.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace carl::heuristics {
namespace {

Cssp original_of(const Cssp& unfolded) {
  Cssp original = unfolded.model().budget_model()->original();
  const std::size_t n = original.num_costs();
  for (std::size_t c = 0; c < n; ++c)
    original.set_bound(original.cost_names()[c], std::numeric_limits<double>::infinity());
  for (const std::size_t cost : unfolded.zero_costs())
    if (cost < n) original.set_bound(original.cost_names()[cost], 0);
  const std::vector<double>& units = unfolded.units();
  original.use_units({units.begin(), units.begin() + static_cast<std::ptrdiff_t>(n)});
  return original;
}

}  // namespace

OriginalHeuristic::OriginalHeuristic(const graph::SearchGraph& unfolded, HeuristicKind kind,
                                     HeuristicMode mode, Monitor& monitor, std::size_t threads)
    : unfolded_(*unfolded.cssp().model().budget_model()),
      original_(original_of(unfolded.cssp())),
      graph_(original_, threads),
      heuristics_(graph_),
      heuristic_(heuristics_.make(kind, mode, monitor, threads)) {}

void OriginalHeuristic::set_weights(std::span<const double> weights) {
  heuristic_->set_weights(weights.first(original_.num_costs()));
}

bool OriginalHeuristic::evaluate(StateId state, std::span<double> out) {
  ++evaluations_;
  std::fill(out.begin(), out.end(), 0.0);
  const StateId original = unfolded_.original_state(state);
  const bool hopeful = heuristic_->evaluate(original, out.first(original_.num_costs()));
  return hopeful || original_.can_give_up();
}

void OriginalHeuristic::evaluate_all(std::span<const StateId> states, std::span<double> out,
                                     std::span<std::uint8_t> is_hopeful) {
  evaluations_ += states.size();
  const std::size_t n = original_.num_costs();
  const std::size_t stride = out.size() / states.size();
  originals_.clear();
  for (const StateId s : states)
    originals_.push_back(unfolded_.original_state(s));
  estimates_.resize(states.size() * n);
  heuristic_->evaluate_all(originals_, estimates_, is_hopeful);
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t i = 0; i < states.size(); ++i) {
    std::copy_n(&estimates_[i * n], n, &out[i * stride]);
    if (original_.can_give_up()) is_hopeful[i] = 1;
  }
}

}  // namespace carl::heuristics
