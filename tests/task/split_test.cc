// Conditional effects, choices and costs of ground actions, compiled into variants.
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

/// Every variant as "precondition [costs] probability: effects | …", shadows included.
std::vector<std::string> variants(const task::Task& task) {
  std::vector<std::string> result;
  for (const task::Action& action : task.actions) {
    std::vector<std::string> outcomes;
    for (const task::Outcome& outcome : action.outcomes)
      outcomes.push_back(fmt::format("{}: {}",
                                     task.numbers[outcome.exact_probability.index()].get_str(),
                                     show(task, outcome.effects)));
    result.push_back(
        fmt::format("{} {} [{}] {}", task.labels[action.label], show(task, action.precondition),
                    fmt::join(task.cost_vectors[action.cost], " "), fmt::join(outcomes, " | ")));
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

TEST(Split, OnlyOnConditionsThatAreOpen) {
  const Problem problem(simple(R"(
      (:action a :parameters () :precondition (p)
       :effect (and (when (p) (q)) (when (not (p)) (r)) (when (s) (and (r) (not (p)))) (not (s))))
      (:action b :parameters () :precondition () :effect (and (s) (p))))",
                               "", "(and (q) (r))"));
  EXPECT_THAT(variants(problem.task()),
              UnorderedElementsAre("(a) (s) (p) [0] 1: -(s) -(p) (q) (r)",
                                   "(a) -(s) (p) [0] 1: (q)", "(b)  [0] 1: (s) (p)"));
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

TEST(Split, AChainOverOneGroupHasACaseForEachMember) {
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
  EXPECT_EQ(problem.task().actions.size(), 40U);
}

/// `count` independent switches, all looked at or drawn for by one action.
std::string switches(std::size_t count, const std::string& effect) {
  std::string objects;
  for (std::size_t i = 0; i < count; ++i)
    objects += fmt::format(" o{}", i);
  return fmt::format(R"(
    (define (domain d) (:requirements :adl :probabilistic-effects)
      (:predicates (on ?x) (seen ?x))
      (:action flip :parameters (?x) :precondition () :effect (on ?x))
      (:action look :parameters () :precondition () :effect (forall (?x) {})))
    (define (problem p) (:domain d) (:objects{}) (:init) (:goal (forall (?x) (seen ?x)))))",
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
  const Problem fits(switches(12, "(when (on ?x) (seen ?x))"));
  EXPECT_EQ(fits.task().actions.size(), 12 + 4095U);  // nothing on: nothing seen
  EXPECT_THAT(error_of(switches(13, "(when (on ?x) (seen ?x))")),
              HasSubstr("5: (look) has more than 4096 variants"));
}

// The first case alone would assume more atoms than there may be cases.
TEST(Split, RefusesVeryLongConditions) {
  std::string text = switches(4200, "(when (and (= ?x o0) (forall (?y) (on ?y))) (seen ?x))");
  text.insert(text.find("(:predicates"), "(:constants o0) ");
  text.erase(text.find(" o0", text.find("(:objects")), 3);
  text.replace(text.find("(forall (?x) (seen ?x))"), 23, "(seen o0)");
  EXPECT_THAT(error_of(text), HasSubstr("(look) has more than 4096 variants"));
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
