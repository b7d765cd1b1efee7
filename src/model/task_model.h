// The model of a factored task. States are packed words in a registry that gives them their ids;
// actions are those of the task. Everything that expanding a state needs is compiled into flat
// arrays when the model is made, so that expanding allocates nothing but room for new states, and
// for the outcomes of actions with conditional effects.
//
// An action whose conditional effects are all it does is not offered in states in which none of
// them does anything.
#ifndef CARL_MODEL_TASK_MODEL_H
#define CARL_MODEL_TASK_MODEL_H

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "carl/model.h"
#include "model/concurrent_model.h"
#include "model/conditional_outcomes.h"
#include "model/exact_transitions.h"
#include "model/found_outcomes.h"
#include "task/packed_state.h"
#include "task/state_registry.h"
#include "task/successor_generator.h"
#include "task/task.h"

namespace carl {

class TaskModel final : public Model, public ExactTransitions, public ConcurrentModel {
 public:
  explicit TaskModel(task::Task task);

  const CostModel& cost_model() const override { return task_.costs; }
  StateId initial_state() override { return initial_; }
  bool is_goal(StateId state) const override;
  void expand(StateId state, Expansion& out) override;
  std::span<const double> cost(ActionId action) const override {
    return task_.cost_vectors[task_.actions[action.index()].cost];
  }
  /// Throws InputError if the outcomes that differ in cost are too many to be told apart.
  bool outcome_costs(StateId state, ActionId action, OutcomeCosts& out) override;

  std::vector<double> positive_costs(std::size_t cost) const override;
  std::optional<std::vector<double>> amounts(std::size_t cost) const override;

  std::size_t num_states() const override { return states_.size(); }
  bool factored() const override { return true; }
  /// The true facts, sorted; facts that matter neither to the goal nor to costs are not known.
  /// Before the initial state is drawn there are none to speak of: a single text says so.
  std::vector<std::string> state_facts(StateId state) const override;
  std::string action_name(ActionId action) const override {
    return task_.labels[task_.actions[action.index()].label];
  }
  bool draws_initial_state(ActionId action) const override {
    return task_.initial_draw && *task_.initial_draw == action.index();
  }
  std::vector<std::pair<std::string, std::string>> figures() const override;
  std::vector<std::string> notes() const override { return task_.notes; }
  std::vector<std::string> warnings() const override;
  bool has_cost(std::size_t cost) const override;
  std::optional<Unreachability> unreachable_goal(StateId state) const override;
  std::size_t state_bytes() const override { return states_.bytes(); }

  TaskModel* task_model() override { return this; }
  ExactTransitions* exact_transitions() override { return this; }
  Rational exact_cost(ActionId action, std::size_t i) const override;
  void add_exact_outcomes(StateId state, ActionId action, std::vector<ExactOutcome>& out) override;
  std::size_t num_roundings(ActionId action) const override;

  // ConcurrentModel: all actions are known from the start.
  ConcurrentModel* concurrent_model() override { return this; }
  std::unique_ptr<Room> make_room() const override { return std::make_unique<Scratch>(*this); }
  task::StateRegistry& registry() override { return states_; }
  std::size_t num_known_actions() const override { return task_.actions.size(); }
  void generate(StateId state, Room& room, Findings& out) const override;
  bool is_goal(StateId state, Room& /*room*/) const override { return is_goal(state); }
  ActionId learn(FreshActions::Key /*key*/, std::span<const double> /*cost*/) override {
    return {};
  }

  /// What generating successors needs room for.
  class Scratch final : public Room {
   public:
    explicit Scratch(const TaskModel& model)
        : successor_(model.layout_.num_words()),
          outcomes_(model.layout_.num_words()),
          emitted_(model.task_.labels.size()),
          found_(model.layout_.num_words()) {}

   private:
    friend class TaskModel;
    std::vector<std::uint32_t> applicable_;
    std::vector<std::uint64_t> successor_;
    OutcomeList<double> outcomes_;        // of an action with conditional effects
    std::vector<std::uint64_t> emitted_;  // by label: the expansion that last had it
    std::uint64_t expansion_ = 0;
    FoundOutcomes found_;
  };

  /// Adds to `out` what expand() says, without learning states: `ids` is asked for the id of each
  /// successor, as FoundOutcomes does.
  template <class Ids>
  void generate(StateId state, Scratch& scratch, Expansion& out, const Ids& ids) const;
  StateId insert_state(const std::uint64_t* words) { return states_.insert(words); }
  /// An invalid id if the state is not known.
  StateId find_state(const std::uint64_t* words) const { return states_.find(words); }
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
  void write_successor(const std::uint64_t* words, const CompiledOutcome& outcome,
                       std::uint64_t* successor) const {
    task::copy_state(words, layout_.num_words(), successor);
    for (std::size_t k = outcome.first_effect; k < outcome.last_effect; ++k)
      effects_[k].apply(successor);
  }
  /// Valid until the next one.
  const std::uint64_t* successor(const std::uint64_t* words, const CompiledOutcome& outcome,
                                 Scratch& scratch) const {
    write_successor(words, outcome, scratch.successor_.data());
    return scratch.successor_.data();
  }
  /// Likewise; one of those that conditional_ has found.
  template <class Number>
  static const std::uint64_t* successor(const std::uint64_t* words,
                                        const OutcomeList<Number>& outcomes, std::size_t i,
                                        Scratch& scratch) {
    outcomes.apply(i, words, scratch.successor_.data());
    return scratch.successor_.data();
  }
  /// What can be done in a state, for whom FoundOutcomes or FoundBlock stands.
  template <class Found>
  void find(StateId state, Scratch& scratch, Found&& found) const;
  template <class Found>
  void find_outcomes(const std::uint64_t* words, std::uint32_t action, Found& found) const;
  template <class Found>
  void find_conditional(const std::uint64_t* words, std::uint32_t action, Scratch& scratch,
                        Found& found) const;
  /// Variants of a disjunctive precondition may overlap, but then they do the same.
  bool is_repeated(std::uint32_t action, Scratch& scratch) const {
    const std::uint32_t label = task_.actions[action].label;
    if (variants_[label] == 1) return false;
    return std::exchange(scratch.emitted_[label], scratch.expansion_) == scratch.expansion_;
  }

  task::Task task_;
  task::StateLayout layout_;
  task::SuccessorGenerator generator_;
  task::StateRegistry states_;
  StateId initial_;
  std::vector<std::vector<task::PackedFacts>> goal_;  // a disjunction
  std::vector<std::size_t> first_outcome_;            // by action, with a sentinel
  std::vector<CompiledOutcome> outcomes_;
  std::vector<task::PackedFacts> effects_;
  ConditionalOutcomes conditional_;
  std::vector<std::uint32_t> variants_;  // by label: how many actions have it
  Scratch scratch_;                      // of expand()
};

template <class Ids>
void TaskModel::generate(StateId state, Scratch& scratch, Expansion& out, const Ids& ids) const {
  scratch.found_.clear();
  find(state, scratch, AnnouncedOutcomes<Ids>{scratch.found_, ids});
  scratch.found_.write(out, ids);
}

template <class Found>
void TaskModel::find(StateId state, Scratch& scratch, Found&& found) const {
  ++scratch.expansion_;
  const std::uint64_t* words = states_[state].data();
  scratch.applicable_.clear();
  generator_.collect(words, scratch.applicable_);
  // The order of the text, whatever the shape of the decision tree.
  std::sort(scratch.applicable_.begin(), scratch.applicable_.end());
  for (const std::uint32_t action : scratch.applicable_) {
    if (is_repeated(action, scratch)) continue;
    if (conditional_.has(action))
      find_conditional(words, action, scratch, found);
    else
      find_outcomes(words, action, found);
  }
}

template <class Found>
void TaskModel::find_outcomes(const std::uint64_t* words, std::uint32_t action,
                              Found& found) const {
  found.begin_action(ActionId(action));
  for (std::size_t i = first_outcome_[action]; i < first_outcome_[action + 1]; ++i) {
    write_successor(words, outcomes_[i], found.next_successor());
    found.add(outcomes_[i].probability);
  }
}

template <class Found>
void TaskModel::find_conditional(const std::uint64_t* words, std::uint32_t action, Scratch& scratch,
                                 Found& found) const {
  OutcomeList<double>& outcomes = scratch.outcomes_;
  conditional_.find(action, words, outcomes);
  if (outcomes.stays_in(words)) return;
  found.begin_action(ActionId(action));
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    outcomes.apply(i, words, found.next_successor());
    found.add(outcomes.probability(i));
  }
}

std::shared_ptr<TaskModel> make_task_model(task::Task task);

}  // namespace carl

#endif
