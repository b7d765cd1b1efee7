// A model that is written out state by state. It has to hold tens of millions of outcomes, so
// everything lies in flat arrays of mostly 32-bit numbers, and what repeats is stored once: names,
// cost vectors, and distributions (the probabilities of an action's outcomes without their
// successors; a slippery grid has four of them however large it is). Search graphs read the same
// arrays (see transitions.h).
//
// Actions are numbered state by state, those of one state in the order in which they were added.
#ifndef CARL_MODEL_EXPLICIT_MODEL_H
#define CARL_MODEL_EXPLICIT_MODEL_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "carl/explicit_builder.h"
#include "carl/model.h"
#include "model/intern_table.h"
#include "model/state_labels.h"
#include "model/transitions.h"

namespace carl {

/// A bit for each state and label.
class LabelTable final : public StateLabels {
 public:
  std::vector<std::string> names() const override { return names_; }
  bool holds(std::size_t label, StateId state) const override {
    return state.index() < sets_[label].size() && sets_[label][state.index()];
  }
  bool empty() const { return names_.empty(); }
  std::size_t bytes() const;

 private:
  friend class ExplicitBuilder;
  std::vector<std::string> names_;
  std::vector<std::vector<bool>> sets_;
};

class ExplicitModel final : public Model {
 public:
  explicit ExplicitModel(CostModel costs)
      : costs_(std::move(costs)), transitions_(costs_.costs.size()) {}

  const CostModel& cost_model() const override { return costs_; }
  StateId initial_state() override { return initial_; }
  bool is_goal(StateId state) const override { return goals_[state.index()]; }
  void expand(StateId state, Expansion& out) override;
  std::span<const double> cost(ActionId action) const override {
    return transitions_.cost(view_.cost_row(PairId(action.index())));
  }
  bool outcome_costs(StateId state, ActionId action, OutcomeCosts& out) override;

  std::vector<double> positive_costs(std::size_t cost) const override;
  std::optional<std::vector<double>> amounts(std::size_t cost) const override;

  std::optional<StateRange> share() const override { return share_; }
  std::vector<double> cost_vectors() const override;
  bool is_in_memory() const override { return true; }
  const Transitions* transitions(bool giving_up) override;
  const StateLabels* labels() const override { return labels_.empty() ? nullptr : &labels_; }
  std::size_t num_states() const override { return num_states_; }
  std::vector<std::string> state_facts(StateId state) const override;
  std::string action_name(ActionId action) const override;
  std::vector<std::pair<std::string, std::string>> figures() const override;
  std::vector<std::string> notes() const override;
  std::vector<std::string> warnings() const override;
  bool draws_initial_state(ActionId action) const override { return action == draw_; }
  bool has_cost(std::size_t cost) const override;
  std::size_t state_bytes() const override;

  std::size_t num_actions() const { return transitions_.num_pairs(); }
  /// Its number if states have no names.
  std::string state_name(StateId state) const;
  std::optional<StateId> find_state(std::string_view name) const;
  /// None for a goal: goals are absorbing, whatever actions were added there.
  std::vector<ActionId> actions(StateId state) const;
  std::span<const double> probabilities(ActionId action) const {
    return transitions_.distribution(PairId(action.index()));
  }
  std::vector<StateId> successors(ActionId action) const {
    return transitions_.successors(PairId(action.index()));
  }

 private:
  friend class ExplicitBuilder;

  static constexpr std::uint32_t unnamed = ~std::uint32_t{0};

  /// The place of an action among those of its state.
  std::size_t place_in_state(ActionId action) const;

  CostModel costs_;
  StateId initial_;
  ActionId draw_;  // of the initial state, if that is drawn
  std::size_t num_states_ = 0;
  std::optional<StateRange> share_;
  NameTable state_names_;  // empty if states are known by their numbers
  NameTable action_names_;
  std::vector<bool> goals_;
  LabelTable labels_;
  std::vector<std::uint32_t> name_;  // by action; empty if no action has one
  std::size_t num_outcomes_ = 0;     // self-loops included
  Transitions transitions_;
  PairView view_;  // of their pairs, once the model is built

  // The actions whose outcomes differ in cost, in order, and these outcomes: nothing for the
  // others.
  struct Apart {
    ActionId action;
    std::uint32_t distribution = 0;
    std::size_t first = 0;  // into the following
  };
  std::vector<Apart> apart_;
  VectorTable apart_distributions_;
  VectorTable apart_cost_vectors_;
  std::vector<StateId> apart_successors_;
  std::vector<std::uint32_t> apart_costs_;
};

}  // namespace carl

#endif
