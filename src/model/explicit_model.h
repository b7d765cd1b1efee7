// A model that is written out state by state. It has to hold tens of millions of outcomes, so
// everything lies in flat arrays of 32-bit numbers, and what repeats is stored once: names, cost
// vectors, and distributions (the probabilities of an action's outcomes without their successors;
// a slippery grid has four of them however large it is).
//
// Actions keep the order in which they were added: their ids are the positions in the text they
// come from, and grouping them by state takes one small index instead of moving the outcomes.
#ifndef CARL_MODEL_EXPLICIT_MODEL_H
#define CARL_MODEL_EXPLICIT_MODEL_H

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "carl/error.h"
#include "carl/model.h"
#include "model/intern_table.h"

namespace carl {

class ExplicitModel final : public Model {
 public:
  const CostModel& cost_model() const override { return costs_; }
  StateId initial_state() override { return initial_; }
  bool is_goal(StateId state) const override { return goals_[state.index()]; }
  void expand(StateId state, Expansion& out) override;
  std::span<const double> cost(ActionId action) const override {
    return cost_vectors_[cost_[action.index()]];
  }
  bool outcome_costs(StateId state, ActionId action, OutcomeCosts& out) override;

  std::vector<double> positive_costs(std::size_t cost) const override;

  std::size_t num_states() const override { return state_names_.size(); }
  std::vector<std::string> state_facts(StateId state) const override;
  std::string action_name(ActionId action) const override;
  std::vector<std::pair<std::string, std::string>> figures() const override;
  std::vector<std::string> warnings() const override;
  bool has_cost(std::size_t cost) const override;
  std::size_t state_bytes() const override;

  std::size_t num_actions() const { return cost_.size(); }
  std::size_t num_outcomes() const { return successors_.size(); }
  std::string_view state_name(StateId state) const { return state_names_[state.index()]; }
  std::optional<StateId> find_state(std::string_view name) const;
  /// None for a goal: goals are absorbing, whatever actions were added there.
  std::span<const ActionId> actions(StateId state) const;
  std::span<const double> probabilities(ActionId action) const {
    return distributions_[distribution_[action.index()]];
  }
  std::span<const StateId> successors(ActionId action) const;

 private:
  friend class ExplicitModelBuilder;

  CostModel costs_;
  StateId initial_;
  NameTable state_names_;
  NameTable action_names_;
  VectorTable cost_vectors_;
  VectorTable distributions_;

  // By state.
  std::vector<bool> goals_;
  std::vector<std::uint32_t> first_action_;  // into actions_, with a sentinel
  std::vector<ActionId> actions_;

  // By action.
  std::vector<std::uint32_t> name_;
  std::vector<std::uint32_t> cost_;
  std::vector<std::uint32_t> distribution_;
  std::vector<std::uint32_t> first_outcome_;  // into successors_
  std::vector<StateId> successors_;

  // The actions whose outcomes differ in cost, in order, and these outcomes: nothing for the
  // others.
  struct Apart {
    ActionId action;
    std::uint32_t distribution = 0;
    std::size_t first = 0;  // into the following
  };
  std::vector<Apart> apart_;
  std::vector<StateId> apart_successors_;
  std::vector<std::uint32_t> apart_costs_;
};

/// Two actions of one state have the same name.
class DuplicateAction : public InputError {
 public:
  DuplicateAction(const std::string& message, ActionId first, ActionId second)
      : InputError(message), first_(first), second_(second) {}
  ActionId first() const { return first_; }
  ActionId second() const { return second_; }

 private:
  ActionId first_;
  ActionId second_;
};

/// Checks what it is given as validity.h says and throws InputError without a place; the caller
/// knows that.
class ExplicitModelBuilder {
 public:
  explicit ExplicitModelBuilder(CostModel costs);
  void set_bounds(std::vector<Bound> bounds);
  void set_give_up(std::vector<double> penalty);
  /// See CostModel::rewards.
  void set_rewards(std::vector<bool> rewards);

  /// The state of this name, which is new if the name is.
  StateId state(std::string_view name);
  std::optional<StateId> find_state(std::string_view name) const;
  void add_goal(StateId state);

  /// An outcome of the action that is added next. Impossible outcomes are dropped.
  void add_outcome(double probability, StateId successor);
  /// The same for outcomes that differ in cost, and may lead to the same state. An empty cost is
  /// that of the action. An action has outcomes of one kind only.
  void add_outcome(double probability, StateId successor, std::span<const double> cost);
  /// Checks and scales the outcomes added since the last action; add_action() does it anyway.
  void normalise_outcomes();
  /// Makes an action of the outcomes added since the last one.
  ActionId add_action(StateId state, std::string_view name, std::span<const double> cost);

  struct NamedOutcome {
    double probability;
    std::string_view successor;
  };
  /// The same in one call.
  ActionId add_action(std::string_view state, std::string_view name,
                      std::initializer_list<double> cost,
                      std::initializer_list<NamedOutcome> outcomes);

  /// The finished model; the builder is empty afterwards. Throws DuplicateAction.
  std::shared_ptr<ExplicitModel> build(StateId initial);

 private:
  StateId state_of_action(ActionId action) const { return state_of_action_[action.index()]; }
  void merge_outcomes();
  void scale_shares(const std::vector<double>& before);
  void keep_outcomes_apart();
  void group_actions_by_state();
  void check_duplicate_actions() const;

  std::shared_ptr<ExplicitModel> model_;
  std::vector<StateId> state_of_action_;

  // The action that is added next.
  std::vector<double> probabilities_;
  std::vector<StateId> successors_;
  std::vector<double> scratch_cost_;
  // Its outcomes if they may differ in cost, with the costs one vector after the other.
  std::vector<double> apart_probabilities_;
  std::vector<StateId> apart_successors_;
  std::vector<double> apart_costs_;
  std::vector<bool> has_cost_;
  std::vector<std::size_t> apart_place_;  // among successors_
  OutcomeCosts apart_;
  std::vector<std::uint32_t>
      last_outcome_;  // by state: one more than the last action that led there
};

}  // namespace carl

#endif
