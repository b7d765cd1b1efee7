// A problem in which one gives up where it is lost, and only there; and, if the probability of the
// goal is to be the largest there is, in which nothing can be done that lowers it. Every policy that
// ends then has the largest probability, so that its costs are all that is left to ask for.
//
// All states are known when it is made. Giving up is an action of its own, in lost states alone, with
// a new cost, "failure", of 1.
#ifndef CARL_MODEL_HOPEFUL_MODEL_H
#define CARL_MODEL_HOPEFUL_MODEL_H

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "carl/model.h"

namespace carl {

/// What is known of a fully explored model.
struct GoalChances {
  /// By state: the least probability of failing; exactly 0 and 1 where that is what it is.
  std::vector<double> failure;
  std::size_t num_actions = 0;  // all ids are below

  bool is_lost(StateId s) const { return failure[s.index()] == 1; }
};

class HopefulModel final : public Model {
 public:
  /// Losses of probability up to this are rounding errors.
  static constexpr double tolerance = 1e-10;

  /// `keep_chances`: leave out what lowers the probability of the goal.
  HopefulModel(std::shared_ptr<Model> model, GoalChances chances, bool keep_chances);

  const CostModel& cost_model() const override { return costs_; }
  StateId initial_state() override { return model_->initial_state(); }
  bool is_goal(StateId state) const override {
    return state == given_up_ || model_->is_goal(state);
  }
  void expand(StateId state, Expansion& out) override;
  std::span<const double> cost(ActionId action) const override;
  bool outcome_costs(StateId state, ActionId action, OutcomeCosts& out) override;
  std::vector<double> positive_costs(std::size_t cost) const override;
  std::optional<std::vector<double>> amounts(std::size_t cost) const override;
  std::size_t num_states() const override { return given_up_.index() + 1; }
  bool factored() const override { return model_->factored(); }
  std::vector<std::string> state_facts(StateId state) const override;
  std::string action_name(ActionId action) const override;
  std::vector<std::pair<std::string, std::string>> figures() const override {
    return model_->figures();
  }
  std::vector<std::string> notes() const override { return model_->notes(); }
  std::vector<std::string> warnings() const override { return model_->warnings(); }
  bool draws_initial_state(ActionId action) const override {
    return action != give_up_ && model_->draws_initial_state(action);
  }
  bool gives_up(ActionId action) const override { return action == give_up_; }
  bool is_given_up(StateId state) const override { return state == given_up_; }
  std::optional<std::size_t> failure_cost() const override { return failure_; }
  bool has_cost(std::size_t cost) const override {
    return cost == failure_ || model_->has_cost(cost);
  }
  std::size_t state_bytes() const override { return model_->state_bytes(); }
  bool is_in_memory() const override { return true; }

 private:
  /// By how much the i-th action lowers the probability of the goal.
  double loss(StateId state, const Expansion& expansion, std::size_t i) const;

  std::shared_ptr<Model> model_;
  GoalChances chances_;
  bool keep_chances_;
  std::size_t failure_;  // the number of the new cost
  CostModel costs_;
  StateId given_up_;
  ActionId give_up_;
  mutable std::vector<double> cost_;  // of the action asked for last
};

}  // namespace carl

#endif
