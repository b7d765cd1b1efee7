// A problem whose goal need not be reached: giving up is free of all costs but a new one, "failure",
// 1 each time. The probability of reaching the goal is one minus what is expected of it, so a bound
// on it is a bound on that probability. Everything else is the model's own, ids included, so that
// heuristics of the task apply as they are.
#ifndef CARL_MODEL_FAILURE_MODEL_H
#define CARL_MODEL_FAILURE_MODEL_H

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "carl/model.h"
#include "model/exact_transitions.h"

namespace carl {

class FailureModel final : public Model, public ExactTransitions {
 public:
  /// Of a model without penalties for giving up.
  explicit FailureModel(std::shared_ptr<Model> model);

  const CostModel& cost_model() const override { return costs_; }
  StateId initial_state() override { return model_->initial_state(); }
  bool is_goal(StateId state) const override { return model_->is_goal(state); }
  void expand(StateId state, Expansion& out) override { model_->expand(state, out); }
  std::span<const double> cost(ActionId action) const override;
  bool outcome_costs(StateId state, ActionId action, OutcomeCosts& out) override;
  std::vector<double> positive_costs(std::size_t cost) const override;
  std::optional<std::vector<double>> amounts(std::size_t cost) const override;
  std::size_t num_states() const override { return model_->num_states(); }
  bool factored() const override { return model_->factored(); }
  std::vector<std::string> state_facts(StateId state) const override {
    return model_->state_facts(state);
  }
  std::string action_name(ActionId action) const override { return model_->action_name(action); }
  std::vector<std::pair<std::string, std::string>> figures() const override {
    return model_->figures();
  }
  std::vector<std::string> notes() const override { return model_->notes(); }
  std::vector<std::string> warnings() const override { return model_->warnings(); }
  bool draws_initial_state(ActionId action) const override {
    return model_->draws_initial_state(action);
  }
  bool has_cost(std::size_t cost) const override;
  std::optional<std::size_t> failure_cost() const override { return failure_; }
  std::optional<Unreachability> unreachable_goal(StateId state) const override {
    return model_->unreachable_goal(state);
  }
  std::size_t state_bytes() const override { return model_->state_bytes(); }
  bool is_in_memory() const override { return model_->is_in_memory(); }
  TaskModel* task_model() override { return model_->task_model(); }
  ConcurrentModel* concurrent_model() override { return model_->concurrent_model(); }

  ExactTransitions* exact_transitions() override;
  Rational exact_cost(ActionId action, std::size_t i) const override;
  void add_exact_outcomes(StateId state, ActionId action, std::vector<ExactOutcome>& out) override;
  std::size_t num_roundings(ActionId action) const override;

 private:
  std::shared_ptr<Model> model_;
  std::size_t failure_;  // the number of the new cost
  CostModel costs_;
  mutable std::vector<double> cost_;  // of the action asked for last
};

/// "failure", or something like it if there is such a cost.
std::string failure_name(const std::vector<std::string>& costs);

}  // namespace carl

#endif
