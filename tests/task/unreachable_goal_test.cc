// Why a goal can never be reached: the facts that are out of reach, as few as possible, and what
// their achievers lack.

#include "task/unreachable_goal.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "carl/cssp.h"
#include "problem.h"
#include "support/random_domain.h"
#include "support/random_task.h"
#include "support/scale.h"

namespace carl {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string problem(const std::string& domain, const std::string& rest) {
  return "(define (domain d) (:requirements :adl :probabilistic-effects) " + domain +
         ") (define (problem p) (:domain d) " + rest + ")";
}

/// What is said of the initial state.
std::vector<std::string> reasons(const std::string& text) {
  const testing::Problem read(text);
  const auto reason = read.model->unreachable_goal(read.model->initial_state());
  if (!reason) return {"reachable"};
  Cssp cssp(read.model);
  return sentences(cssp, {{}, cssp.initial_state(), true, *reason});
}

TEST(UnreachableGoal, NoActionAddsIt) {
  EXPECT_THAT(reasons(problem("(:predicates (done ?m) (ready ?m))"
                              "(:action prepare :parameters (?m) :effect (ready ?m))",
                              "(:objects m1 m4) (:init (done m1)) (:goal (and (done m1) (ready m4) "
                              "(done m4)))")),
              ElementsAre("goal fact (done m4) can never become true: no action adds it"));
}

TEST(UnreachableGoal, AnAchieverNeedsAStaticFact) {
  const std::string domain =
      "(:predicates (done ?m) (ready ?m) (road ?a ?b) (at ?p))"
      "(:action finish :parameters (?m) :precondition (ready ?m) :effect (done ?m))"
      "(:action move :parameters (?a ?b) :precondition (and (at ?a) (road ?a ?b))"
      " :effect (and (at ?b) (not (at ?a))))";
  EXPECT_THAT(reasons(problem(domain, "(:objects m1 m4) (:init (ready m1)) (:goal (done m4))")),
              ElementsAre("goal fact (done m4) can never become true: every action that adds it "
                          "needs what is never true: (finish m4) needs (ready m4)"));
  EXPECT_THAT(reasons(problem(domain,
                              "(:objects a b c) (:init (at a) (road a b) (road c a)) (:goal (at "
                              "c))")),
              ElementsAre("goal fact (at c) can never become true: every action that adds it needs "
                          "what is never true: (move ?a c) needs (road ?a c)"));
}

TEST(UnreachableGoal, AChainOfFacts) {
  EXPECT_THAT(
      reasons(problem("(:predicates (done) (ready) (tool))"
                      "(:action finish :precondition (ready) :effect (done))"
                      "(:action prepare :precondition (tool) :effect (ready))"
                      "(:action lose :effect (not (tool)))",
                      "(:init) (:goal (done))")),
      ElementsAre("goal fact (done) can never become true: every action that adds it needs what is "
                  "never true: (finish) needs (ready)",
                  "fact (ready) can never become true: every action that adds it needs what is "
                  "never true: (prepare) needs (tool)",
                  "fact (tool) can never become true: no action adds it"));
}

TEST(UnreachableGoal, FactsThatNeedEachOther) {
  EXPECT_THAT(reasons(problem("(:predicates (a) (b))"
                              "(:action make-a :precondition (b) :effect (a))"
                              "(:action make-b :precondition (a) :effect (b))",
                              "(:init) (:goal (a))")),
              ElementsAre("goal fact (a) can never become true: every action that adds it needs "
                          "what is never true: (make-a) needs (b)",
                          "fact (b) can never become true: every action that adds it needs what is "
                          "never true: (make-b) needs (a)"));
}

TEST(UnreachableGoal, TheSmallestSetOfFacts) {
  // (goal) is added by one action that needs a long chain as well as something simple, and the
  // first goal fact of the text is the more complicated one.
  EXPECT_THAT(
      reasons(problem("(:predicates (goal) (other) (c1) (c2) (c3) (simple))"
                      "(:action act :precondition (and (c1) (simple)) :effect (goal))"
                      "(:action other :precondition (c1) :effect (other))"
                      "(:action a1 :precondition (c2) :effect (c1))"
                      "(:action a2 :precondition (c3) :effect (c2))"
                      "(:action forget :effect (and (not (c3)) (not (simple))))",
                      "(:init) (:goal (and (other) (goal)))")),
      ElementsAre("goal fact (goal) can never become true: every action that adds it needs what is "
                  "never true: (act) needs (simple)",
                  "fact (simple) can never become true: no action adds it"));
}

TEST(UnreachableGoal, AllAlternativesAreExplained) {
  EXPECT_THAT(reasons(problem("(:predicates (p) (q) (r))"
                              "(:action act :effect (r))",
                              "(:init) (:goal (and (r) (or (p) (q))))")),
              ElementsAre("goal fact (p) can never become true: no action adds it",
                          "goal fact (q) can never become true: no action adds it"));
}

TEST(UnreachableGoal, WhatMustBecomeFalse) {
  EXPECT_THAT(reasons(problem("(:predicates (locked) (key))"
                              "(:action lock :effect (locked))",
                              "(:init (locked)) (:goal (not (locked)))")),
              ElementsAre("goal fact (not (locked)) can never become true: no action deletes it"));
}

TEST(UnreachableGoal, ConditionalAndQuantifiedEffects) {
  EXPECT_THAT(reasons(problem("(:predicates (lit ?x) (power) (on ?x))"
                              "(:action switch :effect (forall (?x) (when (and (power) (on ?x)) "
                              "(lit ?x))))"
                              "(:action turn :parameters (?x) :effect (on ?x))"
                              "(:action fail :effect (not (power)))",
                              "(:objects l1 l2) (:init) (:goal (forall (?x) (lit ?x)))")),
              ElementsAre("goal fact (lit l1) can never become true: every action that adds it "
                          "needs what is never true: (switch) needs (power)",
                          "fact (power) can never become true: no action adds it"));
}

TEST(UnreachableGoal, FactsThatExcludeEachOther) {
  EXPECT_THAT(reasons(problem("(:predicates (at ?p) (seen ?p))"
                              "(:action move :parameters (?a ?b) :precondition (at ?a)"
                              " :effect (and (not (at ?a)) (at ?b) (seen ?b)))",
                              "(:objects a b c) (:init (at a))"
                              "(:goal (and (seen c) (at a) (at b)))")),
              ElementsAre("the goal asks for (at a) and (at b), which are never true together"));
}

TEST(UnreachableGoal, ActionsThatNeedFactsThatExcludeEachOther) {
  const testing::Problem read(
      problem("(:predicates (at ?p) (won))"
              "(:action move :parameters (?a ?b) :precondition (at ?a)"
              " :effect (and (not (at ?a)) (at ?b)))"
              "(:action win :precondition (and (at a) (at b)) :effect (won))",
              "(:objects a b c) (:init (at a)) (:goal (won))"));
  const auto reason = read.model->unreachable_goal(read.model->initial_state());
  ASSERT_TRUE(reason);
  ASSERT_EQ(reason->facts.size(), 1U);
  EXPECT_EQ(reason->facts[0].fact, "(won)");
}

TEST(UnreachableGoal, FromAStateOfTheTask) {
  const testing::Problem read(
      problem("(:predicates (whole) (at-goal))"
              "(:action throw :precondition (whole) :effect (probabilistic 1/2 (at-goal) 1/2 (not "
              "(whole))))",
              "(:init (whole)) (:goal (at-goal))"));
  TaskModel& model = *read.model;
  EXPECT_FALSE(model.unreachable_goal(model.initial_state()));
  Expansion expansion;
  model.expand(model.initial_state(), expansion);
  std::size_t dead = 0;
  for (const StateId s : expansion.successors(0)) {
    if (model.is_goal(s) || s == model.initial_state()) continue;
    const auto reason = model.unreachable_goal(s);
    ASSERT_TRUE(reason);
    ASSERT_EQ(reason->facts.size(), 2U);
    EXPECT_EQ(reason->facts[0].fact, "(at-goal)");
    EXPECT_THAT(reason->facts[0].achievers[0].needs, ElementsAre("(whole)"));
    EXPECT_THAT(reason->facts[1].achievers, IsEmpty());
    ++dead;
  }
  EXPECT_EQ(dead, 1U);
}

/// What achievers need is one of the facts.
void expect_needs_to_be_listed(const Unreachability& reason) {
  const auto is_listed = [&](const std::string& fact) {
    return std::any_of(reason.facts.begin(), reason.facts.end(),
                       [&](const UnreachableFact& f) { return f.fact == fact; });
  };
  EXPECT_FALSE(reason.facts.empty());
  for (const UnreachableFact& fact : reason.facts)
    for (const UnreachableFact::Achiever& achiever : fact.achievers) {
      EXPECT_FALSE(achiever.needs.empty()) << achiever.action;
      for (const std::string& need : achiever.needs)
        EXPECT_TRUE(is_listed(need)) << need;
    }
}

/// Every achiever is there as well.
void expect_closed(const TaskModel& model, const Unreachability& reason) {
  expect_needs_to_be_listed(reason);
  for (const UnreachableFact& fact : reason.facts) {
    std::size_t achievers = 0;
    for (const task::Action& action : model.task().actions)
      achievers += std::any_of(action.outcomes.begin(), action.outcomes.end(), [&](const auto& o) {
        return std::any_of(o.effects.begin(), o.effects.end(), [&](const task::Fact& effect) {
          return model.task().variables[effect.variable.index()].values[effect.value] == fact.fact;
        });
      });
    if (!fact.negative) {
      EXPECT_EQ(fact.achievers.size(), achievers) << fact.fact;
    }
  }
}

/// Calls check(model, reason) for states of a task from which the goal cannot be reached; returns
/// how many there were.
template <class Check>
std::size_t for_each_dead_end(TaskModel& model, const Check& check) {
  std::size_t unreachable = 0;
  Expansion expansion;
  // States are numbered as they are met, so this is all of them, or many.
  for (std::size_t s = 0; s < model.num_states() && s < 200; ++s) {
    if (model.is_goal(StateId(s))) continue;
    model.expand(StateId(s), expansion);
    if (const auto reason = model.unreachable_goal(StateId(s))) {
      ++unreachable;
      check(*reason);
    }
  }
  return unreachable;
}

TEST(UnreachableGoal, RandomTasksHaveProofsThatAreClosed) {
  std::size_t unreachable = 0;
  std::size_t conditional = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(400); ++seed) {
    SCOPED_TRACE(seed);
    const auto model = testing::random_task(seed);
    unreachable +=
        for_each_dead_end(*model, [&](const auto& reason) { expect_closed(*model, reason); });
    const auto with_conditions = testing::random_conditional_task(seed);
    conditional += for_each_dead_end(*with_conditions, expect_needs_to_be_listed);
  }
  EXPECT_GE(unreachable, testing::at_full_scale(100));
  EXPECT_GE(conditional, testing::at_full_scale(100));
}

TEST(UnreachableGoal, ConditionalEffectsNeedTheirConditions) {
  const testing::Problem read(
      problem("(:predicates (key) (lost) (far) (open))"
              "(:action push :precondition (not (far)) :effect (and (far) (when (key) (open))))"
              "(:action drop :effect (probabilistic 1/2 (and (not (key)) (not (far)))))",
              "(:init (key)) (:goal (open))"));
  TaskModel& model = *read.model;
  Expansion expansion;
  std::size_t dead = 0;
  for (std::size_t s = 0; s < model.num_states(); ++s) {
    if (model.is_goal(StateId(s))) continue;
    model.expand(StateId(s), expansion);
    const auto reason = model.unreachable_goal(StateId(s));
    const auto facts = model.state_facts(StateId(s));
    const bool has_key = std::find(facts.begin(), facts.end(), "(key)") != facts.end();
    ASSERT_EQ(reason.has_value(), !has_key);
    if (has_key) continue;
    ++dead;
    EXPECT_EQ(reason->facts[0].fact, "(open)");
    ASSERT_EQ(reason->facts[0].achievers.size(), 1U);
    EXPECT_EQ(reason->facts[0].achievers[0].action, "(push)");
    EXPECT_THAT(reason->facts[0].achievers[0].needs, ElementsAre("(key)"));
  }
  EXPECT_GE(dead, 1U);
}

TEST(UnreachableGoal, AlternativesThatContradictThemselvesDoNotCount) {
  EXPECT_THAT(reasons(problem("(:predicates (p) (never))"
                              "(:action a :effect (p)) (:action b :effect (not (p)))",
                              "(:init) (:goal (and (not (p)) (or (p) (never))))")),
              ElementsAre("goal fact (never) can never become true: no action adds it"));
}

TEST(UnreachableGoal, AGoalThatContradictsItself) {
  const testing::Problem read(problem("(:predicates (p) (q)) (:action a :effect (p))",
                                      "(:init) (:goal (and (not (p)) (or (p) (and (p) (q)))))"));
  EXPECT_TRUE(read.task().unreachable.contradiction);
}

TEST(UnreachableGoal, RandomProblemTextsHaveAReason) {
  std::size_t unreachable = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(400); ++seed) {
    SCOPED_TRACE(seed);
    const testing::Problem read(testing::random_problem(seed));
    if (!read.task().goal.empty()) continue;
    ++unreachable;
    EXPECT_FALSE(read.task().unreachable.empty()) << testing::random_problem(seed);
  }
  EXPECT_GE(unreachable, testing::at_full_scale(10));
}

}  // namespace
}  // namespace carl
