#include "model/explicit_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace carl {
namespace {

using ::testing::ElementsAre;

CostModel two_costs() {
  return {{"time", "price"}, {}, {}};
}

template <class Check>
std::string complaint(Check check) {
  try {
    check();
  } catch (const InputError& error) {
    return error.message();
  }
  return "fine";
}

TEST(ExplicitModel, GroupsActionsByStateInTheOrderOfAdding) {
  ExplicitModelBuilder builder(two_costs());
  builder.add_action("a", "go", {1, 0}, {{0.5, "b"}, {0.5, "g"}});
  builder.add_action("b", "go", {2, 1}, {{1, "g"}});
  builder.add_action("a", "run", {1, 0}, {{1, "b"}});
  builder.add_goal(builder.state("g"));
  const auto model = builder.build(builder.state("a"));

  const StateId a = *model->find_state("a");
  const StateId b = *model->find_state("b");
  const StateId g = *model->find_state("g");
  EXPECT_EQ(model->initial_state(), a);
  EXPECT_EQ(model->num_states(), 3U);
  EXPECT_TRUE(model->is_goal(g));
  EXPECT_FALSE(model->is_goal(a));
  EXPECT_THAT(model->state_facts(b), ElementsAre("b"));

  Expansion expansion;
  model->expand(a, expansion);
  ASSERT_EQ(expansion.num_actions(), 2U);
  EXPECT_EQ(expansion.action(0), ActionId(0));
  EXPECT_EQ(expansion.action(1), ActionId(2));
  EXPECT_EQ(model->action_name(ActionId(2)), "run");
  EXPECT_THAT(expansion.successors(0), ElementsAre(b, g));
  EXPECT_THAT(expansion.probabilities(0), ElementsAre(0.5, 0.5));
  EXPECT_THAT(expansion.successors(1), ElementsAre(b));
  EXPECT_THAT(model->cost(ActionId(1)), ElementsAre(2, 1));
  model->expand(b, expansion);
  EXPECT_EQ(expansion.num_actions(), 1U);
}

TEST(ExplicitModel, StoresEqualVectorsOnce) {
  ExplicitModelBuilder builder(two_costs());
  builder.add_action("a", "x", {1, 0}, {{0.5, "b"}, {0.5, "c"}});
  builder.add_action("a", "y", {1, -0.0}, {{0.5, "c"}, {0.5, "a"}});
  const auto model = builder.build(builder.state("a"));
  EXPECT_EQ(model->cost(ActionId(0)).data(), model->cost(ActionId(1)).data());
  EXPECT_EQ(model->probabilities(ActionId(0)).data(), model->probabilities(ActionId(1)).data());
}

TEST(ExplicitModel, GoalsAreAbsorbingAndOtherStatesWithoutActionsAreDeadEnds) {
  ExplicitModelBuilder builder(two_costs());
  builder.add_action("g", "leave", {1, 1}, {{1, "dead"}});
  builder.add_goal(builder.state("g"));
  const auto model = builder.build(builder.state("g"));
  Expansion expansion;
  model->expand(*model->find_state("g"), expansion);
  EXPECT_EQ(expansion.num_actions(), 0U);
  model->expand(*model->find_state("dead"), expansion);
  EXPECT_EQ(expansion.num_actions(), 0U);
  EXPECT_FALSE(model->is_goal(*model->find_state("dead")));
}

TEST(ExplicitModel, DropsImpossibleOutcomesButKnowsTheirStates) {
  ExplicitModelBuilder builder(two_costs());
  builder.add_action("a", "x", {1, 0}, {{1, "b"}, {0, "c"}});
  const auto model = builder.build(builder.state("a"));
  EXPECT_THAT(model->successors(ActionId(0)), ElementsAre(*model->find_state("b")));
  EXPECT_TRUE(model->find_state("c").has_value());
}

TEST(ExplicitModel, BoundsAndPenaltiesMayComeLater) {
  ExplicitModelBuilder builder(two_costs());
  builder.set_bounds({{1, 3}});
  builder.set_give_up({9, 0});
  const auto model = builder.build(builder.state("a"));
  EXPECT_EQ(model->cost_model().bounds.front().upper, 3);
  EXPECT_THAT(*model->cost_model().give_up, ElementsAre(9, 0));
}

TEST(ExplicitModel, ComplainsAboutWhatIsWrong) {
  ExplicitModelBuilder builder(two_costs());
  EXPECT_EQ(complaint([&] {
              builder.set_bounds({{2, 3}});
            }),
            "there is a bound on cost number 2, but there are 2 costs");
  EXPECT_EQ(complaint([] { ExplicitModelBuilder(CostModel{}); }), "there are no costs");
  const StateId a = builder.state("a");
  EXPECT_EQ(complaint([&] { builder.add_outcome(1.5, a); }),
            "the probability is 1.5, but must be between 0 and 1");
  builder.add_outcome(0.5, a);
  EXPECT_EQ(complaint([&] { builder.add_outcome(0.5, a); }),
            "there are two outcomes that lead to 'a'");
  EXPECT_EQ(complaint([&] { builder.normalise_outcomes(); }), "probabilities sum to 0.5, not 1");
  EXPECT_EQ(complaint([&] {
              builder.add_action(a, "x", std::vector<double>{1, 2});
            }),
            "probabilities sum to 0.5, not 1");
  EXPECT_EQ(complaint([&] { builder.add_action(a, "x", std::vector<double>{1}); }),
            "the number of costs is 1, but must be 2");
  EXPECT_EQ(complaint([&] {
              builder.add_action(a, "(give-up)", std::vector<double>{1, 2});
            }),
            "'(give-up)' cannot be the name of an action");
}

TEST(ExplicitModel, FindsTheFirstDuplicateAction) {
  ExplicitModelBuilder builder(two_costs());
  for (const char* state : {"a", "b", "g"})
    builder.add_action(state, "x", {1, 0}, {{1, "g"}});
  builder.add_action("g", "x", {1, 0}, {{1, "g"}});
  builder.add_action("b", "y", {1, 0}, {{1, "g"}});
  builder.add_action("a", "x", {1, 0}, {{1, "g"}});
  builder.add_goal(builder.state("g"));
  try {
    builder.build(builder.state("a"));
    FAIL();
  } catch (const DuplicateAction& duplicate) {
    EXPECT_EQ(duplicate.first(), ActionId(2));
    EXPECT_EQ(duplicate.second(), ActionId(3));
    EXPECT_EQ(duplicate.message(), "state 'g' has two actions named 'x'");
  }
}

TEST(ExplicitModel, FindsTheFirstDuplicateActionWhateverTheOrderOfStates) {
  ExplicitModelBuilder builder(two_costs());
  for (const char* state : {"a", "b", "a", "b"})
    builder.add_action(state, "x", {1, 0}, {{1, "g"}});
  try {
    builder.build(builder.state("a"));
    FAIL();
  } catch (const DuplicateAction& duplicate) {
    EXPECT_EQ(duplicate.first(), ActionId(0));
    EXPECT_EQ(duplicate.second(), ActionId(2));
  }
}

TEST(ExplicitModel, OutcomesThatDifferInCostAreMergedForPlanning) {
  ExplicitModelBuilder builder(two_costs());
  const StateId a = builder.state("a");
  const StateId g = builder.state("g");
  builder.add_goal(g);
  const auto add = [&](double probability, StateId to, std::vector<double> cost) {
    builder.add_outcome(probability, to, cost);
  };
  const std::vector<double> expected{1, 2};
  add(0.1, a, {1, 8});
  add(0.7, g, {1, 0});
  add(0, a, {7, 7});
  add(0.2, a, {1, 6});
  builder.add_action(a, "try", expected);
  add(0.5, g, {1, 2});  // nothing to tell apart
  add(0.5, g, {});
  builder.add_action(a, "same", expected);
  builder.add_action("a", "plain", {1, 2}, {{1, "g"}});
  add(0.5, a, {1, 4});
  add(0.5, a, {1, 0});
  builder.add_action(a, "wait", expected);
  const auto model = builder.build(a);

  EXPECT_THAT(model->successors(ActionId(0)), ElementsAre(a, g));
  EXPECT_THAT(model->probabilities(ActionId(0)), ElementsAre(0.3, 0.7));  // 0.1 + 0.2 as written
  EXPECT_THAT(model->probabilities(ActionId(1)), ElementsAre(1));
  EXPECT_THAT(model->probabilities(ActionId(3)), ElementsAre(1));
  EXPECT_THAT(model->cost(ActionId(0)), ElementsAre(1, 2));
  OutcomeCosts outcomes;
  ASSERT_TRUE(model->outcome_costs(a, ActionId(0), outcomes));
  ASSERT_EQ(outcomes.size(), 3U);
  EXPECT_EQ(outcomes.successor(2), a);
  EXPECT_EQ(outcomes.probability(2), 0.2);
  EXPECT_THAT(outcomes.cost(0), ElementsAre(1, 8));
  EXPECT_THAT(outcomes.cost(2), ElementsAre(1, 6));
  EXPECT_FALSE(model->outcome_costs(a, ActionId(1), outcomes));
  EXPECT_FALSE(model->outcome_costs(a, ActionId(2), outcomes));
  EXPECT_EQ(outcomes.size(), 0U);
  ASSERT_TRUE(model->outcome_costs(a, ActionId(3), outcomes));
  EXPECT_EQ(outcomes.size(), 2U);
}

TEST(ExplicitModel, OutcomesCostWhatTheActionDoesOnAverage) {
  const auto with = [](double price) {
    return complaint([&] {
      ExplicitModelBuilder builder(two_costs());
      const StateId a = builder.state("a");
      builder.add_outcome(0.5, a, std::vector<double>{1, 0});
      builder.add_outcome(0.5, a, std::vector<double>{1, 2});
      builder.add_action(a, "go", std::vector<double>{1, price});
    });
  };
  EXPECT_EQ(with(1), "fine");
  EXPECT_EQ(with(1 + 0.9e-9), "fine");
  EXPECT_EQ(with(1 + 2e-9),
            "the outcomes cost 1 of 'price' on average, but the action costs 1.000000002");
  EXPECT_EQ(with(0), "the outcomes cost 1 of 'price' on average, but the action costs 0");
}

}  // namespace
}  // namespace carl
