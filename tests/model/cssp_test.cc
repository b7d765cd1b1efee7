#include "carl/cssp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "carl/error.h"
#include "model/explicit_model.h"

namespace carl {
namespace {

using ::testing::ElementsAre;

/// One state with a fast action that costs money, a slow one that does not, and eight more.
std::shared_ptr<Model> commute(std::vector<Bound> bounds = {},
                               std::optional<std::vector<double>> give_up = {}) {
  ExplicitBuilder builder({{"time", "price"}, std::move(bounds), std::move(give_up)});
  builder.add_action("home", "taxi", {1, 30}, {{1, "work"}});
  builder.add_action("home", "walk", {3, 0}, {{0.5, "work"}, {0.5, "home"}});
  for (const char* name : {"c", "d", "e", "f", "g", "h", "i", "j"})
    builder.add_action("home", name, {5, 1}, {{1, "work"}});
  builder.add_goal(builder.state("work"));
  return builder.build(builder.state("home"));
}

std::vector<std::string> action_names(Cssp& cssp) {
  Expansion expansion;
  cssp.expand(cssp.initial_state(), expansion);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < expansion.num_actions(); ++i)
    names.push_back(cssp.action_name(expansion.action(i)));
  return names;
}

std::string complaint(const CsspOptions& options) {
  try {
    Cssp cssp(commute(), options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "fine";
}

TEST(Cssp, HasTheIdsOfTheModel) {
  Cssp cssp(commute());
  EXPECT_EQ(cssp.initial_state(), StateId(0));
  EXPECT_EQ(cssp.num_states(), 2U);
  EXPECT_EQ(cssp.num_costs(), 2U);
  EXPECT_EQ(cssp.state_name(StateId(0)), "home");
  EXPECT_FALSE(cssp.can_give_up());
  Expansion expansion;
  cssp.expand(cssp.initial_state(), expansion);
  ASSERT_EQ(expansion.num_actions(), 10U);
  EXPECT_EQ(expansion.action(1), ActionId(1));
  EXPECT_THAT(expansion.successors(1), ElementsAre(StateId(1), StateId(0)));
  EXPECT_THAT(expansion.probabilities(1), ElementsAre(0.5, 0.5));
  EXPECT_THAT(cssp.cost(ActionId(0)), ElementsAre(1, 30));
  EXPECT_TRUE(cssp.is_goal(StateId(1)));
  EXPECT_FALSE(cssp.is_goal(StateId(0)));
}

TEST(Cssp, GivingUpIsOneMoreActionThatEndsTheRun) {
  Cssp cssp(commute({}, {{500.0, 10.0}}));
  EXPECT_TRUE(cssp.can_give_up());
  Expansion expansion;
  cssp.expand(cssp.initial_state(), expansion);
  ASSERT_EQ(expansion.num_actions(), 11U);
  EXPECT_EQ(expansion.action(10), Cssp::give_up_action);
  EXPECT_TRUE(expansion.successors(10).empty());
  EXPECT_TRUE(expansion.probabilities(10).empty());
  EXPECT_EQ(cssp.num_states(), 2U);
  EXPECT_TRUE(cssp.is_goal(Cssp::given_up));
  EXPECT_THAT(cssp.cost(Cssp::give_up_action), ElementsAre(500, 10));
  EXPECT_EQ(cssp.action_name(Cssp::give_up_action), "(give-up)");
  EXPECT_EQ(cssp.state_name(Cssp::given_up), "(given-up)");
}

TEST(Cssp, PenaltiesAreReplacedAsAWhole) {
  CsspOptions options;
  options.give_up.emplace();
  options.give_up->emplace_back("price", 7.0);
  Cssp cssp(commute({}, {{500.0, 10.0}}), options);
  EXPECT_THAT(*cssp.give_up_penalty(), ElementsAre(0, 7));
}

TEST(Cssp, BoundsAreReplacedOrAdded) {
  CsspOptions options;
  options.bounds = {{"price", 4}, {"time", 9}, {"price", 5}};
  const Cssp cssp(commute({{1, 12}}), options);
  ASSERT_EQ(cssp.bounds().size(), 2U);
  EXPECT_EQ(cssp.bounds()[0].cost, 1U);
  EXPECT_EQ(cssp.bounds()[0].upper, 5);
  EXPECT_EQ(cssp.bounds()[1].cost, 0U);
  EXPECT_EQ(cssp.bounds()[1].upper, 9);
  EXPECT_EQ(cssp.constraints().size(), 2U);
}

TEST(Cssp, AnInfiniteBoundIsNone) {
  CsspOptions options;
  options.bounds = {{"price", std::numeric_limits<double>::infinity()},
                    {"time", std::numeric_limits<double>::infinity()}};
  const Cssp cssp(commute({{1, 0}}), options);
  EXPECT_TRUE(cssp.bounds().empty());
  EXPECT_TRUE(cssp.constraints().empty());
}

TEST(Cssp, ZeroBoundsForbidActionsInsteadOfConstraining) {
  Cssp cssp(commute({{1, 0}, {0, 100}}));
  EXPECT_THAT(action_names(cssp), ElementsAre("walk"));
  EXPECT_EQ(cssp.forbidden_pairs(), 9U);
  ASSERT_EQ(cssp.constraints().size(), 1U);
  EXPECT_EQ(cssp.constraints()[0].cost, 0U);
  EXPECT_EQ(cssp.bounds().size(), 2U);
}

TEST(Cssp, ZeroBoundsMayForbidGivingUp) {
  Cssp expensive(commute({{1, 0}}, {{500.0, 10.0}}));
  EXPECT_FALSE(expensive.can_give_up());
  EXPECT_THAT(action_names(expensive), ElementsAre("walk"));
  Cssp free(commute({{1, 0}}, {{500.0, 0.0}}));
  EXPECT_TRUE(free.can_give_up());
  EXPECT_THAT(action_names(free), ElementsAre("walk", "(give-up)"));
}

TEST(Cssp, ForbiddenActionsCanBeKept) {
  CsspOptions options;
  options.remove_forbidden_actions = false;
  Cssp cssp(commute({{1, 0}}), options);
  EXPECT_EQ(action_names(cssp).size(), 10U);
  EXPECT_EQ(cssp.constraints().size(), 1U);
}

TEST(Cssp, SeedsShuffleTheActions) {
  const auto shuffled = [](std::uint64_t seed) {
    CsspOptions options;
    options.seed = seed;
    Cssp cssp(commute({}, {{500.0, 10.0}}), options);
    return action_names(cssp);
  };
  EXPECT_EQ(shuffled(0).front(), "taxi");
  EXPECT_EQ(shuffled(0).back(), "(give-up)");
  EXPECT_EQ(shuffled(1), shuffled(1));
  EXPECT_NE(shuffled(1), shuffled(0));
  EXPECT_NE(shuffled(1), shuffled(2));
  EXPECT_THAT(shuffled(1), ::testing::UnorderedElementsAreArray(shuffled(0)));
}

TEST(Cssp, ShufflingKeepsEachActionsOutcomes) {
  CsspOptions options;
  options.seed = 5;
  Cssp cssp(commute(), options);
  Expansion expansion;
  cssp.expand(cssp.initial_state(), expansion);
  for (std::size_t i = 0; i < expansion.num_actions(); ++i)
    EXPECT_EQ(expansion.successors(i).size(),
              cssp.action_name(expansion.action(i)) == "walk" ? 2U : 1U);
}

TEST(Cssp, ShufflesStatesIndependently) {
  ExplicitBuilder builder({{"time"}, {}, {}});
  for (int s = 0; s < 50; ++s)
    for (int a = 0; a < 2; ++a)
      builder.add_action("s" + std::to_string(s), std::to_string(a), {1}, {{1, "g"}});
  CsspOptions options;
  options.seed = 1;
  Cssp cssp(builder.build(builder.state("s0")), options);
  Expansion expansion;
  int swapped = 0;
  for (int s = 0; s < 50; ++s) {
    cssp.expand(*dynamic_cast<ExplicitModel&>(cssp.model()).find_state("s" + std::to_string(s)),
                expansion);
    if (expansion.action(0) > expansion.action(1)) ++swapped;
  }
  EXPECT_GT(swapped, 10);
  EXPECT_LT(swapped, 40);
}

TEST(Cssp, RejectsWrongOptions) {
  CsspOptions unknown;
  unknown.bounds = {{"fuel", 1}};
  EXPECT_EQ(complaint(unknown),
            "error: `bounds`: there is no cost named 'fuel'\n  hint: the costs are: time, price");
  CsspOptions negative;
  negative.bounds = {{"price", -1}};
  EXPECT_EQ(complaint(negative),
            "error: `bounds price=-1`: the number is -1, but must not be negative");
  CsspOptions penalty;
  penalty.give_up = {{"fuel", 1}};
  EXPECT_EQ(complaint(penalty),
            "error: `give_up`: there is no cost named 'fuel'\n  hint: the costs are: time, price");
  CsspOptions huge;
  huge.give_up = {{"price", 1e300}};
  EXPECT_EQ(complaint(huge),
            "error: `give_up price=1e+300`: the number is 1e+300, but must not be above 1e+15\n"
            "  hint: larger numbers cannot be added up accurately; use a larger unit");
}

TEST(Cssp, OutcomeCostsAreThoseOfTheModelAndGivingUpCostsThePenalties) {
  ExplicitBuilder builder({{"time"}, {}, {{9.0}}});
  const StateId home = builder.state("home");
  builder.add_goal(builder.state("work"));
  builder.add_outcome(0.5, home, std::vector<double>{1});
  builder.add_outcome(0.5, builder.state("work"), std::vector<double>{3});
  builder.add_action(home, "walk", std::vector<double>{2});
  Cssp cssp(builder.build(home));
  Expansion expansion;
  cssp.expand(cssp.initial_state(), expansion);
  OutcomeCosts outcomes;
  ASSERT_TRUE(cssp.outcome_costs(cssp.initial_state(), expansion.action(0), outcomes));
  EXPECT_EQ(cssp.state_name(outcomes.successor(0)), "home");
  EXPECT_EQ(cssp.state_name(outcomes.successor(1)), "work");
  EXPECT_THAT(outcomes.cost(1), ElementsAre(3));
  EXPECT_FALSE(cssp.outcome_costs(cssp.initial_state(), Cssp::give_up_action, outcomes));
  EXPECT_EQ(outcomes.size(), 0U);
}

TEST(Cssp, WhatIsLostOfARewardIsCalledThat) {
  ExplicitBuilder builder({{"reward", "time"}, {}, {}, {true, false}});
  builder.add_action("a", "go", {1, 1}, {{1, "g"}});
  builder.add_goal(builder.state("g"));
  const Cssp cssp(builder.build(builder.state("a")));
  EXPECT_TRUE(cssp.is_reward(0));
  EXPECT_FALSE(cssp.is_reward(1));
  EXPECT_EQ(cssp.cost_label(0), "lost reward");
  EXPECT_EQ(cssp.cost_label(1), "time");
}

}  // namespace
}  // namespace carl
