// Initial distributions: the state before the start, the draw, and what is left of both in the task.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "carl/error.h"
#include "task/compare.h"
#include "task/problem.h"

namespace carl::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

std::string walking(const std::string& init, const std::string& more = "") {
  return R"(
    (define (domain d) (:requirements :adl :probabilistic-effects :fluents)
      (:predicates (at ?x) (colour ?x) (link ?x ?y)) (:functions (fuel) (height ?x))
      (:action go :parameters (?x ?y) :precondition (and (at ?x) (link ?x ?y))
       :effect (and (not (at ?x)) (at ?y) (increase (fuel) 2) (when (colour ?x) (colour ?y)))))
    (define (problem p) (:domain d) (:objects a b c)
      (:init (link a b) (link b c) (link c a) )" +
         init + ") (:goal (at c)) " + more + ")";
}

TEST(InitialDraw, IsAFirstActionThatCostsNothing) {
  const Problem problem(walking("(probabilistic 1/4 (at a) 3/4 (at b))"));
  TaskModel& model = *problem.model;
  EXPECT_THAT(model.state_facts(model.initial_state()),
              ElementsAre("(initial state: not drawn yet)"));
  Expansion expansion;
  model.expand(model.initial_state(), expansion);
  ASSERT_EQ(expansion.num_actions(), 1U);
  EXPECT_EQ(model.action_name(expansion.action(0)), "(draw the initial state)");
  EXPECT_TRUE(model.draws_initial_state(expansion.action(0)));
  EXPECT_THAT(expansion.probabilities(0), UnorderedElementsAre(0.25, 0.75));
  for (const double cost : model.cost(expansion.action(0)))
    EXPECT_EQ(cost, 0);
  EXPECT_THAT(model.cost_model().costs, ElementsAre("steps", "fuel"));
  // Nothing leads back, and nowhere else can anything be drawn.
  for (std::size_t s = 1; s < model.num_states(); ++s) {
    if (model.is_goal(StateId(s))) continue;
    model.expand(StateId(s), expansion);
    for (std::size_t a = 0; a < expansion.num_actions(); ++a) {
      EXPECT_FALSE(model.draws_initial_state(expansion.action(a)));
      EXPECT_EQ(model.cost(expansion.action(a))[0], 1);
      for (const StateId successor : expansion.successors(a))
        EXPECT_NE(successor, model.initial_state());
    }
  }
}

TEST(InitialDraw, KeepsInvariants) {
  const Problem problem(walking("(probabilistic 1/4 (at a) 3/4 (at b))"));
  // Where one is, and whether it is before the start.
  EXPECT_EQ(problem.task().variables.size(), 2U);
  EXPECT_TRUE(compare_with_reference(problem.tree, *problem.model, "walking", 100));
}

TEST(InitialDraw, LeavesOutWhatDoesNotMatter) {
  const Problem problem(walking("(probabilistic 1/2 (colour a)) (at a)"));
  EXPECT_EQ(problem.task().variables.size(), 2U);
  const auto& draw = problem.task().actions[*problem.task().initial_draw];
  EXPECT_EQ(draw.outcomes.size(), 1U);
  // Nor are other actions split by it.
  EXPECT_EQ(problem.task().actions.size(), problem.task().labels.size());
}

TEST(InitialDraw, IsJointNestedAndMayTakeFactsAway) {
  for (const char* init :
       {"(at a) (probabilistic 1/3 (not (at a)) 1/3 (at b))",
        "(probabilistic 0.5 (and (at a) (probabilistic 0.5 (at b))) 0.5 (probabilistic 1/3 (at "
        "c)))",
        "(probabilistic 0.5 (at a)) (probabilistic 0.5 (at b)) (probabilistic 0.5 (link b a))",
        "(probabilistic 1 (at a))", "(probabilistic 0 (at a) 1 (at b))", "(probabilistic 0 (at a))",
        "(at a) (probabilistic 0.5 (and (at a) (not (at a))))"}) {
    const Problem problem(walking(init));
    check_task(problem.task(), init);
    EXPECT_TRUE(compare_with_reference(problem.tree, *problem.model, init, 100)) << init;
  }
}

TEST(InitialDraw, OfAGoalThatCannotBeReached) {
  const Problem problem(walking("(probabilistic 0.5 (colour a))"));
  EXPECT_TRUE(problem.model->unreachable_goal(problem.model->initial_state()));
}

TEST(InitialDraw, HasALimit) {
  std::string draws;
  for (int i = 0; i < 17; ++i)
    draws += "(probabilistic 0.5 (at o" + std::to_string(i) + "))";
  std::string objects;
  for (int i = 0; i < 17; ++i)
    objects += " o" + std::to_string(i);
  const std::string text =
      "(define (domain d) (:predicates (at ?x))\n (:action go :parameters (?x) "
      ":effect (not (at ?x))))(define (problem p) (:domain d) (:objects" +
      objects + ")\n(:init " + draws + ") (:goal (forall (?x) (not (at ?x)))))";
  try {
    const Problem problem(text);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.message(),
                HasSubstr("(draw the initial state) has more than 65536 outcomes"));
    EXPECT_EQ(error.hint(), "there are too many initial states");
    EXPECT_EQ(error.position().line, 3U);
  }
}

TEST(Comparisons, AreSettledByStaticNumbers) {
  const std::string text = R"(
    (define (domain d) (:predicates (at ?x) (seen ?x)) (:functions (h ?x) (limit))
      (:action up :parameters (?x ?y) :precondition (and (at ?x) (< (h ?x) (h ?y)))
       :effect (and (not (at ?x)) (at ?y)
                    (when (> (h ?y) (limit)) (seen ?y)) (when (<= (h ?y) (limit)) (seen ?x))))
      (:action down :parameters (?x ?y)
       :precondition (and (at ?x) (imply (>= (h ?y) (* 2 (limit))) (= (h ?x) 1)))
       :effect (and (not (at ?x)) (at ?y))))
    (define (problem p) (:domain d) (:objects a b c)
      (:init (at a) (= (h a) 1) (= (h b) 2.5) (= (h c) 4) (= (limit) 2))
      (:goal (and (at c) (exists (?x) (and (seen ?x) (not (= (h ?x) (h a))))))))";
  const Problem problem(text + ")");
  check_task(problem.task(), "comparisons");
  EXPECT_TRUE(compare_with_reference(problem.tree, *problem.model, "comparisons", 100));
}

TEST(Comparisons, NeedValues) {
  const std::string text = R"(
    (define (domain d) (:predicates (at ?x)) (:functions (h ?x))
      (:action up :parameters (?x) :precondition (< (h ?x) 3) :effect (at ?x)))
    (define (problem p) (:domain d) (:objects a b) (:init (= (h a) 1)) (:goal (at a))))";
  try {
    const Problem problem(text);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.message(), "(h b) has no value, but a condition needs it");
    EXPECT_EQ(error.position().line, 3U);
  }
}

}  // namespace
}  // namespace carl::testing
