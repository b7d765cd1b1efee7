// Heuristics of factored problems: an estimator turned into a λ-heuristic or an ideal point, with
// dead-end detection and give-up penalties taken care of.
#ifndef CARL_HEURISTICS_TASK_HEURISTICS_H
#define CARL_HEURISTICS_TASK_HEURISTICS_H

#include <memory>
#include <optional>
#include <vector>

#include "carl/cssp.h"
#include "heuristics/estimator.h"
#include "heuristics/heuristic.h"
#include "heuristics/hmax.h"
#include "heuristics/operator_counting.h"
#include "heuristics/relaxed_task.h"
#include "model/task_model.h"

namespace carl::heuristics {

enum class EstimatorKind { hmax, landmarks, lmcut, roc, pom, constrained_roc };

/// What all heuristics of one problem share: the model, which actions may be used, the relaxation.
struct TaskContext {
  explicit TaskContext(Cssp& problem);

  std::unique_ptr<Estimator> make_estimator(EstimatorKind kind) const;

  Cssp& cssp;
  const TaskModel& model;
  OperatorCountingRules rules;  // actions that a bound of zero forbids are not allowed
  std::shared_ptr<const RelaxedTask> relaxed;
};

/// About how many instructions an estimate takes.
std::size_t work_of(EstimatorKind kind, const RelaxedTask& relaxed);

/// Scalar costs of all actions of the task, and of giving up (infinite if that is not possible).
std::vector<double> scalar_costs(const Cssp& cssp, const TaskModel& model,
                                 std::span<const double> weights);
double give_up_cost(const Cssp& cssp, std::span<const double> weights);

/// ROC and, as its last rows, the bounds. Their rows are scaled: tolerances are absolute.
OperatorCountingLp constrained_roc_lp(const TaskContext& context);

/// Computed for the current scalarisation.
class LambdaHeuristic final : public Heuristic {
 public:
  LambdaHeuristic(const TaskContext& context, EstimatorKind kind);

  void set_weights(std::span<const double> weights) override;
  bool depends_on_weights() const override { return true; }
  bool evaluate(StateId state, std::span<double> out) override;
  std::size_t work_per_evaluation() const override { return work_per_evaluation_; }
  std::size_t lp_solves() const override { return estimator_->lp_solves(); }

 private:
  void add_costs(const ActionUse& use, std::span<double> out) const;

  Cssp& cssp_;
  const TaskModel& model_;
  EstimatorKind kind_;
  std::size_t work_per_evaluation_;
  std::unique_ptr<Estimator> estimator_;
  std::optional<DeadEndDetector> dead_ends_;  // for estimators that may miss them
  std::vector<double> action_costs_;
  double give_up_cost_ = 0;
  std::vector<std::uint32_t> values_;
  std::vector<ActionUse> uses_;
};

/// One estimate per cost, each a lower bound by itself.
class IdealPoint final : public Heuristic {
 public:
  IdealPoint(const TaskContext& context, EstimatorKind kind);

  void set_weights(std::span<const double> /*weights*/) override {}
  bool depends_on_weights() const override { return false; }
  bool evaluate(StateId state, std::span<double> out) override;
  std::size_t work_per_evaluation() const override { return work_per_evaluation_; }
  std::size_t lp_solves() const override;

 private:
  Cssp& cssp_;
  const TaskModel& model_;
  EstimatorKind kind_;
  std::size_t work_per_evaluation_;
  std::vector<std::unique_ptr<Estimator>> estimators_;  // per cost
  std::unique_ptr<IdealPoint> unconstrained_;           // for C-ROC, where that has no solution
  DeadEndDetector dead_ends_;
  std::vector<std::uint32_t> values_;
  std::vector<ActionUse> uses_;
};

}  // namespace carl::heuristics

#endif
