// A model that begins in another of its states, and is the same in all other respects. States and
// actions have the same ids.
#ifndef CARL_MODEL_RELOCATED_MODEL_H
#define CARL_MODEL_RELOCATED_MODEL_H

#include <string>
#include <utility>
#include <vector>

#include "carl/model.h"

namespace carl {

class RelocatedModel final : public Model {
 public:
  /// `model` must outlive this.
  RelocatedModel(Model& model, StateId initial) : model_(model), initial_(initial) {}

  const CostModel& cost_model() const override { return model_.cost_model(); }
  StateId initial_state() override { return initial_; }
  bool is_goal(StateId state) const override { return model_.is_goal(state); }
  void expand(StateId state, Expansion& out) override { model_.expand(state, out); }
  std::span<const double> cost(ActionId action) const override { return model_.cost(action); }
  bool outcome_costs(StateId state, ActionId action, OutcomeCosts& out) override {
    return model_.outcome_costs(state, action, out);
  }
  std::vector<double> positive_costs(std::size_t cost) const override {
    return model_.positive_costs(cost);
  }
  std::size_t num_states() const override { return model_.num_states(); }
  bool factored() const override { return model_.factored(); }
  std::vector<std::string> state_facts(StateId state) const override {
    return model_.state_facts(state);
  }
  std::string action_name(ActionId action) const override { return model_.action_name(action); }
  bool draws_initial_state(ActionId action) const override {
    return model_.draws_initial_state(action);
  }
  bool has_cost(std::size_t cost) const override { return model_.has_cost(cost); }
  std::optional<Unreachability> unreachable_goal(StateId state) const override {
    return model_.unreachable_goal(state);
  }
  std::size_t state_bytes() const override { return model_.state_bytes(); }
  bool is_in_memory() const override { return model_.is_in_memory(); }
  const Transitions* transitions(bool giving_up) override { return model_.transitions(giving_up); }
  TaskModel* task_model() override { return model_.task_model(); }
  ConcurrentModel* concurrent_model() override { return model_.concurrent_model(); }
  ExactTransitions* exact_transitions() override { return model_.exact_transitions(); }
  const StateLabels* labels() const override { return model_.labels(); }

 private:
  Model& model_;
  StateId initial_;
};

}  // namespace carl

#endif
