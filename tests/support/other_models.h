// A model behind another one that is only known by what it says of single states, with some actions
// left out if that is wanted. What can be read from arrays must be the same as what is expanded.
#ifndef CARL_TESTS_SUPPORT_OTHER_MODELS_H
#define CARL_TESTS_SUPPORT_OTHER_MODELS_H

#include <functional>
#include <memory>
#include <utility>

#include "carl/model.h"

namespace carl::testing {

class ExpandedModel final : public Model {
 public:
  explicit ExpandedModel(std::shared_ptr<Model> model,
                         std::function<bool(ActionId)> leaves_out = {})
      : model_(std::move(model)), leaves_out_(std::move(leaves_out)) {}

  const CostModel& cost_model() const override { return model_->cost_model(); }
  StateId initial_state() override { return model_->initial_state(); }
  bool is_goal(StateId state) const override { return model_->is_goal(state); }
  void expand(StateId state, Expansion& out) override {
    model_->expand(state, out);
    if (leaves_out_) out.remove_if([&](std::size_t i) { return leaves_out_(out.action(i)); });
  }
  std::span<const double> cost(ActionId action) const override { return model_->cost(action); }
  std::vector<double> positive_costs(std::size_t cost) const override {
    return model_->positive_costs(cost);
  }
  std::size_t num_states() const override { return model_->num_states(); }
  std::vector<std::string> state_facts(StateId state) const override {
    return model_->state_facts(state);
  }
  std::string action_name(ActionId action) const override { return model_->action_name(action); }
  bool is_in_memory() const override { return model_->is_in_memory(); }

 private:
  std::shared_ptr<Model> model_;
  std::function<bool(ActionId)> leaves_out_;
};

}  // namespace carl::testing

#endif
