// A probabilistic pattern database: the costs-to-go of all reachable states of a projection of the
// task, chances and giving up included. They bound those of the states that are projected on them.
// The projection is expanded once; for other weights of the costs only its values change.
//
// T. Klößner and J. Hoffmann, "Pattern databases for stochastic shortest path problems", Symposium
// on Combinatorial Search (SoCS), 2021. T. Klößner, Á. Torralba, M. Steinmetz and J. Hoffmann,
// "Pattern databases for goal-probability maximization in probabilistic planning", International
// Conference on Automated Planning and Scheduling (ICAPS), 2021.
#ifndef CARL_HEURISTICS_PATTERN_DATABASE_H
#define CARL_HEURISTICS_PATTERN_DATABASE_H

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "carl/cssp.h"
#include "graph/search_graph.h"
#include "heuristics/projection.h"
#include "heuristics/values_from_below.h"
#include "model/task_model.h"

namespace carl::heuristics {

/// How large a pattern database may become.
struct DatabaseSize {
  std::size_t states = 0;
  std::size_t work = 0;  // of expanding it, see PatternDatabase::work()
};

class PatternDatabase {
 public:
  PatternDatabase(const Projector& projector, Pattern pattern);
  PatternDatabase(const PatternDatabase&) = delete;
  PatternDatabase& operator=(const PatternDatabase&) = delete;

  /// Expands the projection. False if it becomes larger than this, or the projection is too coarse:
  /// then it is of no use.
  bool expand(const DatabaseSize& limit);
  /// Once it is expanded: the weights of the costs from now on.
  void set_weights(std::span<const double> weights) { values_->solve(weights); }

  const Pattern& pattern() const { return pattern_; }
  std::size_t num_states() const { return graph_.num_states(); }
  /// What has been done so far, in outcomes looked at: 15 to 20 instructions each.
  std::size_t work() const;

  /// The projection of a state that is given by the value of each variable of the task. Invalid if
  /// it cannot be reached: then neither can the state.
  StateId find(std::span<const std::uint32_t> state) const;
  /// Lower bounds for all states with that projection.
  double value(StateId projected) const { return values_->value(projected); }
  void vector(StateId projected, std::span<double> out) const { values_->vector(projected, out); }
  /// No goal can be reached, or, if there is no giving up, not with certainty.
  bool is_hopeless(StateId projected) const;

  bool is_goal(StateId projected) const { return values_->is_goal(projected); }
  /// The actions of the task that look like the best one there; none in goals, where there is
  /// nothing to do, and where giving up is best.
  std::span<const std::uint32_t> best_actions(StateId projected) const;

 private:
  PatternDatabase(Pattern pattern, Projection projection);

  std::vector<bool> find_goals() const;

  Pattern pattern_;
  std::vector<std::vector<task::Fact>> goal_;
  Ranges originals_;
  std::size_t num_projected_;  // actions
  bool is_too_coarse_;
  std::shared_ptr<TaskModel> model_;
  Cssp cssp_;
  graph::SearchGraph graph_;
  std::optional<ValuesFromBelow> values_;
  mutable std::vector<std::uint64_t> words_;  // scratch of find()
};

}  // namespace carl::heuristics

#endif
