// Conditional effects, choices and costs of ground actions: what is decided, multiplied out, kept
// or split into variants.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "carl/error.h"
#include "task/knowledge.h"
#include "task/problem.h"

namespace carl::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

std::string show(const task::Task& task, const std::vector<task::Fact>& facts) {
  std::vector<std::string> names;
  for (const task::Fact& fact : facts) {
    const task::Variable& variable = task.variables[fact.variable.index()];
    const std::string& value = variable.values[fact.value];
    names.push_back(value.empty() ? "-" + variable.values[0] : value);
  }
  return fmt::format("{}", fmt::join(names, " "));
}

/// "probability: effects | …"; a number in brackets is a conditional effect.
std::string show(const task::Task& task, const std::vector<task::Outcome>& outcomes) {
  std::vector<std::string> texts;
  for (const task::Outcome& outcome : outcomes) {
    texts.push_back(fmt::format("{}: {}", task.numbers[outcome.exact_probability.index()].get_str(),
                                show(task, outcome.effects)));
    for (const std::uint32_t k : outcome.conditionals)
      texts.back() += fmt::format(" <{}>", k);
  }
  return fmt::format("{}", fmt::join(texts, " | "));
}

/// Every variant as "precondition [costs] outcomes", then "; condition or … ? outcomes" for each of
/// its conditional effects. Shadows are included.
std::vector<std::string> variants(const task::Task& task) {
  std::vector<std::string> result;
  for (const task::Action& action : task.actions) {
    result.push_back(
        fmt::format("{} {} [{}] {}", task.labels[action.label], show(task, action.precondition),
                    fmt::join(task.cost_vectors[action.cost], " "), show(task, action.outcomes)));
    for (const task::ConditionalEffect& effect : action.conditionals) {
      std::vector<std::string> terms;
      for (const std::vector<task::Fact>& term : effect.condition)
        terms.push_back(show(task, term));
      result.back() +=
          fmt::format("; {} ? {}", fmt::join(terms, " or "), show(task, effect.outcomes));
    }
  }
  return result;
}

std::string simple(const std::string& actions, const std::string& init, const std::string& goal) {
  return fmt::format(R"(
    (define (domain d) (:requirements :adl :probabilistic-effects :fluents)
      (:predicates (p) (q) (r) (s)) (:functions (c))
      {})
    (define (problem p) (:domain d) (:init {}) (:goal {}) (:metric minimize (c))))",
                     actions, init, goal);
}

TEST(Split, KeepsConditionsThatAreOpen) {
  const Problem problem(simple(R"(
      (:action a :parameters () :precondition (p)
       :effect (and (when (p) (q)) (when (not (p)) (r)) (when (s) (and (r) (not (p)))) (not (s))))
      (:action b :parameters () :precondition () :effect (and (s) (p))))",
                               "", "(and (q) (r))"));
  EXPECT_THAT(variants(problem.task()),
              UnorderedElementsAre("(a) (p) [0] 1: -(s) (q) <0>; (s) ? 1: -(p) (r)",
                                   "(b)  [0] 1: (s) (p)"));
}

TEST(Split, OnConditionsOfCosts) {
  const Problem problem(simple(R"(
      (:action a :parameters () :precondition ()
       :effect (and (when (p) (increase (c) 1)) (when (and (p) (s)) (q)) (when (s) (not (p)))))
      (:action b :parameters () :precondition () :effect (and (s) (p))))",
                               "", "(q)"));
  EXPECT_THAT(variants(problem.task()),
              UnorderedElementsAre("(a) (p) [1] 1:  <0>; (s) ? 1: -(p) (q)",
                                   "(b)  [0] 1: (p) (s)"));  // without p, a does nothing
}

TEST(Split, ChancesUnderAConditionAreKeptWithIt) {
  const Problem problem(simple(R"(
      (:action a :parameters () :precondition ()
       :effect (and (when (or (p) (s)) (probabilistic 1/3 (q) 2/3 (when (r) (not (p)))))
                    (probabilistic 1/4 (when (s) (r)))))
      (:action b :parameters () :precondition () :effect (and (p) (s) (not (r)))))",
                               "", "(and (q) (r))"));
  EXPECT_THAT(variants(problem.task()),
              UnorderedElementsAre("(a)  [0] 1:  <0> <2>; (p) or (s) ? 1/3: (q) | 2/3:  <1>; "
                                   "(r) ? 1: -(p);  ? 1/4:  <3> | 3/4: ; (s) ? 1: (r)",
                                   "(b)  [0] 1: (p) (s) -(r)"));
}

TEST(Split, AnAddWinsOverADeleteInAnotherPartOfTheEffect) {
  const Problem problem(simple(R"(
      (:action a :parameters () :precondition (p) :effect (and (p) (q) (when (s) (not (p)))))
      (:action b :parameters () :precondition (p) :effect (and (not (p)) (when (s) (p)) (r)))
      (:action c :parameters () :precondition () :effect (and (s) (p))))",
                               "", "(and (q) (r) (not (s)) (not (p)))"));
  EXPECT_THAT(
      variants(problem.task()),
      UnorderedElementsAre("(a) (p) [0] 1: (p) (q)", "(b) (p) [0] 1: -(p) (r) <0>; (s) ? 1: (p)",
                           "(c)  [0] 1: (s) (p)"));
}

TEST(Split, WhetherItIsTrueNeedNotBeAskedToMakeAnAtomFalse) {
  const Problem problem(simple(R"(
      (:action a :parameters () :precondition ()
       :effect (and (q) (when (p) (not (p))) (when (and (r) (s)) (not (s)))))
      (:action b :parameters () :precondition () :effect (and (s) (p) (r))))",
                               "", "(and (q) (not (p)) (not (s)) (r))"));
  EXPECT_THAT(
      variants(problem.task()),
      UnorderedElementsAre("(a)  [0] 1: (q) -(p) <0>; (r) ? 1: -(s)", "(b)  [0] 1: (p) (r) (s)"));
}

TEST(Split, CostsAreExactExpectationsOfEachVariant) {
  const Problem problem(simple(R"(
      (:action a :parameters () :precondition ()
       :effect (and (probabilistic 1/3 (and (q) (increase (c) 1)) 1/3 (when (p) (increase (c) 3)))
                    (probabilistic 1/2 (p)) (increase (c) 2))))",
                               "", "(q)"));
  ASSERT_EQ(problem.task().exact_cost_vectors.size(), 2U);
  std::vector<std::string> costs;
  for (const auto& cost : problem.task().exact_cost_vectors)
    costs.push_back(problem.task().numbers[cost[0].index()].get_str());
  EXPECT_THAT(costs, UnorderedElementsAre("7/3", "10/3"));
}

TEST(Split, OutcomesThatDoTheSameAreMerged) {
  const Problem problem(simple(R"(
      (:action a :parameters () :precondition (not (q))
       :effect (and (probabilistic 1/4 (q) 1/4 (and (q) (not (p))) 1/4 (not (q)))
                    (probabilistic 1/2 (and))))
      (:action b :parameters () :precondition (q) :effect (and (p) (r))))",
                               "", "(and (r) (q))"));
  EXPECT_THAT(variants(problem.task()),
              UnorderedElementsAre("(a) -(q) [0] 1/2: (q) | 1/2: ", "(b) (q) [0] 1: (r)"));
}

TEST(Split, AChainOverOneGroupHasAConditionForEachMember) {
  std::string objects;
  std::string links;
  for (int i = 0; i < 40; ++i) {
    objects += fmt::format(" o{}", i);
    links += fmt::format(" (next o{} o{})", i, (i + 1) % 40);
  }
  const Problem problem(fmt::format(R"(
    (define (domain d) (:requirements :adl) (:predicates (at ?x) (next ?x ?y))
      (:action tick :parameters () :precondition ()
       :effect (forall (?x ?y) (when (and (at ?x) (next ?x ?y)) (and (not (at ?x)) (at ?y))))))
    (define (problem p) (:domain d) (:objects{}) (:init (at o0){}) (:goal (at o30))))",
                                    objects, links));
  EXPECT_EQ(problem.task().variables.size(), 1U);
  EXPECT_EQ(problem.task().variables[0].values.size(), 40U);  // it is always somewhere
  ASSERT_EQ(problem.task().actions.size(), 1U);
  EXPECT_EQ(problem.task().actions[0].conditionals.size(), 40U);
}

/// Where a vehicle was need not be asked, since it is known where it is now; where it must be asked,
/// it is asked of the variable.
TEST(Split, DeletesFitTheVariables) {
  const Problem problem(R"(
    (define (domain d) (:requirements :adl) (:predicates (at ?x) (on))
      (:action go :parameters (?x) :precondition (not (at ?x))
       :effect (and (at ?x) (on) (forall (?y) (when (at ?y) (not (at ?y))))))
      (:action fade :parameters () :precondition () :effect (when (on) (forall (?y) (not (at ?y))))))
    (define (problem p) (:domain d) (:objects a b) (:init (at a)) (:goal (at b))))");
  EXPECT_THAT(
      variants(problem.task()),
      UnorderedElementsAre(HasSubstr("(go a)"), "(go b) -(at b) [1] 1: (at b) (on) -(at a) (at b)",
                           "(fade)  [1] 1:  <0>; (on) ? 1:  <1> <2>; (at a) ? 1: -(at a) -(at a); "
                           "(at b) ? 1: -(at a) -(at b)"));
}

/// `count` independent switches, all looked at or drawn for by one action.
std::string switches(std::size_t count, const std::string& effect) {
  std::string objects;
  for (std::size_t i = 0; i < count; ++i)
    objects += fmt::format(" o{}", i);
  return fmt::format(R"(
    (define (domain d) (:requirements :adl :probabilistic-effects :fluents)
      (:predicates (on ?x) (lit ?x) (seen ?x)) (:functions (c))
      (:action flip :parameters (?x) :precondition () :effect (and (on ?x) (lit ?x)))
      (:action look :parameters () :precondition () :effect (forall (?x) {})))
    (define (problem p) (:domain d) (:objects{}) (:init) (:goal (forall (?x) (seen ?x)))
      (:metric minimize (c))))",
                     effect, objects);
}

/// The error that a problem gives.
std::string error_of(const std::string& text) {
  try {
    const Problem problem(text);
  } catch (const InputError& error) {
    return fmt::format("{}: {}", error.position().line, error.message());
  }
  return "no error";
}

TEST(Split, RefusesTooManyVariants) {
  const std::string effect = "(when (on ?x) (and (seen ?x) (increase (c) 1)))";
  const Problem fits(switches(12, effect));
  EXPECT_EQ(fits.task().actions.size(), 12 + 4095U);  // nothing on: nothing seen
  EXPECT_THAT(error_of(switches(13, effect)),
              HasSubstr("5: (look) has more than 4096 variants that differ in cost"));
  const Problem conditional(switches(13, "(when (on ?x) (seen ?x))"));
  EXPECT_EQ(conditional.task().actions.size(), 13 + 1U);
}

/// One effect under a condition about all of many switches.
std::string one_effect(std::size_t count, const std::string& condition, const std::string& effect) {
  std::string text =
      switches(count, fmt::format("(when (and (= ?x o0) {}) {})", condition, effect));
  text.insert(text.find("(:predicates"), "(:constants o0) ");
  text.erase(text.find(" o0", text.find("(:objects")), 3);
  text.replace(text.find("(forall (?x) (seen ?x))"), 23, "(and (seen o0) (not (seen o1)))");
  return text;
}

// The first case alone would assume more atoms than there may be cases.
TEST(Split, RefusesVeryLongConditionsOfCosts) {
  const std::string all = "(forall (?y) (on ?y))";
  EXPECT_THAT(error_of(one_effect(4200, all, "(and (seen ?x) (increase (c) 1))")),
              HasSubstr("(look) has more than 4096 variants that differ in cost"));
  EXPECT_EQ(error_of(one_effect(4200, all, "(seen ?x)")), "no error");
}

// What would have 2^13 alternatives as a whole has two at a time.
TEST(Split, AsksForLongConjunctionsPartByPart) {
  const std::string each = "(forall (?y) (or (on ?y) (lit ?y)))";
  const Problem problem(one_effect(13, each, "(seen ?x)"));
  const auto& look = problem.task().actions.back();
  ASSERT_EQ(problem.task().labels[look.label], "(look)");
  ASSERT_EQ(look.conditionals.size(), 13U);
  for (std::uint32_t k = 0; k < 13; ++k)
    EXPECT_EQ(look.conditionals[k].parent, k == 0 ? task::ConditionalEffect::none : k - 1);
  EXPECT_THAT(error_of(one_effect(13, "(or (seen o0) " + each + ")", "(seen ?x)")),
              HasSubstr("5: (look) has more than 4096 alternatives in the condition of an effect"));
}

TEST(Split, RefusesTooManyOutcomes) {
  const Problem fits(switches(10, "(probabilistic 1/2 (seen ?x))"));
  EXPECT_EQ(fits.task().actions.size(), 1U);
  EXPECT_EQ(fits.task().actions[0].outcomes.size(), 1024U);
  EXPECT_THAT(error_of(switches(17, "(probabilistic 1/2 (seen ?x))")),
              HasSubstr("5: (look) has more than 65536 outcomes"));
}

TEST(Knowledge, DrawsConclusionsFromGroupsAndTakesThemBack) {
  using task::AtomId;
  using task::Literal;
  using task::Truth;
  const std::vector<AtomId> members{AtomId(0), AtomId(1), AtomId(2)};
  const task::MutexGroups groups({{members, true}}, 4);
  task::Knowledge knowledge(groups, 4);
  EXPECT_TRUE(knowledge.assume(Literal(AtomId(3), false)));
  const std::size_t mark = knowledge.mark();
  EXPECT_TRUE(knowledge.assume(Literal(AtomId(1), true)));
  EXPECT_EQ(knowledge.value(AtomId(0)), Truth::no);
  EXPECT_FALSE(knowledge.assume(Literal(AtomId(2), true)));
  knowledge.undo(mark);
  EXPECT_EQ(knowledge.value(AtomId(0)), Truth::unknown);
  EXPECT_TRUE(knowledge.assume(Literal(AtomId(0), false)));
  EXPECT_TRUE(knowledge.assume(Literal(AtomId(1), false)));
  EXPECT_EQ(knowledge.value(AtomId(2)), Truth::yes);
  // What follows from the one that is true need not be said.
  EXPECT_THAT(knowledge.core(), ElementsAre(Literal(AtomId(2), true), Literal(AtomId(3), false)));
  EXPECT_FALSE(knowledge.assume(Literal(AtomId(2), false)));
}

}  // namespace
}  // namespace carl::testing
