#include "task/exploration.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pddl/read.h"
#include "task/circuit.h"
#include "util/random.h"

namespace carl::task {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A problem explored; keeps alive what the result refers to.
struct Explored {
  explicit Explored(const std::string& text, std::size_t max_actions = max_ground_actions)
      : sources{{"test.pddl", text}},
        tree(pddl::read(sources, monitor)),
        lifted(lift(tree)),
        exploration(explore(lifted, sources, monitor, max_actions)) {}

  std::vector<std::string> actions() const {
    std::vector<std::string> names;
    for (const ActionInstance& action : exploration.actions)
      names.push_back(ground_name(tree.actions[action.schema].name, action.arguments, tree));
    return names;
  }

  Monitor monitor;
  std::vector<pddl::SourceText> sources;
  pddl::SyntaxTree tree;
  LiftedTask lifted;
  Exploration exploration;
};

TEST(Circuit, FiresOnceWhenAFormulaBecomesTrue) {
  const auto literal = [](std::size_t i) { return Literal(AtomId(i), true); };
  FormulaBuilder either(Formula::Kind::disjunction);
  either.add(Formula::of(literal(1)));
  either.add(Formula::of(literal(2)));
  FormulaBuilder all(Formula::Kind::conjunction);
  all.add(Formula::of(literal(0)));
  all.add(either.build());
  Circuit circuit;
  circuit.add(all.build(), 7);
  std::vector<std::uint32_t> fired;
  circuit.reach(literal(1), fired);
  circuit.reach(literal(2), fired);
  EXPECT_TRUE(fired.empty());
  circuit.reach(!literal(0), fired);
  EXPECT_TRUE(fired.empty());
  circuit.reach(literal(0), fired);
  EXPECT_THAT(fired, ElementsAre(7U));
}

TEST(Explore, FindsActionsInTheOrderOfTheText) {
  const Explored result(R"(
    (define (domain d) (:predicates (at ?x) (road ?x ?y))
      (:action go :parameters (?x ?y) :precondition (and (at ?x) (road ?x ?y))
       :effect (and (not (at ?x)) (at ?y))))
    (define (problem p) (:domain d) (:objects a b c d)
      (:init (at b) (road c a) (road b c) (road d a)) (:goal (at a))))");
  EXPECT_THAT(result.actions(), ElementsAre("(go b c)", "(go c a)"));
}

TEST(Explore, ConditionalEffectsReachOnlyWhatTheirConditionsAllow) {
  const Explored result(R"(
    (define (domain d) (:predicates (p) (q) (r) (s) (t))
      (:action a :parameters () :precondition (p)
       :effect (and (when (q) (r)) (when (not (p)) (s)) (when (s) (t))))
      (:action b :parameters () :precondition (r) :effect (s))
      (:action c :parameters () :precondition (s) :effect (not (p)))
      (:action d :parameters () :precondition (t) :effect (t)))
    (define (problem p) (:domain d) (:init (p)) (:goal (t))))");
  // Nothing ever makes q true, and p stays true as long as s is false.
  EXPECT_THAT(result.actions(), ElementsAre("(a)"));
}

TEST(Explore, NegationsAreReachedByDeletesOnly) {
  const Explored result(R"(
    (define (domain d) (:predicates (p) (q) (r))
      (:action a :parameters () :precondition (not (p)) :effect (r))
      (:action b :parameters () :precondition (not (q)) :effect (r))
      (:action c :parameters () :precondition (p) :effect (not (q))))
    (define (problem p) (:domain d) (:init (p) (q)) (:goal (r))))");
  EXPECT_THAT(result.actions(), ElementsAre("(b)", "(c)"));
}

TEST(Explore, BranchesOfProbabilityZeroReachNothing) {
  const Explored result(R"(
    (define (domain d) (:predicates (p) (q) (r))
      (:action a :parameters () :precondition () :effect (probabilistic 0 (p) 0.1 (q)))
      (:action b :parameters () :precondition (p) :effect (r))
      (:action c :parameters () :precondition (q) :effect (r)))
    (define (problem p) (:domain d) (:init) (:goal (r))))");
  EXPECT_THAT(result.actions(), ElementsAre("(a)", "(c)"));
}

/// Six parameters over 50 objects each, joined by sparse static relations.
std::string long_chain_problem() {
  SplitMix64 random(5);
  std::string objects;
  std::string init = "(at o0)";
  for (int i = 0; i < 50; ++i) {
    objects += fmt::format(" o{}", i);
    for (int r = 0; r < 5; ++r)
      init += fmt::format(" (r{} o{} o{}) (r{} o{} o{})", r, i, i, r, i, (i + 7 * r + 1) % 50);
  }
  return fmt::format(R"(
    (define (domain d)
      (:predicates (at ?x) (r0 ?x ?y) (r1 ?x ?y) (r2 ?x ?y) (r3 ?x ?y) (r4 ?x ?y) (done ?x))
      (:action a :parameters (?a ?b ?c ?d ?e ?f)
       :precondition (and (at ?a) (r0 ?a ?b) (r1 ?b ?c) (r2 ?c ?d) (r3 ?d ?e) (r4 ?e ?f))
       :effect (and (not (at ?a)) (at ?f) (done ?d))))
    (define (problem p) (:domain d) (:objects{}) (:init {}) (:goal (done o3))))",
                     objects, init);
}

TEST(Explore, JoinsStaticPreconditionsInsteadOfTryingAllObjects) {
  const Explored result(long_chain_problem());
  // 50 objects with two ways on at each of five steps; 50^6 would be 15 billion.
  EXPECT_EQ(result.exploration.actions.size(), 1600U);
  EXPECT_LT(result.exploration.tables.steps, 5000U);
}

TEST(Explore, QuantifiersOverSparseRelationsStaySmall) {
  std::string objects;
  std::string init;
  for (int i = 0; i < 300; ++i) {
    objects += fmt::format(" o{}", i);
    init += fmt::format(" (link o{} o{})", i, (i + 1) % 300);
  }
  const Explored result(fmt::format(R"(
    (define (domain d) (:requirements :adl) (:predicates (on ?x) (link ?x ?y))
      (:action a :parameters (?x)
       :precondition (and (exists (?y ?z) (and (link ?x ?y) (link ?y ?z) (not (on ?z))))
                          (forall (?y ?z) (imply (and (link ?x ?y) (link ?y ?z)) (not (on ?y)))))
       :effect (and (on ?x) (forall (?y ?z) (when (and (link ?x ?y) (link ?y ?z)) (not (on ?z)))))))
    (define (problem p) (:domain d) (:objects{}) (:init{}) (:goal (on o3))))",
                                    objects, init));
  EXPECT_EQ(result.exploration.actions.size(), 300U);
  EXPECT_LT(result.exploration.tables.steps, 20000U);  // blindly: 300^3 = 27 million
}

TEST(Explore, RefusesTooManyGroundActions) {
  const std::string text = R"(
    (define (domain d) (:predicates (p ?x))
      (:action a :parameters (?a ?b ?c ?d ?e ?f) :precondition () :effect (p ?a)))
    (define (problem p) (:domain d) (:objects o1 o2 o3 o4 o5) (:init) (:goal (p o1))))";
  try {
    const Explored result(text, 1000);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.message(),
              "the problem has more than 1000 ground actions, 1000 of them of 'a'");
    EXPECT_THAT(error.hint(), HasSubstr("objects for its parameters (1 for ?a, 2 for ?b, 5 for"));
    EXPECT_EQ(error.position().line, 3U);
  }
}

/// A comparison that is known to be false ends a join as soon as its variables are bound.
TEST(Explore, ComparisonsOfStaticNumbersRestrictJoins) {
  std::string objects;
  std::string values;
  for (int i = 0; i < 60; ++i) {
    objects += fmt::format(" o{}", i);
    values += fmt::format(" (= (w o{}) {})", i, i);
  }
  const Explored result(fmt::format(R"(
    (define (domain d) (:predicates (p ?x)) (:functions (w ?x))
      (:action a :parameters (?a ?b ?c)
       :precondition (and (< (w ?a) 2) (not (>= (w ?b) 3)) (= (w ?c) (+ (w ?a) (w ?b))))
       :effect (p ?c)))
    (define (problem p) (:domain d) (:objects{}) (:init{}) (:goal (p o3))))",
                                    objects, values));
  EXPECT_EQ(result.exploration.actions.size(), 6U);
  EXPECT_LT(result.exploration.tables.steps, 2000U);  // blindly: 60^3 = 216 thousand
}

TEST(Explore, ActionsThatNeverApplyDoNotCountAsApplicable) {
  const Explored result(R"(
    (define (domain d) (:requirements :adl) (:predicates (p ?x) (q ?x))
      (:action a :parameters (?x) :precondition (or (p ?x) (q ?x)) :effect (q ?x)))
    (define (problem p) (:domain d) (:objects o1 o2 o3) (:init (p o1) (q o3)) (:goal (q o1))))");
  EXPECT_THAT(result.actions(), ElementsAre("(a o1)", "(a o3)"));
}

TEST(Explore, RefusesMoreVariablesThanItCanRecurseOver) {
  std::string parameters;
  for (int i = 0; i < 2000; ++i)
    parameters += fmt::format(" ?x{}", i);
  const std::string text = fmt::format(R"(
    (define (domain d) (:predicates (p))
      (:action a :parameters ({}) :precondition () :effect (p)))
    (define (problem p) (:domain d) (:objects o1) (:init) (:goal (p))))",
                                       parameters);
  EXPECT_THROW(Explored{text}, InputError);
}

}  // namespace
}  // namespace carl::task
