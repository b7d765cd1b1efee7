#include "heuristics/pattern_database.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace carl::heuristics {
namespace {

// Projecting an action, and generating a pair or an outcome, take that many times the instructions of
// looking at an outcome.
constexpr std::size_t work_of_generating = 20;

}  // namespace

PatternDatabase::PatternDatabase(const Projector& projector, Pattern pattern)
    : PatternDatabase(pattern, projector.project(pattern)) {}

PatternDatabase::PatternDatabase(Pattern pattern, Projection projection)
    : pattern_(std::move(pattern)),
      goal_(std::move(projection.goal)),
      originals_(std::move(projection.originals)),
      num_projected_(projection.num_seen),
      is_too_coarse_(projection.is_too_coarse),
      model_(std::make_shared<TaskModel>(std::move(projection.task))),
      cssp_(model_),
      graph_(cssp_),
      words_(model_->layout().num_words()) {}

bool PatternDatabase::expand(const DatabaseSize& limit) {
  if (is_too_coarse_) return false;
  // States are numbered as they are discovered.
  for (std::size_t s = 0; s < graph_.num_states(); ++s) {
    if (graph_.num_states() > limit.states || work() > limit.work) return false;
    graph_.expand(StateId(s));
  }
  values_.emplace(graph_, find_goals());
  return true;
}

std::vector<bool> PatternDatabase::find_goals() const {
  std::vector<bool> is_goal(graph_.num_states(), false);
  for (const std::vector<task::Fact>& goal : goal_)
    for (std::size_t s = 0; s < is_goal.size(); ++s)
      if (std::all_of(goal.begin(), goal.end(), [&](const task::Fact& fact) {
            return model_->value(StateId(s), fact.variable) == fact.value;
          }))
        is_goal[s] = true;
  return is_goal;
}

std::size_t PatternDatabase::work() const {
  return work_of_generating *
             (num_projected_ + graph_.num_generated_actions() + graph_.num_outcomes()) +
         (values_ ? values_->work() : 0);
}

StateId PatternDatabase::find(std::span<const std::uint32_t> state) const {
  std::fill(words_.begin(), words_.end(), 0);
  for (std::size_t i = 0; i < pattern_.size(); ++i) {
    const task::PackedField& field = model_->layout().field(task::VariableId(i));
    words_[field.word] |= std::uint64_t{state[pattern_[i]]} << field.shift;
  }
  return model_->find_state(words_.data());
}

bool PatternDatabase::is_hopeless(StateId projected) const {
  return values_->is_dead_end(projected) ||
         value(projected) == std::numeric_limits<double>::infinity();
}

std::span<const std::uint32_t> PatternDatabase::best_actions(StateId projected) const {
  const graph::PairId pair = values_->best_pair(projected);
  if (!pair.valid() || graph_.ends(pair)) return {};
  return originals_[graph_.action(pair).index()];
}

}  // namespace carl::heuristics
