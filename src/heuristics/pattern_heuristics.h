// Heuristics from pattern databases: the larger of what a database says and of h-max, which sees
// where facts are missing that the pattern knows nothing of.
//
// For scalarised costs there is one database, whose values are found again when the weights change.
// A pattern is chosen for the weights at hand, and what is good for some may be worthless for others
// (with no weight on destroyed blocks, nobody puts them down with care). So it is chosen again when
// the weights have moved far; but not before the estimates asked for since then have taken about as
// long as choosing took. The ideal point has one database for each cost.
#ifndef CARL_HEURISTICS_PATTERN_HEURISTICS_H
#define CARL_HEURISTICS_PATTERN_HEURISTICS_H

#include <memory>
#include <vector>

#include "heuristics/heuristic.h"
#include "heuristics/pattern_selection.h"
#include "heuristics/task_heuristics.h"

namespace carl::heuristics {

/// Computed for the current scalarisation.
class LambdaPatternDatabase final : public Heuristic {
 public:
  explicit LambdaPatternDatabase(const TaskContext& context);

  void set_weights(std::span<const double> weights) override;
  bool depends_on_weights() const override { return true; }
  bool evaluate(StateId state, std::span<double> out) override;
  std::size_t work_per_evaluation() const override {
    return hmax_.work_per_evaluation() + work_of_looking_up;
  }

 private:
  static constexpr std::size_t work_of_looking_up = 300;  // instructions

  bool is_to_be_selected(std::span<const double> weights) const;
  std::size_t affordable_work() const;

  TaskContext context_;
  LambdaHeuristic hmax_;
  SelectedPattern selected_;
  std::vector<double> weights_;           // of now
  std::vector<double> selected_weights_;  // that the pattern was chosen for
  std::size_t evaluations_at_selection_ = 0;
  std::vector<std::uint32_t> values_;
};

/// One estimate per cost, each a lower bound by itself.
class IdealPatternDatabases final : public Heuristic {
 public:
  explicit IdealPatternDatabases(const TaskContext& context);

  void set_weights(std::span<const double> /*weights*/) override {}
  bool depends_on_weights() const override { return false; }
  bool evaluate(StateId state, std::span<double> out) override;
  std::size_t work_per_evaluation() const override { return hmax_.work_per_evaluation(); }

 private:
  TaskContext context_;
  IdealPoint hmax_;
  std::vector<SelectedPattern> selected_;  // by cost
  std::vector<std::uint32_t> values_;
};

}  // namespace carl::heuristics

#endif
