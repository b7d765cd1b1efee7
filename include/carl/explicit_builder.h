// Builds a model that is written out state by state, from C++ or from arrays. States are numbers
// counted from 0, or names; actions may have names too.
//
//   carl::ExplicitBuilder builder({{"time", "fuel"}, {{1, 12.0}}, {}});
//   builder.add_states(3);
//   builder.add_outcome(0.9, carl::StateId(1));
//   builder.add_outcome(0.1, carl::StateId(2));
//   builder.add_action(carl::StateId(0), "fly", {1, 3});
//   builder.add_goal(carl::StateId(2));
//   …
//   std::shared_ptr<carl::Model> model = builder.build(carl::StateId(0));
//
// All that is given is checked as the files are that `carl` reads, when it is given: an InputError
// says what is wrong, and the builder is of no use after it.
#ifndef CARL_EXPLICIT_BUILDER_H
#define CARL_EXPLICIT_BUILDER_H

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carl/error.h"
#include "carl/model.h"

namespace carl {

class ExplicitModel;

using ActionName = Id<struct ActionNameTag>;

/// Two actions of one state have the same name. The ids are those that add_action() returned.
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

/// All transitions of some states in compressed rows: the pairs of the i-th state are those from
/// first_pair[i] to before first_pair[i + 1], the outcomes of pair p those from first_outcome[p] to
/// before first_outcome[p + 1].
struct TransitionArrays {
  std::span<const std::uint64_t> first_pair;       // one more than states
  std::span<const std::uint64_t> first_outcome;    // one more than pairs
  std::span<const double> probabilities;           // by outcome
  std::span<const std::uint32_t> successors;       // by outcome: numbers of states
  std::span<const double> costs;                   // by pair, then by cost
  std::span<const std::string> action_names = {};  // by pair; empty: none has a name
};

class ExplicitBuilder {
 public:
  explicit ExplicitBuilder(CostModel costs);
  void set_bounds(std::vector<Bound> bounds);
  void set_give_up(std::vector<double> penalty);
  /// See CostModel::rewards.
  void set_rewards(std::vector<bool> rewards);
  /// What is asked for beyond expected costs, see problem.h.
  void set_guarantees(std::vector<Guarantee> guarantees);
  void set_goal_probability(const GoalProbability& probability);

  /// So many states more, known by their numbers.
  void add_states(std::size_t count);
  /// Only these have all their transitions: see Model::share().
  void set_share(const StateRange& states);
  /// Names for all states that were added by number, all different.
  void name_states(std::span<const std::string> names);
  /// The state of this name, which is new if the name is. For states that were not added by number.
  StateId state(std::string_view name);
  std::optional<StateId> find_state(std::string_view name) const;
  void add_goal(StateId state);
  /// A name for a set of states: those with an entry that is true. The name must be new.
  void add_label(std::string name, std::vector<bool> states);

  /// An outcome of the action that is added next. Impossible outcomes are dropped.
  void add_outcome(double probability, StateId successor);
  /// The same for outcomes that differ in cost, and may lead to the same state. An empty cost is
  /// that of the action. An action has outcomes of one kind only.
  void add_outcome(double probability, StateId successor, std::span<const double> cost);
  /// Checks and scales the outcomes added since the last action; add_action() does it anyway.
  void normalise_outcomes();
  /// Makes an action of the outcomes added since the last one. Returns how many were added before
  /// it; in the model actions are numbered anew, state by state.
  ActionId add_action(StateId state, std::string_view name, std::span<const double> cost);
  ActionId add_action(StateId state, std::string_view name, std::initializer_list<double> cost) {
    return add_action(state, name, std::span(cost.begin(), cost.size()));
  }
  /// One without a name: it is called a0, a1, … by its place among the actions of its state.
  ActionId add_action(StateId state, std::span<const double> cost);

  /// The name of many actions, looked up once. Throws InputError if no action may be named so.
  ActionName action_name(std::string_view name);
  /// Valid until the next call.
  std::string_view text_of(ActionName name) const;
  /// An action in one call, for models of many millions. The successors must be distinct, which is
  /// not checked. An invalid name: none.
  ActionId add_action(StateId state, ActionName name, std::span<const double> cost,
                      std::span<const double> probabilities, std::span<const StateId> successors);
  /// Room for so many actions and outcomes, if they are known.
  void reserve(std::size_t actions, std::size_t outcomes);

  struct NamedOutcome {
    double probability;
    std::string_view successor;
  };
  /// The same in one call.
  ActionId add_action(std::string_view state, std::string_view name,
                      std::initializer_list<double> cost,
                      std::initializer_list<NamedOutcome> outcomes);

  /// The states with these transitions, from state `first` on. Successors are numbers of states
  /// that have been added. An InputError names state and action.
  void add_transitions(const TransitionArrays& arrays, StateId first = StateId(0));

  /// The finished model; the builder is empty afterwards. Throws DuplicateAction.
  std::shared_ptr<Model> build(StateId initial);
  /// The same with an initial state that is drawn at random: the outcomes added since the last
  /// action say how. `before` is a state without actions, and no goal, that stands for what comes
  /// before the draw; the draw is an action that costs nothing and is no step.
  std::shared_ptr<Model> build_drawn(StateId before);

 private:
  void require_state(StateId state) const;
  void require_one_kind_of_outcomes(bool of_one_kind) const;
  void merge_outcomes();
  void scale_shares(const std::vector<double>& before);
  bool repeat_action(StateId state, std::span<const double> cost,
                     std::span<const double> probabilities, std::span<const StateId> successors);
  void add_new_action(StateId state, std::span<const double> cost,
                      std::span<const double> probabilities, std::span<const StateId> successors);
  ActionId finish_action(StateId state, std::span<const double> cost);
  void keep_outcomes_apart();
  void group_actions_by_state();
  void name_other_actions();
  void check_duplicate_actions(std::span<const ActionId> order) const;
  void reorder_actions(std::span<const ActionId> order);

  std::shared_ptr<ExplicitModel> model_;

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
  // By state: one more than the last action that led there.
  std::vector<std::uint32_t> last_outcome_;
};

}  // namespace carl

#endif
