// The short way to write a model of one's own in C++: a class that says what a state is, where to
// begin, what the goals are and what can be done in a state.
//
//   struct Walk {
//     using State = int;
//     carl::CostModel cost_model() const { return {{"time", "risk"}, {{1, 0.2}}, {}}; }
//     State initial() const { return 0; }
//     bool is_goal(const State& place) const { return place == 3; }
//     void actions(const State& place, carl::ActionSink<State>& out) const {
//       out.action("walk", {2, 0}).outcome(1.0, place + 1);
//       out.action("climb", {1, 0.1}).outcome(0.9, place + 1).outcome(0.1, 0);
//     }
//     std::string state_name(const State& place) const { return std::to_string(place); }
//   };
//   std::shared_ptr<carl::Model> model = carl::make_model(Walk{});
//
// The cost of an action is what it costs in expectation. Where its outcomes differ in cost, each
// may say what it costs itself, which simulations then tell apart:
//
//       out.action("climb", {1, 0.1}).outcome(0.9, place + 1, {1, 0}).outcome(0.1, 0, {1, 1});
//
// Only what an algorithm asks for is ever computed, so the state space may be large or infinite.
// Whoever needs other data structures derives from carl::Model instead.
#ifndef CARL_USER_MODEL_H
#define CARL_USER_MODEL_H

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "carl/ids.h"
#include "carl/model.h"

namespace carl {

/// A hash of several values, for the hash() of a state with several members.
template <class... Values>
std::size_t hash_values(const Values&... values) {
  std::size_t hash = 0;
  // The golden-ratio step of Boost's hash_combine, with its 64-bit constant.
  ((hash ^=
    std::hash<Values>()(values) + std::size_t{0x9E3779B97F4A7C15U} + (hash << 6) + (hash >> 2)),
   ...);
  return hash;
}

/// A state needs operator== and either std::hash or a member `std::size_t hash() const`.
template <class State>
concept UserState = std::copyable<State> && std::equality_comparable<State> &&(
    requires(const State& state) {
      { state.hash() } -> std::convertible_to<std::size_t>;
    } ||
    requires(const State& state) {
      { std::hash<State>()(state) } -> std::convertible_to<std::size_t>;
    });

/// The part of a user's model that does not depend on the type of its states: it numbers actions,
/// and checks everything the description says. Its functions are in libcarl.
class UserModelBase : public Model {
 public:
  ~UserModelBase() override;
  const CostModel& cost_model() const final { return costs_; }
  /// Throws InputError, naming state and action, if the description is wrong there.
  void expand(StateId state, Expansion& out) final;
  std::span<const double> cost(ActionId action) const final;
  bool outcome_costs(StateId state, ActionId action, OutcomeCosts& out) final;
  std::string action_name(ActionId action) const final;

  /// What ActionSink and OutcomeSink write to; returns how many actions there are now.
  std::size_t begin_action(std::string_view name, std::span<const double> cost);
  /// An empty cost is that of the action.
  void add_outcome(std::size_t action, double probability, StateId successor,
                   std::span<const double> cost = {});

 protected:
  explicit UserModelBase(CostModel costs);
  virtual void list_actions(StateId state) = 0;

 private:
  void end_action();
  void keep_outcomes_apart();

  struct Actions;  // the actions seen so far, and the ones being listed
  CostModel costs_;
  std::unique_ptr<Actions> actions_;
};

namespace detail {

template <class State>
struct StateHash {
  std::size_t operator()(const State& state) const {
    if constexpr (requires { state.hash(); })
      return state.hash();
    else
      return std::hash<State>()(state);
  }
};

/// Numbers states in the order in which they are discovered.
template <class State>
class StateTable {
 public:
  StateId id(State state) {
    const auto [entry, is_new] = ids_.try_emplace(std::move(state), states_.size());
    if (is_new) states_.push_back(&entry->first);
    return entry->second;
  }
  const State& operator[](StateId id) const { return *states_[id.index()]; }
  std::size_t size() const { return states_.size(); }

 private:
  std::unordered_map<State, StateId, StateHash<State>> ids_;
  std::vector<const State*> states_;  // the keys of ids_, which stay where they are
};

}  // namespace detail

/// Takes the outcomes of one action. Outcomes that lead to equal states are added up for planning;
/// for simulations they stay apart if they differ in cost.
template <class State>
class OutcomeSink {
 public:
  OutcomeSink(UserModelBase& model, detail::StateTable<State>& states, std::size_t action)
      : model_(model), states_(states), action_(action) {}

  OutcomeSink& outcome(double probability, State successor) {
    model_.add_outcome(action_, probability, states_.id(std::move(successor)));
    return *this;
  }
  /// An outcome with one cost for each cost of the model; without them it costs what the action
  /// does. The average over all outcomes must be the cost of the action (up to 1e-9, relatively).
  OutcomeSink& outcome(double probability, State successor, std::span<const double> cost) {
    model_.add_outcome(action_, probability, states_.id(std::move(successor)), cost);
    return *this;
  }
  OutcomeSink& outcome(double probability, State successor, std::initializer_list<double> cost) {
    return outcome(probability, std::move(successor),
                   std::span<const double>(cost.begin(), cost.size()));
  }

 private:
  UserModelBase& model_;
  detail::StateTable<State>& states_;
  std::size_t action_;
};

/// Takes the actions that are applicable in one state.
template <class State>
class ActionSink {
 public:
  ActionSink(UserModelBase& model, detail::StateTable<State>& states)
      : model_(model), states_(states) {}

  /// An action with one cost for each cost of the model. All its outcomes come before the next
  /// action; their probabilities sum to one.
  OutcomeSink<State> action(std::string_view name, std::span<const double> cost) {
    return {model_, states_, model_.begin_action(name, cost)};
  }
  OutcomeSink<State> action(std::string_view name, std::initializer_list<double> cost) {
    return action(name, std::span<const double>(cost.begin(), cost.size()));
  }

 private:
  UserModelBase& model_;
  detail::StateTable<State>& states_;
};

template <class Description>
concept ModelDescription = UserState<typename Description::State> &&
    requires(const Description& description, const typename Description::State& state,
             ActionSink<typename Description::State>& out) {
  { description.cost_model() } -> std::convertible_to<CostModel>;
  { description.initial() } -> std::convertible_to<typename Description::State>;
  { description.is_goal(state) } -> std::convertible_to<bool>;
  description.actions(state, out);
  { description.state_name(state) } -> std::convertible_to<std::string>;
};

template <ModelDescription Description>
class UserModel final : public UserModelBase {
 public:
  using State = typename Description::State;

  explicit UserModel(Description description)
      : UserModelBase(description.cost_model()), description_(std::move(description)) {}

  StateId initial_state() override { return states_.id(description_.initial()); }
  bool is_goal(StateId state) const override { return description_.is_goal(states_[state]); }
  std::size_t num_states() const override { return states_.size(); }
  std::vector<std::string> state_facts(StateId state) const override {
    return {description_.state_name(states_[state])};
  }
  std::size_t state_bytes() const override {
    return states_.size() * (sizeof(State) + sizeof(StateId) + 4 * sizeof(void*));
  }
  const State& state(StateId id) const { return states_[id]; }

 private:
  void list_actions(StateId state) override {
    ActionSink<State> out(*this, states_);
    description_.actions(states_[state], out);
  }

  Description description_;
  detail::StateTable<State> states_;
};

template <ModelDescription Description>
std::shared_ptr<UserModel<Description>> make_model(Description description) {
  return std::make_shared<UserModel<Description>>(std::move(description));
}

}  // namespace carl

#endif
