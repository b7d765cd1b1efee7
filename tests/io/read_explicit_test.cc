#include "io/read_explicit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "carl/error.h"
#include "model/explicit_model.h"

namespace carl::io {
namespace {

using ::testing::ElementsAre;

std::shared_ptr<ExplicitModel> read(std::string text) {
  Monitor monitor;
  return std::dynamic_pointer_cast<ExplicitModel>(
      read_explicit("model.json", std::move(text), monitor));
}

/// A model with these actions and goals.
std::string model_text(const std::string& actions, const std::string& goals = "\"g\"") {
  return "{ \"format\": \"cssp\", \"version\": 1, \"costs\": [\"time\"], \"initial\": \"a\", "
         "\"goals\": [" +
         goals + "], \"actions\": [" + actions + "] }";
}

TEST(ReadExplicit, ReadsEverything) {
  const auto model = read(R"({ "format": "cssp", "version": 1,
    "costs": ["time", "price", "effort"],
    "bounds": { "price": 15, "effort": 10.5 },
    "initial": "s0", "goals": ["g", "elsewhere"],
    "give_up": { "effort": 2, "time": 500 },
    "actions": [
      { "state": "s0", "name": "walk", "cost": [1, 0, 1e0], "outcomes": { "s1": 0.5, "g": 0.5 } },
      { "state": "s0", "name": "run", "cost": [0.5, 0, 4], "outcomes": { "g": 1 } } ] })");
  const CostModel& costs = model->cost_model();
  EXPECT_THAT(costs.costs, ElementsAre("time", "price", "effort"));
  ASSERT_EQ(costs.bounds.size(), 2U);
  EXPECT_EQ(costs.bounds[0].cost, 1U);
  EXPECT_EQ(costs.bounds[0].upper, 15);
  EXPECT_EQ(costs.bounds[1].cost, 2U);
  EXPECT_EQ(costs.bounds[1].upper, 10.5);
  EXPECT_THAT(*costs.give_up, ElementsAre(500, 0, 2));

  EXPECT_EQ(model->num_states(), 4U);
  const StateId s0 = model->initial_state();
  EXPECT_EQ(model->state_name(s0), "s0");
  EXPECT_TRUE(model->is_goal(*model->find_state("g")));
  EXPECT_TRUE(model->is_goal(*model->find_state("elsewhere")));
  ASSERT_EQ(model->actions(s0).size(), 2U);
  const ActionId walk = model->actions(s0)[0];
  EXPECT_EQ(model->action_name(walk), "walk");
  EXPECT_THAT(model->cost(walk), ElementsAre(1, 0, 1));
  EXPECT_THAT(model->probabilities(walk), ElementsAre(0.5, 0.5));
  EXPECT_THAT(model->successors(walk),
              ElementsAre(*model->find_state("s1"), *model->find_state("g")));
  EXPECT_THAT(model->cost(model->actions(s0)[1]), ElementsAre(0.5, 0, 4));
  Expansion expansion;
  model->expand(*model->find_state("s1"), expansion);
  EXPECT_EQ(expansion.num_actions(), 0U);
}

TEST(ReadExplicit, BoundsAndPenaltiesAreOptional) {
  const auto model = read(model_text("", "\"a\""));
  EXPECT_TRUE(model->cost_model().bounds.empty());
  EXPECT_FALSE(model->cost_model().give_up.has_value());
  EXPECT_TRUE(model->is_goal(model->initial_state()));
}

TEST(ReadExplicit, KeysMayComeInAnyOrder) {
  const auto model = read(R"({ "actions": [
      { "outcomes": { "g": 1 }, "cost": [1, 2], "name": "go", "state": "a" } ],
    "give_up": { "price": 3 }, "bounds": { "price": 4 }, "goals": ["g"], "initial": "a",
    "costs": ["time", "price"], "version": 1, "format": "cssp" })");
  EXPECT_THAT(model->cost(ActionId(0)), ElementsAre(1, 2));
  EXPECT_EQ(model->cost_model().bounds.front().upper, 4);
  EXPECT_THAT(*model->cost_model().give_up, ElementsAre(0, 3));
}

TEST(ReadExplicit, IntegersAreTheSameNamesAsTheirDecimals) {
  const auto model = read(R"({ "format": "cssp", "version": 1, "costs": ["time"], "initial": 7,
    "goals": ["-12", 123456789012345678901234567890],
    "actions": [ { "state": "7", "name": "a", "cost": [1], "outcomes": { "-12": 1 } },
                 { "state": 7 , "name": "b", "cost": [1], "outcomes": { "0": 1 } },
                 { "state": -0, "name": "c", "cost": [1], "outcomes": { "7": 1 } } ] })");
  EXPECT_EQ(model->num_states(), 4U);
  EXPECT_EQ(model->actions(model->initial_state()).size(), 2U);
  EXPECT_EQ(model->actions(*model->find_state("0")).size(), 1U);
  EXPECT_TRUE(model->is_goal(*model->find_state("-12")));
  EXPECT_TRUE(model->is_goal(*model->find_state("123456789012345678901234567890")));
}

TEST(ReadExplicit, IntegersOfAnySizeAreNames) {
  const std::string huge(400, '9');  // no double is as large
  const auto model = read(model_text("", "\"a\", " + huge));
  EXPECT_TRUE(model->is_goal(*model->find_state(huge)));
}

TEST(ReadExplicit, EscapesInNamesAndKeys) {
  const auto model = read(R"({ "f\u006frmat": "cs\u0073p", "version": 1, "costs": ["t\u0069me"],
    "initial": "\"quoted\"", "go\u0061ls": ["Z\u00fcrich", "line\nbreak"], "\u0061ctions": [
    { "state": "\"quoted\"", "n\u0061me": "go\/", "cost": [1], "outcomes": { "Zürich": 1 } },
    { "state": "\u0061", "n\u0061me": "\\\ud83d\ude00", "cost": [1], "outcomes": { "a": 1 } }
    ] })");
  EXPECT_EQ(model->num_states(), 4U);
  EXPECT_EQ(model->state_name(model->initial_state()), "\"quoted\"");
  EXPECT_TRUE(model->is_goal(*model->find_state("Zürich")));
  EXPECT_TRUE(model->is_goal(*model->find_state("line\nbreak")));
  EXPECT_EQ(model->action_name(ActionId(0)), "go/");
  EXPECT_EQ(model->action_name(ActionId(1)), "\\😀");
  EXPECT_THAT(model->successors(ActionId(1)), ElementsAre(*model->find_state("a")));
}

TEST(ReadExplicit, NamesMayBeEmptyOrLong) {
  const std::string name(100'000, 'x');
  const auto model = read(model_text(R"({ "state": "a", "name": "", "cost": [1],
    "outcomes": { "": 0.5, ")" + name +
                                     R"(": 0.5 } })"));
  EXPECT_TRUE(model->find_state("").has_value());
  EXPECT_TRUE(model->find_state(name).has_value());
  EXPECT_EQ(model->action_name(ActionId(0)), "");
}

TEST(ReadExplicit, ProbabilitiesAreKeptAsWrittenOrScaledToSumToOne) {
  const auto model = read(model_text(
      R"({ "state": "a", "name": "x", "cost": [1], "outcomes": { "a": 0.1, "b": 0.2, "g": 0.7 } },
         { "state": "a", "name": "y", "cost": [1],
           "outcomes": { "a": 0.333333333, "b": 0.333333333, "g": 0.333333333, "h": 0 } })"));
  EXPECT_THAT(model->probabilities(ActionId(0)), ElementsAre(0.1, 0.2, 0.7));
  EXPECT_THAT(model->probabilities(ActionId(1)), ElementsAre(1.0 / 3, 1.0 / 3, 1.0 / 3));
}

TEST(ReadExplicit, AcceptsAByteOrderMarkAndAnyWhiteSpace) {
  const auto model = read("\xEF\xBB\xBF\r\n\t" + model_text("", "\"a\"") + "\r\n\n");
  EXPECT_EQ(model->num_states(), 1U);
}

TEST(ReadExplicit, TextsOfAnyLengthAreReadToTheirEnd) {
  // The parser works in blocks of 64 bytes and asks for padding behind the text.
  for (std::size_t spaces = 0; spaces < 130; ++spaces) {
    const auto model = read(std::string(spaces, ' ') + model_text("", "\"a\", \"b\""));
    EXPECT_EQ(model->num_states(), 2U);
  }
}

TEST(ReadExplicit, GoalsKeepNoActions) {
  const auto model =
      read(model_text(R"({ "state": "g", "name": "x", "cost": [1], "outcomes": { "a": 1 } })"));
  EXPECT_TRUE(model->actions(*model->find_state("g")).empty());
}

TEST(ReadExplicit, StopsAtALimit) {
  const std::atomic<bool> interrupted = true;
  Monitor monitor(std::numeric_limits<double>::infinity(), 0, &interrupted);
  EXPECT_THROW(
      read_explicit(
          "model.json",
          model_text(R"({ "state": "a", "name": "x", "cost": [1], "outcomes": { "g": 1 } })"),
          monitor),
      LimitReached);
}

/// Outcomes as "probability successor cost, cost".
std::vector<std::string> outcomes_of(ExplicitModel& model, ActionId action) {
  OutcomeCosts outcomes;
  std::vector<std::string> result;
  if (!model.outcome_costs(model.initial_state(), action, outcomes)) return {"all the same"};
  for (std::size_t k = 0; k < outcomes.size(); ++k)
    result.push_back(fmt::format("{} {} {}", outcomes.probability(k),
                                 model.state_name(outcomes.successor(k)),
                                 fmt::join(outcomes.cost(k), ", ")));
  return result;
}

TEST(ReadExplicit, OutcomesMayBeAListThatSaysWhatTheyCost) {
  const auto model = read(R"({ "format": "cssp", "version": 1, "costs": ["time", "price"],
    "initial": "a", "goals": ["g", 7], "actions": [
    { "state": "a", "name": "x", "outcomes": [
        { "state": "g", "probability": 0.5, "cost": [1, 0] },
        { "cost": [1, 5], "probability": 0.25, "state": "a" },
        { "state": "g", "probability": 0.125, "cost": [1, 4] },
        { "state": 7, "probability": 0.125 } ], "cost": [1, 2] },
    { "state": "a", "name": "y", "cost": [1, 2], "outcomes": [
        { "state": "g", "probability": 0.333333333, "cost": [1, 2] },
        { "state": "7", "probability": 0.666666667, "cost": [1, 2] } ] } ] })");
  EXPECT_THAT(model->cost(ActionId(0)), ElementsAre(1, 2));
  EXPECT_THAT(model->probabilities(ActionId(0)), ElementsAre(0.625, 0.25, 0.125));
  EXPECT_THAT(outcomes_of(*model, ActionId(0)),
              ElementsAre("0.5 g 1, 0", "0.25 a 1, 5", "0.125 g 1, 4", "0.125 7 1, 2"));
  EXPECT_THAT(outcomes_of(*model, ActionId(1)), ElementsAre("all the same"));
}

TEST(ReadExplicit, RewardsAreNamed) {
  const auto model = read(R"({ "format": "cssp", "version": 1, "costs": ["time", "reward"],
    "rewards": ["reward"], "initial": "a", "goals": ["a"], "actions": [] })");
  EXPECT_THAT(model->cost_model().rewards, ElementsAre(false, true));
  EXPECT_TRUE(read(model_text("", "\"a\""))->cost_model().rewards.empty());
}

}  // namespace
}  // namespace carl::io
