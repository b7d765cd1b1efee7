#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "task/exploration.h"
#include "task/ground_task.h"
#include "task/invariants.h"
#include "task/lifted.h"
#include "task/problem.h"

namespace carl::testing {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

/// The mutex groups of a problem as sets of names; those of which one is always true end in "!".
std::set<std::set<std::string>> groups_of(const std::string& text) {
  Monitor monitor;
  const std::vector<pddl::SourceText> sources{{"test.pddl", text}};
  const pddl::SyntaxTree tree = pddl::read(sources, monitor);
  const task::LiftedTask lifted = task::lift(tree);
  const task::GroundTask ground =
      task::ground(task::explore(lifted, sources, monitor), sources, monitor);
  const task::MutexGroups groups = task::find_mutex_groups(ground, monitor);
  std::set<std::set<std::string>> result;
  for (const task::MutexGroup& group : groups.groups()) {
    std::set<std::string> names;
    for (const task::AtomId atom : group.atoms)
      names.insert(ground.atom_name(atom));
    if (group.exactly_one) names.insert("!");
    result.insert(names);
  }
  return result;
}

/// A domain with the given action effects over at(?x) and further predicates, three places a b c.
std::string places(const std::string& actions, const std::string& init = "(at a)") {
  return fmt::format(R"(
    (define (domain d) (:requirements :adl :probabilistic-effects)
      (:constants a b c)
      (:predicates (at ?x) (lost) (on) (held ?x))
      {})
    (define (problem p) (:domain d) (:init {}) (:goal (at c))))",
                     actions, init);
}

std::string blocks_world(std::size_t blocks) {
  std::string objects;
  std::string init;
  for (std::size_t i = 0; i < blocks; ++i) {
    objects += fmt::format(" b{}", i);
    init += fmt::format(" (on-table b{}) (clear b{})", i, i);
  }
  return fmt::format(R"(
    (define (domain blocks)
      (:predicates (on ?x ?y) (on-table ?x) (clear ?x) (hand-empty) (holding ?x))
      (:action pick-up :parameters (?x)
       :precondition (and (clear ?x) (on-table ?x) (hand-empty))
       :effect (and (not (on-table ?x)) (not (clear ?x)) (not (hand-empty)) (holding ?x)))
      (:action put-down :parameters (?x)
       :precondition (holding ?x)
       :effect (and (not (holding ?x)) (clear ?x) (hand-empty) (on-table ?x)))
      (:action stack :parameters (?x ?y)
       :precondition (and (holding ?x) (clear ?y))
       :effect (and (not (holding ?x)) (not (clear ?y)) (clear ?x) (hand-empty) (on ?x ?y)))
      (:action unstack :parameters (?x ?y)
       :precondition (and (on ?x ?y) (clear ?x) (hand-empty))
       :effect (and (holding ?x) (clear ?y) (not (clear ?x)) (not (hand-empty)) (not (on ?x ?y)))))
    (define (problem p) (:domain blocks) (:objects{}) (:init (hand-empty){})
      (:goal (and (on b0 b1) (on b1 b2)))))",
                     objects, init);
}

TEST(Invariants, BlocksWorldHasTwoVariablesPerBlockAndTheHand) {
  for (const std::size_t blocks : {3U, 8U}) {
    const Problem problem(blocks_world(blocks));
    EXPECT_EQ(problem.task().variables.size(), 2 * blocks + 1);
    std::size_t positions = 0;
    for (const task::Variable& variable : problem.task().variables)
      positions += variable.values.size() == blocks + 1 ? 1 : 0;
    EXPECT_EQ(positions, blocks);  // on another block, on the table, or held: never none of those
  }
}

TEST(Invariants, AMoveKeepsOnePlace) {
  EXPECT_THAT(groups_of(places(R"(
      (:action go :parameters (?x ?y) :precondition (at ?x) :effect (and (not (at ?x)) (at ?y))))")),
              UnorderedElementsAre(std::set<std::string>{"(at a)", "(at b)", "(at c)", "!"}));
}

TEST(Invariants, NothingIsKeptIfTheStartBreaksIt) {
  EXPECT_THAT(groups_of(places(R"(
      (:action go :parameters (?x ?y) :precondition (at ?x) :effect (and (not (at ?x)) (at ?y))))",
                               "(at a) (at b)")),
              IsEmpty());
}

TEST(Invariants, AnAddWithoutADeleteBreaksIt) {
  EXPECT_THAT(groups_of(places(R"(
      (:action go :parameters (?x ?y) :precondition (at ?x) :effect (at ?y)))")),
              IsEmpty());
}

TEST(Invariants, TheDeletedAtomMustBeKnownToHold) {
  EXPECT_THAT(groups_of(places(R"(
      (:action go :parameters (?x ?y) :precondition (on) :effect (and (not (at ?x)) (at ?y)))
      (:action off :parameters () :precondition (on) :effect (not (on))))",
                               "(at a) (on)")),
              IsEmpty());
}

// With ?x = ?z one token is taken away and two are put down.
TEST(Invariants, ParametersMayBeTheSameObject) {
  EXPECT_THAT(groups_of(places(R"(
      (:action split :parameters (?x ?y ?z ?w) :precondition (and (at ?x) (at ?z))
       :effect (and (not (at ?x)) (not (at ?z)) (at ?y) (at ?w))))")),
              IsEmpty());
}

TEST(Invariants, BranchesOfOneChoiceExcludeEachOtherButTwoChoicesDoNot) {
  const std::set<std::string> place{"(at a)", "(at b)", "(at c)", "!"};
  EXPECT_THAT(groups_of(places(R"(
      (:action go :parameters (?x) :precondition (at ?x)
       :effect (and (not (at ?x)) (probabilistic 0.5 (at b) 0.5 (at c)))))")),
              Contains(place));
  EXPECT_THAT(groups_of(places(R"(
      (:action go :parameters (?x) :precondition (at ?x)
       :effect (and (not (at ?x)) (probabilistic 0.5 (at b)) (probabilistic 0.5 (at c)))))")),
              IsEmpty());
}

TEST(Invariants, AChoiceMayLeaveNothing) {
  EXPECT_THAT(groups_of(places(R"(
      (:action go :parameters (?x) :precondition (at ?x)
       :effect (and (not (at ?x)) (probabilistic 0.5 (at b) 0.4 (at c)))))")),
              UnorderedElementsAre(std::set<std::string>{"(at a)", "(at b)", "(at c)"}));
}

TEST(Invariants, ADeleteInAnotherBranchDoesNotBalance) {
  EXPECT_THAT(groups_of(places(R"(
      (:action go :parameters (?x) :precondition (at ?x)
       :effect (and (probabilistic 0.5 (at b) 0.5 (not (at ?x))))))")),
              Each(Not(Contains("(at b)"))));
}

TEST(Invariants, ConditionsThatExcludeEachOtherAreSeen) {
  // Which way is taken depends on where it is, which is what the invariant is about.
  EXPECT_THAT(groups_of(places(R"(
      (:action shift :parameters ()
       :precondition ()
       :effect (and (when (at a) (and (not (at a)) (at b))) (when (at b) (and (not (at b)) (at c))))))")),
              Contains(std::set<std::string>{"(at a)", "(at b)", "(at c)", "!"}));
  // Two ways at once, on and not on exclude each other, on and lost do not.
  const char* const text = R"(
      (:action go :parameters () :precondition (at a)
       :effect (and (not (at a)) (when (on) (at b)) (when {} (at c)) (probabilistic 0.5 (not (on)))))
      (:action x :parameters () :precondition () :effect (probabilistic 0.5 (on) 0.1 (lost))))";
  const std::set<std::string> place{"(at a)", "(at b)", "(at c)"};
  EXPECT_THAT(groups_of(places(fmt::format(fmt::runtime(text), "(not (on))"))), Contains(place));
  EXPECT_THAT(groups_of(places(fmt::format(fmt::runtime(text), "(lost)"))), Not(Contains(place)));
}

TEST(Invariants, ADeleteUnderAnotherConditionDoesNotBalance) {
  EXPECT_THAT(groups_of(places(R"(
      (:action go :parameters (?x ?y) :precondition (at ?x)
       :effect (and (at ?y) (when (on) (not (at ?x)))))
      (:action x :parameters () :precondition () :effect (probabilistic 0.5 (on) 0.1 (not (on)))))")),
              IsEmpty());
}

TEST(Invariants, AddingWhatIsDeletedAndKnownCountsAsAnAdd) {
  // Leaves a, goes to b, and is at a again: two places.
  EXPECT_THAT(groups_of(places(R"(
      (:action go :parameters () :precondition (at a) :effect (and (not (at a)) (at a) (at b))))")),
              IsEmpty());
}

TEST(Invariants, AddingWhatIsKnownAndKeptChangesNothing) {
  EXPECT_THAT(groups_of(places(R"(
      (:action go :parameters (?x ?y) :precondition (at ?x) :effect (and (not (at ?x)) (at ?y)))
      (:action stay :parameters (?x) :precondition (at ?x) :effect (and (at ?x) (on))))")),
              Contains(std::set<std::string>{"(at a)", "(at b)", "(at c)", "!"}));
}

TEST(Invariants, AreRefinedByPredicatesWithOtherArguments) {
  EXPECT_THAT(groups_of(places(R"(
      (:action take :parameters (?x) :precondition (at ?x) :effect (and (not (at ?x)) (held ?x)))
      (:action put :parameters (?x ?y) :precondition (held ?x) :effect (and (not (held ?x)) (at ?y)))
      (:action lose :parameters (?x) :precondition (held ?x) :effect (and (not (held ?x)) (lost)))
      (:action find :parameters (?y) :precondition (lost) :effect (and (not (lost)) (at ?y))))")),
              Contains(std::set<std::string>{"(at a)", "(at b)", "(at c)", "(held a)", "(held b)",
                                             "(held c)", "(lost)", "!"}));
}

TEST(Invariants, WhateverPlaceItWasMayBeDeletedWithoutKnowingIt) {
  const std::set<std::string> place{"(at a)", "(at b)", "(at c)", "!"};
  EXPECT_THAT(groups_of(places(R"(
      (:action go :parameters (?x) :precondition (not (at ?x))
       :effect (and (at ?x) (forall (?y) (when (at ?y) (not (at ?y)))))))")),
              Contains(place));
  EXPECT_THAT(groups_of(places(R"(
      (:action go :parameters (?x) :precondition (not (at c))
       :effect (and (at ?x) (when (and (at a) (not (at b))) (not (at a))) (not (at b)) (lost))))")),
              Not(Contains(place)));  // that it was at a and not at b is more than that it was at a
  EXPECT_THAT(groups_of(places(R"(
      (:action go :parameters (?x) :precondition (not (at c))
       :effect (and (at ?x) (when (at a) (not (at a))) (not (at b)) (lost))))")),
              Contains(place));
}

TEST(Invariants, WhateverPlaceItWasMustBeDeleted) {
  // Not if it was at c.
  EXPECT_THAT(groups_of(places(R"(
      (:action go :parameters (?x) :precondition ()
       :effect (and (at ?x) (when (at a) (not (at a))) (not (at b)))))")),
              Not(Contains(Contains("(at c)"))));
  // Not unless it is on.
  EXPECT_THAT(groups_of(places(R"(
      (:action go :parameters (?x) :precondition ()
       :effect (and (at ?x) (forall (?y) (when (and (on) (at ?y)) (not (at ?y))))))
      (:action x :parameters () :precondition () :effect (probabilistic 0.5 (on) 0.1 (not (on)))))")),
              IsEmpty());
  // Two new places at once.
  EXPECT_THAT(groups_of(places(R"(
      (:action go :parameters (?x ?z) :precondition ()
       :effect (and (at ?x) (at ?z) (forall (?y) (when (at ?y) (not (at ?y)))))))")),
              IsEmpty());
  // By chance only.
  EXPECT_THAT(groups_of(places(R"(
      (:action go :parameters (?x) :precondition ()
       :effect (and (at ?x) (probabilistic 0.5 (forall (?y) (when (at ?y) (not (at ?y))))))))")),
              IsEmpty());
}

// The alternatives of a precondition are checked one by one.
TEST(Invariants, HoldForEveryAlternativeOfThePrecondition) {
  EXPECT_THAT(groups_of(places(R"(
      (:action go :parameters (?y) :precondition (or (at a) (lost))
       :effect (and (not (at a)) (at ?y)))
      (:action lose :parameters (?x) :precondition (at ?x) :effect (and (not (at ?x)) (lost))))")),
              Not(Contains(Contains("(at b)"))));
}

}  // namespace
}  // namespace carl::testing
