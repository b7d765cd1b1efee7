// A model whose states and actions are numbers from which all else is computed, so that it takes no
// memory whatever its size. Every state has the same actions: that of number k in state s has the
// number s · num_actions + k.
#ifndef CARL_GENERATE_NUMBERED_MODEL_H
#define CARL_GENERATE_NUMBERED_MODEL_H

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "carl/model.h"

namespace carl::generators {

class NumberedModel : public Model {
 public:
  const CostModel& cost_model() const final { return costs_; }
  StateId initial_state() final { return StateId(initial_); }
  bool is_goal(StateId state) const final { return state.index() == goal_; }
  void expand(StateId state, Expansion& out) final;
  bool is_in_memory() const final { return true; }
  std::size_t num_states() const final { return num_states_; }
  std::vector<std::string> state_facts(StateId state) const final;
  std::string action_name(ActionId action) const final {
    return actions_[action.index() % actions_.size()];
  }

 protected:
  NumberedModel(CostModel costs, std::vector<std::string> actions, std::size_t num_states,
                std::size_t initial, std::size_t goal)
      : costs_(std::move(costs)),
        actions_(std::move(actions)),
        num_states_(num_states),
        initial_(initial),
        goal_(goal) {}

  virtual bool is_applicable(std::size_t state, std::size_t action) const = 0;
  /// Outcomes of the action that has been begun.
  virtual void add_outcomes(std::size_t state, std::size_t action, Expansion& out) const = 0;

  std::size_t num_actions() const { return actions_.size(); }

 private:
  CostModel costs_;
  std::vector<std::string> actions_;
  std::size_t num_states_;
  std::size_t initial_;
  std::size_t goal_;
};

}  // namespace carl::generators

#endif
