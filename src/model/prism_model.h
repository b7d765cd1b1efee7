// The model of a PRISM program. States are packed words in a registry, as those of a PPDDL task are;
// a state is expanded when somebody asks for it, and only then.
//
// An action of the planner is a choice in a state with what it costs. It is called as the action of
// its commands; where several choices have the same action, the commands follow: "go(robot.2,
// door.1)" is the second command of module robot with the first of module door. A command without
// action is called robot.2. In a Markov chain (dtmc) there is one choice, "step".
#ifndef CARL_MODEL_PRISM_MODEL_H
#define CARL_MODEL_PRISM_MODEL_H

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "carl/model.h"
#include "model/concurrent_model.h"
#include "model/found_outcomes.h"
#include "model/prism_commands.h"
#include "model/prism_rewards.h"
#include "model/state_formulas.h"
#include "model/state_labels.h"
#include "prism/description.h"
#include "task/state_registry.h"

namespace carl {

class PrismModel final : public Model,
                         public StateLabels,
                         public StateFormulas,
                         public ConcurrentModel {
 public:
  /// `goal` is a condition on states; without one no state is a goal, which is worth a warning if
  /// one was wanted. Throws InputError.
  PrismModel(prism::Description description, std::optional<prism::TypedExpression> goal,
             bool wants_goal = false);
  ~PrismModel() override;

  const CostModel& cost_model() const override { return costs_; }
  StateId initial_state() override { return initial_; }
  bool is_goal(StateId state) const override;
  /// Throws InputError, with the place and the state, if the program is wrong there.
  void expand(StateId state, Expansion& out) override;
  std::span<const double> cost(ActionId action) const override;
  std::size_t num_states() const override { return states_.size(); }
  bool factored() const override { return true; }
  /// "x=3" for each variable, sorted.
  std::vector<std::string> state_facts(StateId state) const override;
  std::string action_name(ActionId action) const override;
  std::vector<std::pair<std::string, std::string>> figures() const override;
  std::vector<std::string> notes() const override { return description_.notes; }
  std::vector<std::string> warnings() const override;
  bool has_cost(std::size_t cost) const override { return rewards_.has_any(cost); }
  std::size_t state_bytes() const override { return states_.bytes(); }
  const StateLabels* labels() const override { return this; }

  ConcurrentModel* concurrent_model() override { return this; }
  std::unique_ptr<Room> make_room() const override;
  task::StateRegistry& registry() override { return states_; }
  std::size_t num_known_actions() const override;
  void generate(StateId state, Room& room, Findings& out) const override;
  bool is_goal(StateId state, Room& room) const override;
  ActionId learn(FreshActions::Key key, std::span<const double> cost) override;

  // StateLabels: those of the text.
  std::vector<std::string> names() const override;
  bool holds(std::size_t label, StateId state) const override;

  // StateFormulas: those that the program's own names can be used in.
  const prism::Scope& scope() const override { return *description_.scope; }
  std::function<bool(StateId)> predicate(const prism::TypedExpression& formula) override;

 private:
  /// Commands that happen at the same time: for each module that takes part, those of which one is
  /// chosen.
  struct Synchronisation {
    std::uint32_t action;
    std::vector<std::vector<std::uint32_t>> parts;
    std::uint32_t plain_name;  // of its choices if there is one only
  };
  struct Possible;
  struct Actions;  // the choices seen so far
  class Scratch;   // room that is reused from one expansion to the next

  void add_synchronisations();
  const std::int64_t* unpack(StateId state) const;
  bool holds_in(const PrismCondition& condition, const std::int64_t* values) const;
  bool is_deadlock(const std::int64_t* values) const;
  bool is_enabled(std::uint32_t command, const std::int64_t* values) const;
  [[noreturn]] void fail_too_many(const char* what, const PrismCommand& command,
                                  const std::int64_t* values) const;
  /// What can be done in a state, for whom FoundOutcomes or FoundBlock stands. The ids of actions are
  /// what get_action(key, cost) says.
  template <class Found, class GetAction>
  void find(StateId state, Scratch& scratch, Found&& found, const GetAction& get_action) const;
  template <class Found, class GetAction>
  void find_mdp(StateId state, Scratch& scratch, Found& found, const GetAction& get_action) const;
  template <class Found, class GetAction>
  void find_dtmc(StateId state, Scratch& scratch, Found& found, const GetAction& get_action) const;
  template <class Found>
  void add_outcomes(const PrismOutcomes& outcomes, double factor, Found& found) const;
  void find_possible(Scratch& scratch) const;
  bool add_enabled_parts(const Synchronisation& synchronisation, Scratch& scratch) const;
  /// Calls visit() for every choice of one enabled command of each part.
  template <class Visit>
  void for_each_choice(const Possible& possible, Scratch& scratch, const Visit& visit) const;
  /// What the chosen commands lead to, together.
  const PrismOutcomes& outcomes_of(StateId state, Scratch& scratch) const;
  std::uint32_t name_of(FreshActions::Key key);
  std::string detailed_name(FreshActions::Key key) const;

  prism::Description description_;
  PrismLayout layout_;
  PrismRewards rewards_;
  CostModel costs_;
  std::vector<PrismCommand> commands_;
  std::vector<Synchronisation> synchronisations_;
  std::vector<PrismCondition> labels_;
  std::optional<PrismCondition> goal_;
  bool wants_goal_;
  task::StateRegistry states_;
  StateId initial_;
  std::unique_ptr<Actions> actions_;

  std::unique_ptr<Scratch> scratch_;          // of expand()
  mutable std::vector<std::int64_t> values_;  // of the variables, then "init" and "deadlock"
};

/// The model with this label as its goal, and this reward structure first. An empty label: "goal",
/// or else "target"; without has_goal: none. Throws InputError, OptionError.
std::shared_ptr<PrismModel> make_prism_model(prism::Description description, std::string_view goal,
                                             bool has_goal);

}  // namespace carl

#endif
