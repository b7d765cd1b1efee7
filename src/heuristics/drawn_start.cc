#include "heuristics/drawn_start.h"

#include <algorithm>

#include "model/task_model.h"

namespace carl::heuristics {

bool has_drawn_start(Cssp& cssp) {
  const TaskModel* model = cssp.model().task_model();
  return model != nullptr && model->task().initial_draw.has_value();
}

DrawnStart::DrawnStart(Cssp& cssp, std::unique_ptr<Heuristic> heuristic)
    : heuristic_(std::move(heuristic)),
      start_(cssp.initial_state()),
      can_give_up_(cssp.can_give_up()) {
  Expansion expansion;
  cssp.model().expand(start_, expansion);
  const auto probabilities = expansion.probabilities(0);
  const auto successors = expansion.successors(0);
  for (std::size_t i = 0; i < successors.size(); ++i)
    if (!cssp.is_goal(successors[i])) drawn_.push_back({probabilities[i], successors[i]});
}

bool DrawnStart::evaluate(StateId state, std::span<double> out) {
  const bool hopeful = state == start_ ? evaluate_start(out) : heuristic_->evaluate(state, out);
  evaluations_ = heuristic_->evaluations();
  return hopeful;
}

void DrawnStart::evaluate_all(std::span<const StateId> states, std::span<double> out,
                              std::span<std::uint8_t> is_hopeful) {
  if (std::find(states.begin(), states.end(), start_) != states.end())
    return Heuristic::evaluate_all(states, out, is_hopeful);
  heuristic_->evaluate_all(states, out, is_hopeful);
  evaluations_ = heuristic_->evaluations();
}

bool DrawnStart::evaluate_start(std::span<double> out) {
  std::vector<double> of_drawn(out.size());
  std::fill(out.begin(), out.end(), 0.0);
  for (const Drawn& drawn : drawn_) {
    const bool hopeful = heuristic_->evaluate(drawn.state, of_drawn);
    // A goal may be reached nevertheless, from another state, which is all that is asked here.
    if (!hopeful && !can_give_up_) return heuristic_->evaluate(start_, out);
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] += drawn.probability * of_drawn[i];
  }
  return true;
}

}  // namespace carl::heuristics
