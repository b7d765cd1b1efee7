#include "model/task_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "carl/monitor.h"

#include "support/load.h"

namespace carl {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* slippery = R"(
  (define (domain d) (:requirements :adl :probabilistic-effects :fluents)
    (:constants a b c) (:predicates (at ?x) (wet) (done)) (:functions (time) (risk))
    (:action go :parameters (?x ?y) :precondition (and (at ?x) (not (= ?x ?y)) (not (at c)))
     :effect (and (probabilistic 0.75 (and (not (at ?x)) (at ?y)) 0.125 (wet))
                  (increase (time) 2) (when (wet) (increase (risk) 1))))
    (:action finish :parameters () :precondition (or (at c) (wet)) :effect (done)))
  (define (problem p) (:domain d) (:init (at a)) (:goal (done))
    (:metric minimize (time)) (:constraints (<= (expected (risk)) 3))))";

TEST(TaskModel, ExpandsStates) {
  const auto model = testing::load_text(slippery);
  Expansion expansion;
  const StateId start = model->initial_state();
  EXPECT_TRUE(model->factored());
  EXPECT_THAT(model->state_facts(start), ElementsAre("(at a)"));
  model->expand(start, expansion);
  ASSERT_EQ(expansion.num_actions(), 2U);
  EXPECT_EQ(model->action_name(expansion.action(0)), "(go a b)");
  EXPECT_EQ(model->action_name(expansion.action(1)), "(go a c)");
  EXPECT_THAT(expansion.probabilities(0), ElementsAre(0.75, 0.125, 0.125));
  EXPECT_THAT(model->state_facts(expansion.successors(0)[0]), ElementsAre("(at b)"));
  EXPECT_THAT(model->state_facts(expansion.successors(0)[1]), ElementsAre("(at a)", "(wet)"));
  EXPECT_EQ(expansion.successors(0)[2], start);
  EXPECT_EQ(model->num_states(), 4U);
  EXPECT_THAT(model->cost(expansion.action(0)), ElementsAre(2.0, 0.0));
  const StateId wet = expansion.successors(0)[1];
  model->expand(wet, expansion);
  ASSERT_EQ(expansion.num_actions(), 3U);
  EXPECT_THAT(model->cost(expansion.action(0)), ElementsAre(2.0, 1.0));
}

TEST(TaskModel, EmitsOverlappingAlternativesOnceEveryTime) {
  const auto model = testing::load_text(slippery);
  Expansion expansion;
  for (std::size_t i = 0; i < model->num_states(); ++i)
    if (!model->is_goal(StateId(i))) model->expand(StateId(i), expansion);
  for (std::size_t i = 0; i < model->num_states(); ++i) {
    const auto facts = model->state_facts(StateId(i));
    if (facts != std::vector<std::string>{"(at c)", "(wet)"}) continue;
    for (int again = 0; again < 3; ++again) {
      model->expand(StateId(i), expansion);
      ASSERT_EQ(expansion.num_actions(), 1U);
      EXPECT_EQ(model->action_name(expansion.action(0)), "(finish)");
    }
    return;
  }
  FAIL() << "no state has both";
}

TEST(TaskModel, GivesHeuristicsTheValuesOfAState) {
  const auto model = testing::load_text(slippery);
  const StateId start = model->initial_state();
  std::vector<std::uint32_t> values;
  model->values(start, values);
  EXPECT_EQ(values, model->task().initial);
  for (std::size_t v = 0; v < model->task().variables.size(); ++v)
    EXPECT_EQ(model->value(start, task::VariableId(v)), model->task().initial[v]);
}

TEST(TaskModel, KnowsGoalsAndFigures) {
  const auto model = testing::load_text(R"(
    (define (domain d) (:predicates (p)) (:action a :parameters () :precondition () :effect (p)))
    (define (problem p) (:domain d) (:init (p)) (:goal (p))))");
  EXPECT_TRUE(model->is_goal(model->initial_state()));
  EXPECT_THAT(model->state_facts(model->initial_state()), IsEmpty());
  const auto hopeless = testing::load_text(R"(
    (define (domain d) (:predicates (p)) (:action a :parameters () :precondition (p) :effect (p)))
    (define (problem p) (:domain d) (:init) (:goal (p))))");
  EXPECT_FALSE(hopeless->is_goal(hopeless->initial_state()));
  Expansion expansion;
  hopeless->expand(hopeless->initial_state(), expansion);
  EXPECT_EQ(expansion.num_actions(), 0U);
  EXPECT_EQ(testing::load_text(slippery)->figures()[0].second, "3");
}

}  // namespace
}  // namespace carl
