// What is minimised, what is bounded, what giving up costs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pddl/reading.h"

namespace carl::pddl {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* both = "(and (increase (time) 1) (increase (price) 1))";

std::vector<std::string> costs(const std::string& effect, const std::string& rest,
                               const std::string& init = "", const std::string& comment = "") {
  const SyntaxTree tree =
      read_blocks({.effect = effect, .init = init, .rest = rest, .comment = comment});
  return Writer(tree).write_costs();
}

TEST(Costs, WithoutMetricActionsAreCounted) {
  EXPECT_THAT(costs("(done)", ""), ElementsAre("steps = 1"));
  EXPECT_THAT(costs(both, ""), ElementsAre("steps = 1", "time = 1(time)", "price = 1(price)"));
}

TEST(Costs, TheMetricComesFirst) {
  EXPECT_THAT(costs(both, "(:metric minimize (price))"),
              ElementsAre("price = 1(price)", "time = 1(time)"));
  EXPECT_THAT(costs(both, "(:metric minimize price)"),
              ElementsAre("price = 1(price)", "time = 1(time)"));
  EXPECT_THAT(costs(both, "(:metric minimize (steps))"),
              ElementsAre("steps = 1", "time = 1(time)", "price = 1(price)"));
}

TEST(Costs, CombinationsAreNamedByTheirText) {
  EXPECT_THAT(costs(both, "(:metric minimize (+ (* 2 (TIME))\n  (price)))"),
              ElementsAre("(+ (* 2 (time)) (price)) = 2(time) + 1(price)", "time = 1(time)",
                          "price = 1(price)"));
  EXPECT_THAT(costs(both, "(:metric minimize (/ (- (+ (time) (price) (time)) (price)) 4))"),
              ElementsAre("(/ (- (+ (time) (price) (time)) (price)) 4) = 1/2(time)",
                          "time = 1(time)", "price = 1(price)"));
}

TEST(Costs, ACombinationOfOneCostIsThatCost) {
  EXPECT_THAT(costs(both, "(:metric minimize (* 1 (time)))"),
              ElementsAre("time = 1(time)", "price = 1(price)"));
}

TEST(Costs, StaticNumbersMayBeWeightsAndBounds) {
  EXPECT_THAT(costs(both,
                    "(:metric minimize (+ (* (factor) (time)) (* (price) (dist b1 home))))"
                    "(:constraints (<= (expected (price)) (* 2 (factor))))",
                    "(= (factor) 3) (= (dist b1 home) 1/2)"),
              ElementsAre("(+ (* (factor) (time)) (* (price) (dist b1 home))) = "
                          "3(time) + 1/2(price)",
                          "price = 1(price) <= 6", "time = 1(time)"));
}

TEST(Costs, BoundsFollowInTheOrderOfTheText) {
  EXPECT_THAT(
      costs(both,
            "(:constraints (and (<= (expected (price)) 15) (and "
            "(<= (expected (+ (time) (price))) 20)) (<= (expected (time)) 1/4)))"),
      ElementsAre("steps = 1", "price = 1(price) <= 15",
                  "(+ (time) (price)) = 1(time) + 1(price) <= 20", "time = 1(time) <= 1/4"));
  EXPECT_THAT(costs(both, "(:constraints)"),
              ElementsAre("steps = 1", "time = 1(time)", "price = 1(price)"));
}

TEST(Costs, ThePrimaryCostMayBeBounded) {
  EXPECT_THAT(costs("(increase (time) 1)",
                    "(:metric minimize (time)) (:constraints (<= (expected (time)) 9))"),
              ElementsAre("time = 1(time) <= 9"));
  EXPECT_THAT(costs("(done)", "(:constraints (<= (expected (steps)) 9))"),
              ElementsAre("steps = 1 <= 9"));
}

TEST(Costs, TheTightestBoundCounts) {
  const SyntaxTree tree =
      read_blocks({.effect = both,
                   .rest = "(:constraints (and (<= (expected (time)) 5) (<= (expected (time)) 3)\n"
                           "(<= (expected (* 1 (time))) 4) (<= (expected (+ (time) (price))) 2)\n"
                           "(<= (expected (+ (price) (time))) 1)))"});
  EXPECT_THAT(Writer(tree).write_costs(),
              ElementsAre("steps = 1", "time = 1(time) <= 3",
                          "(+ (time) (price)) = 1(time) + 1(price) <= 1", "price = 1(price)"));
  EXPECT_EQ(tree.bounds.size(), 2U);
}

TEST(Costs, GroundInstancesAreCosts) {
  EXPECT_THAT(costs("(increase (pain ?x) 1)", "(:metric minimize (pain b2))"),
              ElementsAre("(pain b2) = 1(pain b2)", "(pain b1) = 1(pain b1)"));
  EXPECT_THAT(costs("(increase (pain ?x) 1)",
                    "(:constraints (forall (?p - block) (<= (expected (* 2 (pain ?p))) 12)))"),
              ElementsAre("steps = 1", "(* 2 (pain b1)) = 2(pain b1) <= 12",
                          "(* 2 (pain b2)) = 2(pain b2) <= 12", "(pain b1) = 1(pain b1)",
                          "(pain b2) = 1(pain b2)"));
}

TEST(Costs, NestedForallInConstraints) {
  EXPECT_THAT(costs("(increase (pain ?x) 1)",
                    "(:constraints (forall (?p - block) (forall (?q - block) "
                    "(<= (expected (+ (pain ?p) (pain ?q))) 3))))"),
              ElementsAre("steps = 1", "(+ (pain b1) (pain b1)) = 2(pain b1) <= 3",
                          "(+ (pain b1) (pain b2)) = 1(pain b1) + 1(pain b2) <= 3",
                          "(+ (pain b2) (pain b2)) = 2(pain b2) <= 3", "(pain b1) = 1(pain b1)",
                          "(pain b2) = 1(pain b2)"));
}

TEST(Costs, ACostNamedStepsIsNotTheNumberOfActions) {
  const SyntaxTree tree = read_texts(
      {"(define (domain d) (:functions (steps)) (:action a :effect (increase (steps) 2)))"
       "(define (problem p) (:domain d) (:init) (:goal (and)))"});
  EXPECT_THAT(Writer(tree).write_costs(), ElementsAre("unit-steps = 1", "steps = 1(steps)"));
}

TEST(Costs, TotalCostMayBeginAtZero) {
  const SyntaxTree tree = read_texts(
      {"(define (domain d) (:requirements :action-costs) (:functions (total-cost) - number)"
       "(:action a :effect (increase (total-cost) 2)))"
       "(define (problem p) (:domain d) (:init (= (total-cost) 0)) (:goal (and))"
       "(:metric minimize (total-cost)))"});
  EXPECT_THAT(Writer(tree).write_costs(), ElementsAre("total-cost = 1(total-cost)"));
  EXPECT_THAT(tree.values, IsEmpty());
  EXPECT_THAT(tree.notes, IsEmpty());
}

TEST(Costs, StaticNumbersAreNoCosts) {
  const SyntaxTree tree = read_blocks(
      {.effect = "(increase (time) (dist ?x ?y))", .init = "(= (dist b1 b2) 0) (= (price) 1)"});
  EXPECT_THAT(Writer(tree).write_costs(), ElementsAre("steps = 1", "time = 1(time)"));
  EXPECT_EQ(tree.values.size(), 2U);
}

TEST(Costs, ACostThatNothingIncreasesIsNoted) {
  const SyntaxTree tree = read_blocks({.rest = "(:metric minimize (time))"});
  EXPECT_THAT(Writer(tree).write_costs(), ElementsAre("time = 1(time)"));
  EXPECT_THAT(tree.notes, ElementsAre("no action changes the cost 'time', so it is 0"));
}

TEST(Reward, NeedsNoDeclaration) {
  EXPECT_THAT(costs("(decrease (reward) 1)", "(:metric maximize (reward))"),
              ElementsAre("reward = 1(reward)"));
}

// As in many problems of the planning competitions, which only reward the goal.
TEST(Reward, OneThatNothingChangesLeavesTheNumberOfActions) {
  const SyntaxTree tree = read_blocks({.rest = "(:goal-reward 1) (:metric maximize (reward))"});
  EXPECT_THAT(Writer(tree).write_costs(), ElementsAre("steps = 1"));
  EXPECT_THAT(tree.notes, Contains("no action changes what the metric maximises: the number of "
                                   "actions ('steps') is minimised"));
}

TEST(Reward, AnyFunctionMayBeMaximisedIfItOnlyFalls) {
  EXPECT_THAT(costs("(decrease (price) 1)", "(:metric maximize (price))"),
              ElementsAre("price = 1(price)"));
}

TEST(Reward, IsNotMinimisedUnlessTheMetricSaysSo) {
  EXPECT_THAT(costs("(and (decrease (reward) 1) (increase (time) 1))", "(:metric minimize (time))"),
              ElementsAre("time = 1(time)", "reward = 1(reward)"));
}

TEST(Reward, TheGoalRewardIsNoted) {
  const SyntaxTree tree = read_blocks({.effect = "(decrease (reward) 1)",
                                       .rest = "(:goal-reward 100) (:metric maximize (reward))"});
  EXPECT_THAT(tree.notes,
              ElementsAre("':goal-reward' makes no difference between policies that reach the "
                          "goal; if giving up is allowed, the penalty has to say what missing it "
                          "costs"));
}

TEST(GiveUp, PenaltiesAreZeroUnlessGiven) {
  EXPECT_THAT(costs(both, "(:metric minimize (time)) (:give-up (increase (time) 500))"),
              ElementsAre("time = 1(time), give up 500", "price = 1(price), give up 0"));
  EXPECT_THAT(costs(both, "(:metric minimize (time)) (:give-up)"),
              ElementsAre("time = 1(time), give up 0", "price = 1(price), give up 0"));
}

TEST(GiveUp, CombinationsArePenalisedByTheirParts) {
  EXPECT_THAT(costs(both,
                    "(:metric minimize (+ (* 2 (time)) (price)))"
                    "(:give-up (and (increase (time) 10) (increase (price) (* 2 (factor)))))",
                    "(= (factor) 3)"),
              ElementsAre("(+ (* 2 (time)) (price)) = 2(time) + 1(price), give up 26",
                          "time = 1(time), give up 10", "price = 1(price), give up 6"));
}

TEST(GiveUp, StepsRewardsAndInstances) {
  EXPECT_THAT(costs("(increase (pain ?x) 1)",
                    "(:give-up (increase (steps) 9) (forall (?b - block) (increase (pain ?b) 2)))"),
              ElementsAre("steps = 1, give up 9", "(pain b1) = 1(pain b1), give up 2",
                          "(pain b2) = 1(pain b2), give up 2"));
  EXPECT_THAT(costs("(decrease (reward) 1)",
                    "(:metric maximize (reward)) (:give-up (decrease (reward) 7))"),
              ElementsAre("reward = 1(reward), give up 7"));
}

TEST(GiveUp, AFreeOneIsNoted) {
  const SyntaxTree tree = read_blocks({.rest = "(:give-up)"});
  EXPECT_THAT(tree.notes, ElementsAre("giving up costs nothing of 'steps', which is minimised"));
}

TEST(Ssipp, CommentLinesAreBoundsAndPenalties) {
  const SyntaxTree tree = read_blocks({.effect = "(and (decrease (reward) 1) (increase (time) 1) "
                                                 "(increase (price) 1))",
                                       .comment = ";; CONSTR Price <= 1.5 4\n"
                                                  ";;  CONSTR is ignored here\n"
                                                  " ;; CONSTR and here\n"
                                                  ";; CONSTRAINTS, too\n"
                                                  ";; CONSTR\ttime <= 2 3\r\n"});
  EXPECT_THAT(Writer(tree).write_costs(),
              ElementsAre("reward = 1(reward), give up 500", "price = 1(price) <= 3/2, give up 4",
                          "time = 1(time) <= 2, give up 3"));
  EXPECT_EQ(tree.bounds[1].position.line, 5U);
  EXPECT_THAT(tree.notes,
              ElementsAre("2 bounds are read from ';; CONSTR' comment lines, as in files of the "
                          "SSiPP family",
                          "';; CONSTR' lines imply giving up, at a penalty of 500 in 'reward'"));
}

TEST(Ssipp, TheMetricDecidesWhatIsPrimary) {
  EXPECT_THAT(costs("(and (decrease (reward) 1) (increase (time) 1) (increase (price) 1))",
                    "(:metric minimize (time))", "", ";; CONSTR price <= 1 4"),
              ElementsAre("time = 1(time), give up 500", "price = 1(price) <= 1, give up 4",
                          "reward = 1(reward), give up 0"));
  EXPECT_THAT(costs("(increase (price) 1)", "", "", ";; CONSTR price <= 1 4"),
              ElementsAre("steps = 1, give up 500", "price = 1(price) <= 1, give up 4"));
}

TEST(Ssipp, SectionsWinOverLines) {
  EXPECT_THAT(costs(both,
                    "(:metric minimize (time)) (:constraints (<= (expected (price)) 1))"
                    "(:give-up (increase (price) 8))",
                    "", ";; CONSTR price <= 2 4"),
              ElementsAre("time = 1(time), give up 0", "price = 1(price) <= 1, give up 8"));
}

TEST(Ssipp, LinesCountInTheTextOfTheProblemOnly) {
  const SyntaxTree tree = read_texts({";; CONSTR f <= 1 2\n(define (domain d) (:functions (f)))",
                                      "(define (problem p) (:domain d) (:init) (:goal (and)))"});
  EXPECT_THAT(tree.bounds, IsEmpty());
  EXPECT_THAT(tree.notes, ElementsAre("the ';; CONSTR' lines of 1.pddl are ignored: they count in "
                                      "the problem's text only"));
}

}  // namespace
}  // namespace carl::pddl
