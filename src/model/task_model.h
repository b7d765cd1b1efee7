// The model of a factored task. States are packed words in a registry that gives them their ids;
// actions are those of the task. Everything that expanding a state needs is compiled into flat
// arrays when the model is made, so that expanding allocates nothing but room for new states.
#ifndef CARL_MODEL_TASK_MODEL_H
#define CARL_MODEL_TASK_MODEL_H

#include <cstdint>
#include <memory>
#include <vector>

#include "carl/model.h"
#include "task/packed_state.h"
#include "task/state_registry.h"
#include "task/successor_generator.h"
#include "task/task.h"

namespace carl {

class TaskModel final : public Model {
 public:
  explicit TaskModel(task::Task task);

  const CostModel& cost_model() const override { return task_.costs; }
  StateId initial_state() override { return initial_; }
  bool is_goal(StateId state) const override;
  void expand(StateId state, Expansion& out) override;
  std::span<const double> cost(ActionId action) const override {
    return task_.cost_vectors[task_.actions[action.index()].cost];
  }

  std::size_t num_states() const override { return states_.size(); }
  bool factored() const override { return true; }
  /// The true facts, sorted; facts that matter neither to the goal nor to costs are not known.
  std::vector<std::string> state_facts(StateId state) const override;
  std::string action_name(ActionId action) const override {
    return task_.labels[task_.actions[action.index()].label];
  }
  std::vector<std::pair<std::string, std::string>> figures() const override;
  std::vector<std::string> notes() const override { return task_.notes; }
  std::size_t state_bytes() const override { return states_.bytes(); }

  /// Calls visit(probability, successor) for the outcomes of an applicable action, before they are
  /// rounded; the probability is a number of the task. Outcomes may share a successor.
  template <class Visit>
  void for_each_exact_outcome(StateId state, ActionId action, Visit visit) {
    for (std::size_t i = 0; i < task_.actions[action.index()].outcomes.size(); ++i)
      visit(task_.actions[action.index()].outcomes[i].exact_probability,
            successor(states_[state].data(), outcomes_[first_outcome_[action.index()] + i]));
  }

  const task::Task& task() const { return task_; }
  const task::StateLayout& layout() const { return layout_; }
  /// Stays valid.
  task::PackedState packed(StateId state) const { return states_[state]; }
  std::uint32_t value(StateId state, task::VariableId variable) const {
    return layout_.field(variable).value(states_[state].data());
  }
  /// Writes the value of every variable.
  void values(StateId state, std::vector<std::uint32_t>& out) const {
    out.resize(task_.variables.size());
    layout_.unpack(states_[state], out);
  }

 private:
  /// A range of effects_, with its probability.
  struct CompiledOutcome {
    double probability = 1;
    std::size_t first_effect = 0;
    std::size_t last_effect = 0;
  };

  void compile_outcomes();
  StateId successor(const std::uint64_t* words, const CompiledOutcome& outcome);
  bool is_repeated(std::uint32_t action);

  task::Task task_;
  task::StateLayout layout_;
  task::SuccessorGenerator generator_;
  task::StateRegistry states_;
  StateId initial_;
  std::vector<std::vector<task::PackedFacts>> goal_;  // a disjunction
  std::vector<std::size_t> first_outcome_;            // by action, with a sentinel
  std::vector<CompiledOutcome> outcomes_;
  std::vector<task::PackedFacts> effects_;

  // Scratch of expand().
  std::vector<std::uint32_t> applicable_;
  std::vector<std::uint64_t> successor_;
  std::vector<std::uint32_t> variants_;  // by label: how many actions have it
  std::vector<std::uint64_t> emitted_;   // by label: the expansion that last had it
  std::uint64_t expansion_ = 0;
};

std::shared_ptr<TaskModel> make_task_model(task::Task task);

}  // namespace carl

#endif
