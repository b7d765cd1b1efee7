// What files of the planning competitions write that the standard does not have, or does
// differently: read as it is meant, and noted where a reader might wonder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "carl/options.h"
#include "pddl/read.h"
#include "pddl/reading.h"

namespace carl::pddl {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string effect_of(const SyntaxTree& tree) {
  return Writer(tree).write(tree.actions[0].effect);
}

TEST(BareNames, AreFactsInEffects) {
  const SyntaxTree tree =
      read_blocks({.effect = "(and (probabilistic 0.2 done) (when (clear ?x) (not done)))"});
  EXPECT_EQ(effect_of(tree), "(and (probabilistic 1/5 (done)) (when (clear #0) (not (done))))");
  EXPECT_THAT(tree.notes, ElementsAre("read as if in parentheses: done"));
}

TEST(BareNames, AreFactsInConditionsAndInTheInitialState) {
  const SyntaxTree tree = read_blocks(
      {.precondition = "(or done (not done))", .goal = "done", .init = "done (not done)"});
  EXPECT_EQ(Writer(tree).write(tree.actions[0].precondition), "(or (done) (not (done)))");
  EXPECT_EQ(Writer(tree).write(tree.goal), "(done)");
  EXPECT_EQ(tree.init.size(), 1U);
  EXPECT_THAT(tree.notes, Contains("read as if in parentheses: done"));
}

TEST(BareNames, AreFunctionsThatChange) {
  const SyntaxTree tree = read_blocks({.effect = "(and (decrease reward 10) (increase time 2))"});
  EXPECT_EQ(effect_of(tree), "(and (increase (reward) 10) (increase (time) 2))");
  EXPECT_TRUE(tree.functions.back().is_reward);
  EXPECT_THAT(tree.notes, Contains("read as if in parentheses: reward, time"));
}

constexpr const char* typed_domain = R"(
  (define (domain d) (:types key -locatable person - locatable preference zone)
    (:predicates (at ?z -zone) (h ?x - locatable) (preference ?x -preference) (assign) (oneof))
    (:action go :parameters (?z -zone ?p -(either preference person))
     :precondition (and (not (at ?z)) (not (preference assign)) (not (assign)) (not (oneof)))
     :effect (and (at ?z) (preference assign) (assign) (oneof))))
  (define (problem p) (:domain d)
    (:objects z -zone assign define-it - preference undefined -person k - key)
    (:init (preference assign) (h k) (h undefined) (oneof)) (:goal (preference assign))))";

TEST(Types, NeedNoBlankAfterTheDash) {
  const SyntaxTree tree = read_texts({typed_domain});
  const ActionSchema& go = tree.actions[0];
  ASSERT_EQ(go.parameters.size(), 2U);
  EXPECT_EQ(tree.types[go.parameters[0].types[0].index()].name, "zone");
  EXPECT_EQ(go.parameters[1].types.size(), 2U);
}

TEST(Types, AreDeclaredByHavingSubtypes) {
  const SyntaxTree tree = read_texts({typed_domain});
  EXPECT_EQ(tree.types.back().name, "locatable");
  EXPECT_THAT(tree.types.back().parents, ElementsAre(TypeId(0)));
  EXPECT_EQ(tree.init.size(), 4U);  // (h k) and (h undefined) are well-typed
  EXPECT_THAT(tree.notes, Contains("types that are declared by having subtypes, and not by "
                                   "themselves: locatable"));
}

TEST(Names, MayBeWordsOfLaterVersions) {
  const SyntaxTree tree = read_texts({typed_domain});
  const Writer writer(tree);
  EXPECT_EQ(writer.write(tree.goal), "(preference assign)");
  EXPECT_EQ(writer.write(tree.actions[0].effect),
            "(and (at #0) (preference assign) (assign) (oneof))");
}

TEST(Init, MayBeMissing) {
  const SyntaxTree tree =
      read_texts({"(define (domain d) (:predicates (a)) (:action go :effect (a)))"
                  "(define (problem p) (:domain d) (:goal (a)))"});
  EXPECT_THAT(tree.init, IsEmpty());
  EXPECT_FALSE(tree.initial_draw);
  EXPECT_THAT(tree.notes, ElementsAre("there is no ':init': in the initial state no fact is true"));
}

TEST(Init, MayBeDrawn) {
  const SyntaxTree tree = read_blocks(
      {.init = "(done) (probabilistic 1/2 (and (clear b1) (not (done))) 1/4 (probabilistic 0.5 "
               "(clear b2))) (clear home) (probabilistic 0.1 done)"});
  EXPECT_EQ(tree.init.size(), 2U);
  ASSERT_TRUE(tree.initial_draw);
  EXPECT_EQ(Writer(tree).write(*tree.initial_draw),
            "(and (probabilistic 1/2 (and (clear b1) (not (done))) 1/4 (probabilistic 1/2 (clear "
            "b2))) (probabilistic 1/10 (done)))");
  EXPECT_THAT(tree.notes, Contains(HasSubstr("the initial state is drawn at random")));
}

TEST(Conditions, CompareStaticNumbers) {
  const SyntaxTree tree = read_blocks(
      {.precondition = "(and (< (dist ?x ?y) 3) (not (= (factor) (+ 1 2))) (>= 1 (dist ?x home)))",
       .init = "(= (factor) 3)"});
  EXPECT_EQ(Writer(tree).write(tree.actions[0].precondition),
            "(and (< (dist #0 #1) 3) (not (= (factor) 3)) (>= 1 (dist #0 home)))");
  for (const Function& function : tree.functions)
    EXPECT_FALSE(function.is_cost) << function.name;
}

constexpr const char* two_problems = R"(
  (define (domain d) (:predicates (a) (b)) (:action go :effect (a)))
  (define (problem P1) (:domain d) (:init (b)) (:goal (a)))
  (define (problem p2) (:domain d) (:unheard-of) (:goal (b))))";

SyntaxTree read_problem(const std::string& text, std::string_view name) {
  Monitor monitor;
  return read({{"all.pddl", text}}, monitor, name);
}

TEST(Problems, AreChosenByName) {
  EXPECT_EQ(read_problem(two_problems, "p1").init.size(), 1U);
  EXPECT_EQ(read_problem(two_problems, "P1").problem_name, "p1");
  // Nothing else is looked into.
  EXPECT_THROW(read_problem(two_problems, "p2"), InputError);
}

TEST(Problems, ThatDoNotExistAreAnError) {
  try {
    read_problem(two_problems, "p3");
    FAIL();
  } catch (const OptionError& error) {
    EXPECT_EQ(error.message(), "`problem`: there is no problem named 'p3'");
    EXPECT_EQ(error.hint(), "the problems are: p1, p2");
  }
}

TEST(Problems, InOneTextCannotShareConstrLines) {
  const std::string text = ";; CONSTR time <= 5 10\n" + std::string(R"(
    (define (domain d) (:predicates (a)) (:functions (time))
      (:action go :effect (and (a) (increase (time) 1))))
    (define (problem p1) (:domain d) (:goal (a)))
    (define (problem p2) (:domain d) (:goal (a))))");
  try {
    read_problem(text, "p1");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.message(), "a CONSTR line in a text with several problems");
    EXPECT_EQ(error.position().line, 1U);
  }
}

}  // namespace
}  // namespace carl::pddl
