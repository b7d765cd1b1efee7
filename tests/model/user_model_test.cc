#include "carl/user_model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <tuple>

#include "carl/error.h"

namespace carl {
namespace {

using ::testing::ElementsAre;

struct Walk {
  struct State {
    int place = 0;
    bool wet = false;
    bool operator==(const State&) const = default;
    std::size_t hash() const { return hash_values(place, wet); }
  };
  CostModel cost_model() const { return {{"time", "risk"}, {{1, 0.2}}, {}}; }
  State initial() const { return {}; }
  bool is_goal(const State& state) const { return state.place == 3; }
  void actions(const State& state, ActionSink<State>& out) const {
    out.action("walk", {2, 0}).outcome(1.0, {state.place + 1, state.wet});
    out.action("climb", {state.wet ? 2.0 : 1.0, 0.1})
        .outcome(0.9, {state.place + 1, state.wet})
        .outcome(0.1, {0, true});
  }
  std::string state_name(const State& state) const {
    return std::to_string(state.place) + (state.wet ? " wet" : "");
  }
};

TEST(UserModel, NumbersStatesAndActionsAsTheyAreMet) {
  const auto model = make_model(Walk{});
  EXPECT_EQ(model->initial_state(), StateId(0));
  EXPECT_EQ(model->num_states(), 1U);
  Expansion expansion;
  model->expand(StateId(0), expansion);
  ASSERT_EQ(expansion.num_actions(), 2U);
  EXPECT_THAT(expansion.successors(0), ElementsAre(StateId(1)));
  EXPECT_THAT(expansion.successors(1), ElementsAre(StateId(1), StateId(2)));
  EXPECT_THAT(expansion.probabilities(1), ElementsAre(0.9, 0.1));
  EXPECT_THAT(model->state_facts(StateId(2)), ElementsAre("0 wet"));
  EXPECT_EQ(model->action_name(ActionId(1)), "climb");
  EXPECT_THAT(model->cost(ActionId(1)), ElementsAre(1, 0.1));

  model->expand(StateId(1), expansion);
  EXPECT_EQ(expansion.action(0), ActionId(0));  // the same action in another state
  EXPECT_EQ(expansion.action(1), ActionId(1));
  model->expand(StateId(2), expansion);
  EXPECT_EQ(expansion.action(1), ActionId(2));  // costs more when wet
  EXPECT_EQ(model->action_name(ActionId(2)), "climb");
  EXPECT_THAT(model->cost(ActionId(2)), ElementsAre(2, 0.1));
}

TEST(UserModel, IsExploredCompletely) {
  const auto model = make_model(Walk{});
  model->initial_state();
  Expansion expansion;
  std::size_t goals = 0;
  for (std::size_t i = 0; i < model->num_states(); ++i) {
    if (model->is_goal(StateId(i)))
      ++goals;
    else
      model->expand(StateId(i), expansion);
  }
  EXPECT_EQ(model->num_states(), 8U);
  EXPECT_EQ(goals, 2U);
}

/// A model over plain integers whose actions the test supplies.
struct Scripted {
  using State = int;
  std::function<void(int, ActionSink<int>&)> script;
  CostModel costs{{"time", "risk"}, {}, {}};

  CostModel cost_model() const { return costs; }
  State initial() const { return 0; }
  bool is_goal(const State& state) const { return state == 9; }
  void actions(const State& state, ActionSink<State>& out) const { script(state, out); }
  std::string state_name(const State& state) const { return "s" + std::to_string(state); }
};

std::string complaint(std::function<void(int, ActionSink<int>&)> script) {
  const auto model = make_model(Scripted{std::move(script)});
  Expansion expansion;
  try {
    model->expand(model->initial_state(), expansion);
  } catch (const InputError& error) {
    return error.what();
  }
  return "fine";
}

TEST(UserModel, OutcomesMayBeAddedInALoopAndAreMerged) {
  const auto model = make_model(Scripted{[](int, ActionSink<int>& out) {
    auto roll = out.action("roll", std::vector<double>{1, 0});
    for (int i = 0; i < 4; ++i)
      roll.outcome(0.25, i % 2);
    roll.outcome(0, 7);
  }});
  Expansion expansion;
  model->expand(model->initial_state(), expansion);
  EXPECT_THAT(expansion.successors(0), ElementsAre(StateId(0), StateId(1)));
  EXPECT_THAT(expansion.probabilities(0), ElementsAre(0.5, 0.5));
}

TEST(UserModel, ErrorsNameStateAndAction) {
  const auto one = [](double cost, double probability) {
    return complaint([=](int, ActionSink<int>& out) {
      out.action("a", {cost, 0}).outcome(probability, 1);
    });
  };
  EXPECT_EQ(one(1, 1), "fine");
  EXPECT_EQ(one(1, 0.9), "error: state 's0', action 'a': probabilities sum to 0.9, not 1");
  EXPECT_EQ(one(1, 1.5),
            "error: state 's0', action 'a': the probability is 1.5, but must be between 0 and 1");
  EXPECT_EQ(one(-1, 1), "error: state 's0', action 'a': the cost is -1, but must not be negative");
  EXPECT_EQ(one(std::numeric_limits<double>::quiet_NaN(), 1),
            "error: state 's0', action 'a': the cost is not a number");
}

TEST(UserModel, FindsOtherMistakesInADescription) {
  EXPECT_EQ(complaint([](int, ActionSink<int>& out) { out.action("a", {1}).outcome(1, 1); }),
            "error: state 's0', action 'a': the number of costs is 1, but must be 2\n"
            "  hint: the costs are: time, risk");
  EXPECT_EQ(complaint([](int, ActionSink<int>& out) {
              out.action("a", {1, 0});
            }),
            "error: state 's0', action 'a': there are no outcomes");
  EXPECT_EQ(complaint([](int, ActionSink<int>& out) {
              out.action("a", {1, 0}).outcome(1, 1);
              out.action("a", {2, 0}).outcome(1, 1);
            }),
            "error: state 's0', action 'a': the state has another action of this name");
  EXPECT_EQ(complaint([](int, ActionSink<int>& out) {
              auto a = out.action("a", {1, 0});
              a.outcome(1, 1);
              out.action("b", {2, 0}).outcome(1, 1);
              a.outcome(1, 1);
            }),
            "error: state 's0', action 'b': the outcomes of an action must come before the next "
            "action");
  EXPECT_EQ(complaint([](int, ActionSink<int>& out) {
              out.action("(give-up)", {1, 0});
            }),
            "error: state 's0', action '(give-up)': '(give-up)' cannot be the name of an action\n"
            "  hint: policies use this name for giving up");
  EXPECT_THROW(make_model(Scripted{{}, {{}, {}, {}}}), InputError);
}

TEST(UserModel, CanGoOnAfterAnError) {
  bool wrong = true;
  const auto model = make_model(Scripted{[&](int, ActionSink<int>& out) {
    out.action("a", {1, 0}).outcome(wrong ? 0.5 : 1, 1);
  }});
  Expansion expansion;
  EXPECT_THROW(model->expand(model->initial_state(), expansion), InputError);
  wrong = false;
  model->expand(model->initial_state(), expansion);
  EXPECT_EQ(expansion.num_actions(), 1U);
  EXPECT_EQ(expansion.num_outcomes(), 1U);
}

TEST(UserModel, AcceptsStatesWithStdHashOrTheirOwn) {
  static_assert(UserState<int>);
  static_assert(UserState<std::string>);
  static_assert(UserState<Walk::State>);
  static_assert(!UserState<std::tuple<int, int>>);
  static_assert(ModelDescription<Walk>);
  static_assert(!ModelDescription<int>);
}

/// Outcomes as "probability successor cost, cost".
std::vector<std::string> texts(const OutcomeCosts& outcomes) {
  std::vector<std::string> result;
  for (std::size_t k = 0; k < outcomes.size(); ++k)
    result.push_back(fmt::format("{} {} {}", outcomes.probability(k), outcomes.successor(k).index(),
                                 fmt::join(outcomes.cost(k), ", ")));
  return result;
}

TEST(UserModel, OutcomesMaySayWhatTheyCost) {
  const auto model = make_model(Scripted{[](int state, ActionSink<int>& out) {
    const double risk = state == 0 ? 0.25 : 0.5;
    out.action("climb", {1, risk})
        .outcome(1 - risk, state + 1, {1, 0})
        .outcome(risk / 2, state + 1, {1, 1})
        .outcome(risk / 2, state, {1, 1});
    out.action("wait", {1, 0}).outcome(1, state, {1, 0});
    out.action("walk", {2, 0.5})
        .outcome(0.5, state, {2, 0.25})
        .outcome(0.25, state + 1)
        .outcome(0.25, 0, std::vector<double>{2, 1});
  }});
  Expansion expansion;
  model->expand(model->initial_state(), expansion);
  EXPECT_THAT(expansion.successors(0), ElementsAre(StateId(1), StateId(0)));
  EXPECT_THAT(expansion.probabilities(0), ElementsAre(0.875, 0.125));
  EXPECT_THAT(model->cost(expansion.action(0)), ElementsAre(1, 0.25));
  const ActionId climb = expansion.action(0);
  const ActionId walk = expansion.action(2);
  OutcomeCosts outcomes;
  EXPECT_FALSE(model->outcome_costs(StateId(0), expansion.action(1), outcomes));
  model->expand(StateId(1), expansion);  // of another state one can still ask
  ASSERT_TRUE(model->outcome_costs(StateId(0), climb, outcomes));
  EXPECT_THAT(texts(outcomes), ElementsAre("0.75 1 1, 0", "0.125 1 1, 1", "0.125 0 1, 1"));
  ASSERT_TRUE(model->outcome_costs(StateId(1), expansion.action(0), outcomes));
  EXPECT_THAT(texts(outcomes), ElementsAre("0.5 2 1, 0", "0.25 2 1, 1", "0.25 1 1, 1"));
  ASSERT_TRUE(model->outcome_costs(StateId(0), walk, outcomes));
  EXPECT_THAT(texts(outcomes), ElementsAre("0.5 0 2, 0.25", "0.25 1 2, 0.5", "0.25 0 2, 1"));
}

TEST(UserModel, OutcomesCostWhatTheActionDoesOnAverage) {
  EXPECT_EQ(complaint([](int, ActionSink<int>& out) {
              out.action("a", {1, 0.1}).outcome(0.5, 1, {1, 0}).outcome(0.5, 2, {1, 1});
            }),
            "error: state 's0', action 'a': the outcomes cost 0.5 of 'risk' on average, but the "
            "action costs 0.1\n"
            "  hint: the cost of an action is the expectation: the sum of probability times cost "
            "over its outcomes");
  EXPECT_EQ(complaint([](int, ActionSink<int>& out) {
              out.action("a", {1, 0.1}).outcome(1, 1, {1});
            }),
            "error: state 's0', action 'a': the number of costs is 1, but must be 2\n"
            "  hint: the costs are: time, risk");
  EXPECT_EQ(complaint([](int, ActionSink<int>& out) {
              out.action("a", {1, 0.1}).outcome(1, 1, {1, -1});
            }),
            "error: state 's0', action 'a': the cost is -1, but must not be negative");
}

}  // namespace
}  // namespace carl
