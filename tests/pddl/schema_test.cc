// Conditions and effects of actions.
#include <gtest/gtest.h>

#include "pddl/reading.h"

namespace carl::pddl {
namespace {

std::string condition(const std::string& text) {
  const SyntaxTree tree = read_blocks({.effect = "()", .precondition = text});
  return Writer(tree).write(tree.actions[0].precondition);
}

std::string effect(const std::string& text) {
  const SyntaxTree tree = read_blocks({.effect = text});
  return Writer(tree).write(tree.actions[0].effect);
}

TEST(Condition, Connectives) {
  EXPECT_EQ(condition("(clear ?x)"), "(clear #0)");
  EXPECT_EQ(condition("(on ?y home)"), "(on #1 home)");
  EXPECT_EQ(condition("(and (done) (or (clear ?x) (not (clear b1))) ())"),
            "(and (done) (or (clear #0) (not (clear b1))) (and))");
  EXPECT_EQ(condition("(imply (done) (clear ?x))"), "(or (not (done)) (clear #0))");
  EXPECT_EQ(condition("(not (= ?x ?y))"), "(not (= #0 #1))");
  EXPECT_EQ(condition("(= ?x b1)"), "(= #0 b1)");
  EXPECT_EQ(condition("(or)"), "(or)");
}

TEST(Condition, QuantifiersTakeTheNextSlots) {
  EXPECT_EQ(condition("(and (exists (?z - block) (on ?z ?x)) (forall (?z ?w - thing) (clear ?w)))"),
            "(and (exists #2-block: (on #2 #0)) (forall #2-thing #3-thing: (clear #3)))");
  EXPECT_EQ(condition("(exists (?z - block) (forall (?w) (on ?z ?w)))"),
            "(exists #2-block: (forall #3-object: (on #2 #3)))");
  EXPECT_EQ(condition("(exists () (done))"), "(exists: (done))");
}

TEST(Condition, AnInnerVariableHidesAnOuterOne) {
  EXPECT_EQ(condition("(and (exists (?x - block) (clear ?x)) (clear ?x))"),
            "(and (exists #2-block: (clear #2)) (clear #0))");
}

TEST(Condition, SlotsAreCounted) {
  const auto slots = [](const std::string& precondition, const std::string& effect_text) {
    return read_blocks({.effect = effect_text, .precondition = precondition}).actions[0].num_slots;
  };
  EXPECT_EQ(slots("(done)", "(done)"), 2U);
  EXPECT_EQ(slots("(exists (?a ?b) (done))", "(forall (?a) (done))"), 4U);
  EXPECT_EQ(slots("(exists (?a) (done))", "(forall (?a) (forall (?b ?c) (done)))"), 5U);
  const SyntaxTree tree = read_blocks({.goal = "(forall (?x - block) (exists (?y) (on ?x ?y)))"});
  EXPECT_EQ(tree.goal_slots, 2U);
  EXPECT_EQ(Writer(tree).write(tree.goal), "(forall #0-block: (exists #1-object: (on #0 #1)))");
}

TEST(Effect, FactsAndConditions) {
  EXPECT_EQ(effect("(done)"), "(done)");
  EXPECT_EQ(effect("(and (not (clear ?x)) (and (on ?x ?y)))"),
            "(and (not (clear #0)) (and (on #0 #1)))");
  EXPECT_EQ(effect("(forall (?z - block) (when (on ?z ?x) (and (not (on ?z ?x)) (clear ?z))))"),
            "(forall #2-block: (when (on #2 #0) (and (not (on #2 #0)) (clear #2))))");
  EXPECT_EQ(effect("(when (exists (?z) (on ?x ?z)) (done))"),
            "(when (exists #2-object: (on #0 #2)) (done))");
}

TEST(Effect, ProbabilitiesAreExact) {
  EXPECT_EQ(effect("(probabilistic 1/3 (done) 1/3 (clear ?x) 1/3 (clear ?y))"),
            "(probabilistic 1/3 (done) 1/3 (clear #0) 1/3 (clear #1))");
  EXPECT_EQ(effect("(probabilistic 0.1 (done) 9e-1 (clear ?x))"),
            "(probabilistic 1/10 (done) 9/10 (clear #0))");
  EXPECT_EQ(effect("(probabilistic 0.25 (done))"), "(probabilistic 1/4 (done))");
  EXPECT_EQ(effect("(probabilistic 1 ())"), "(probabilistic 1 (and))");
}

TEST(Effect, WhatNeverHappensIsDropped) {
  EXPECT_EQ(effect("(probabilistic 0 (clear ?x) 0.5 (done) 0.0 ())"), "(probabilistic 1/2 (done))");
}

TEST(Effect, ProbabilisticMayBeNestedAnywhere) {
  EXPECT_EQ(effect("(forall (?z - block) (when (clear ?z) (probabilistic 0.5 (and (done) "
                   "(probabilistic 0.5 (not (done)) 0.5 (increase (time) 2))))))"),
            "(forall #2-block: (when (clear #2) (probabilistic 1/2 (and (done) "
            "(probabilistic 1/2 (not (done)) 1/2 (increase (time) 2))))))");
}

TEST(Effect, AmountsAreNumbersAndArithmeticOverStaticFunctions) {
  EXPECT_EQ(effect("(increase (time) 0.5)"), "(increase (time) 1/2)");
  EXPECT_EQ(effect("(increase (time) (dist ?x home))"), "(increase (time) (dist #0 home))");
  EXPECT_EQ(effect("(increase (time) (+ 1 (* (factor) (dist ?x ?y)) (/ (dist ?x ?y) 2)))"),
            "(increase (time) (+ 1 (* (factor) (dist #0 #1)) (/ (dist #0 #1) 2)))");
  EXPECT_EQ(effect("(increase (time) (+ 4 (- (factor))))"),
            "(increase (time) (+ 4 (- 0 (factor))))");
  EXPECT_EQ(effect("(increase (pain ?x) (+ 1 (* 2 3 4) (- 7 5) (/ 1 4)))"),
            "(increase (pain #0) 109/4)");
}

TEST(Effect, ADecreasedRewardIsAnIncreasedCost) {
  const SyntaxTree tree =
      read_blocks({.effect = "(decrease (reward) 3)", .rest = "(:metric maximize (reward))"});
  EXPECT_EQ(Writer(tree).write(tree.actions[0].effect), "(increase (reward) 3)");
  EXPECT_TRUE(tree.functions.back().is_cost);
}

}  // namespace
}  // namespace carl::pddl
