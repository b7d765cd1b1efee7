// What the room as a whole promises: variables, shadows, relevance, costs, and errors that help.
#include "task/instantiate.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "carl/error.h"
#include "task/problem.h"

namespace carl::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

std::string problem_text(const std::string& domain, const std::string& problem) {
  return fmt::format(R"(
(define (domain d) (:requirements :adl :probabilistic-effects :fluents)
{})
(define (problem p) (:domain d)
{}))",
                     domain, problem);
}

/// The error that a problem gives, as "line:column: message / hint".
std::string error_of(const std::string& text) {
  try {
    const Problem problem(text);
  } catch (const InputError& error) {
    return fmt::format("{}:{}: {} / {}", error.position().line, error.position().column,
                       error.message(), error.hint());
  }
  return "no error";
}

std::vector<std::vector<std::string>> variables(const task::Task& task, bool shadows) {
  std::vector<std::vector<std::string>> result;
  for (const task::Variable& variable : task.variables)
    if (variable.shadow == shadows) result.push_back(variable.values);
  return result;
}

constexpr const char* walking = R"(
(:constants a b c) (:predicates (at ?x) (seen ?x))
(:action go :parameters (?x ?y) :precondition (and (at ?x) (not (= ?x ?y)))
 :effect (and (not (at ?x)) (at ?y)))
)";

TEST(Instantiate, ValuesAreTheAtomsOfAGroup) {
  const Problem problem(problem_text(walking, "(:init (at a)) (:goal (at c))"));
  EXPECT_THAT(variables(problem.task(), false),
              ElementsAre(UnorderedElementsAre("(at a)", "(at b)", "(at c)")));
  EXPECT_THAT(variables(problem.task(), true), IsEmpty());
}

TEST(Instantiate, AbsenceOfOneOfManyValuesNeedsAShadow) {
  const Problem problem(problem_text(std::string(walking) + R"(
(:action look :parameters () :precondition (not (at b)) :effect (seen b)))",
                                     "(:init (at a)) (:goal (seen b))"));
  EXPECT_THAT(variables(problem.task(), true), ElementsAre(ElementsAre("(at b)", "")));
}

TEST(Instantiate, AbsenceOfOneOfTwoValuesIsTheOther) {
  const Problem problem(problem_text(R"(
(:predicates (open) (closed) (done))
(:action open :parameters () :precondition (closed) :effect (and (open) (not (closed))))
(:action close :parameters () :precondition (open) :effect (and (closed) (not (open))))
(:action enter :parameters () :precondition (not (closed)) :effect (done)))",
                                     "(:init (closed)) (:goal (done))"));
  EXPECT_THAT(
      variables(problem.task(), false),
      UnorderedElementsAre(UnorderedElementsAre("(open)", "(closed)"), ElementsAre("(done)", "")));
  EXPECT_THAT(variables(problem.task(), true), IsEmpty());
}

TEST(Instantiate, AbsenceOfAllValuesIsNoneOfThose) {
  const Problem problem(problem_text(std::string(walking) + R"(
(:action leave :parameters (?x) :precondition (at ?x) :effect (not (at ?x)))
(:action rest :parameters () :precondition (forall (?x) (not (at ?x))) :effect (seen a)))",
                                     "(:init (at a)) (:goal (seen a))"));
  EXPECT_THAT(variables(problem.task(), true), IsEmpty());
  const auto& values = variables(problem.task(), false);
  EXPECT_TRUE(std::any_of(values.begin(), values.end(),
                          [](const auto& v) { return v.size() == 4 && v.back().empty(); }));
}

TEST(Instantiate, AnAtomDeletedBlindlyGetsItsOwnVariable) {
  const Problem problem(problem_text(std::string(walking) + R"(
(:action bomb :parameters () :precondition () :effect (and (not (at b)) (seen b))))",
                                     "(:init (at a)) (:goal (and (at c) (seen b)))"));
  EXPECT_THAT(variables(problem.task(), false),
              UnorderedElementsAre(UnorderedElementsAre("(at a)", "(at c)", ""),
                                   ElementsAre("(at b)", ""), ElementsAre("(seen b)", "")));
}

TEST(Instantiate, WhatDoesNotMatterIsLeftOut) {
  const Problem problem(problem_text(R"(
(:predicates (p) (q) (r) (s)) (:functions (c))
(:action a :parameters () :precondition (q) :effect (and (p) (r) (when (r) (s)) (increase (c) 1)))
(:action b :parameters () :precondition () :effect (and (q) (when (s) (increase (c) 1))))
(:action e :parameters () :precondition (p) :effect (not (r)))
(:action f :parameters () :precondition () :effect (increase (c) 0)))",
                                     "(:init) (:goal (p)) (:metric minimize (c))"));
  // s matters to the cost of b, r to s, and p to r; f does nothing.
  EXPECT_EQ(problem.task().variables.size(), 4U);
  EXPECT_THAT(problem.task().labels, ElementsAre("(a)", "(b)", "(e)"));
  const Problem smaller(problem_text(R"(
(:predicates (p) (q) (r) (s))
(:action a :parameters () :precondition (q) :effect (and (p) (r) (when (r) (s))))
(:action b :parameters () :precondition () :effect (q))
(:action e :parameters () :precondition (p) :effect (not (r))))",
                                     "(:init) (:goal (p))"));
  EXPECT_EQ(smaller.task().variables.size(), 2U);
  EXPECT_THAT(smaller.task().labels, ElementsAre("(a)", "(b)"));
  EXPECT_EQ(smaller.task().actions.size(), 2U);  // no split on what does not matter
}

TEST(Instantiate, AStateStillSaysWhereAThingIsThatIsLost) {
  const Problem problem(problem_text(R"(
(:constants a b pit) (:predicates (at ?x))
(:action go :parameters () :precondition (at a)
 :effect (and (not (at a)) (probabilistic 0.5 (at b) 0.5 (at pit)))))",
                                     "(:init (at a)) (:goal (at b))"));
  EXPECT_THAT(variables(problem.task(), false),
              ElementsAre(UnorderedElementsAre("(at a)", "(at b)", "(at pit)")));
}

TEST(Instantiate, WhatTurnsOutNeverToChangeIsFolded) {
  // (seen a) is deleted but always added again; (seen b) would need two places at once.
  const Problem problem(problem_text(std::string(walking) + R"(
(:action keep :parameters () :precondition () :effect (and (not (seen a)) (seen a)))
(:action twice :parameters () :precondition () :effect (when (and (at a) (at b)) (seen b)))
(:action yes :parameters () :precondition (and (at c) (seen a) (not (seen b))) :effect (seen c))
(:action no :parameters () :precondition (not (seen a)) :effect (seen c))
(:action never :parameters () :precondition (seen b) :effect (seen c)))",
                                     "(:init (at a) (seen a)) (:goal (seen c))"));
  EXPECT_THAT(variables(problem.task(), false),
              UnorderedElementsAre(UnorderedElementsAre("(at a)", "(at b)", "(at c)"),
                                   ElementsAre("(seen c)", "")));
  EXPECT_EQ(problem.task().labels.size(), 7U);  // six ways to go and (yes)
  EXPECT_EQ(problem.task().labels.back(), "(yes)");
}

TEST(Instantiate, AnImpossibleGoalLeavesNothing) {
  const Problem never(problem_text(walking, "(:init (at a)) (:goal (seen a))"));
  EXPECT_THAT(never.task().goal, IsEmpty());
  EXPECT_THAT(never.task().actions, IsEmpty());
  const Problem exclusive(problem_text(walking, "(:init (at a)) (:goal (and (at a) (at b)))"));
  EXPECT_THAT(exclusive.task().goal, IsEmpty());
  EXPECT_THAT(exclusive.task().variables, IsEmpty());
  const Problem always(problem_text(walking, "(:init (at a) (seen b)) (:goal (seen b))"));
  EXPECT_THAT(always.task().goal, ElementsAre(IsEmpty()));
}

TEST(Instantiate, CostsAreSharedAndCombined) {
  const Problem problem(problem_text(R"(
(:constants a b) (:predicates (p ?x)) (:functions (c) (k ?x) (w ?x))
(:action go :parameters (?x) :precondition ()
 :effect (and (p ?x) (increase (c) (/ (w ?x) 3)) (increase (k ?x) 2))))",
                                     R"((:init (= (w a) 1) (= (w b) 1)) (:goal (and (p a) (p b)))
(:metric minimize (+ (* 3 (c)) (k a)))
(:constraints (<= (expected (k b)) 1/3))
(:give-up (increase (c) 10) (increase (k b) 4)))"));
  const task::Task& task = problem.task();
  EXPECT_EQ(task.costs.bounds.size(), 1U);
  EXPECT_EQ(task.costs.bounds[0].cost, 1U);
  EXPECT_EQ(task.costs.bounds[0].upper, 1.0 / 3);
  EXPECT_EQ(task.costs.costs[1], "(k b)");
  ASSERT_TRUE(task.costs.give_up);
  EXPECT_EQ((*task.costs.give_up)[0], 30.0);
  ASSERT_EQ(task.cost_vectors.size(), 2U);
  const auto cost = [&](std::size_t action) {
    return task.cost_vectors[task.actions[action].cost];
  };
  EXPECT_EQ(cost(0)[0], 3.0);  // 3·(1/3) + 2
  EXPECT_EQ(cost(0)[1], 0.0);
  EXPECT_EQ(cost(1)[0], 1.0);
  EXPECT_EQ(cost(1)[1], 2.0);
}

TEST(Instantiate, AnUndefinedAmountIsNamed) {
  const std::string domain = R"(
(:constants a b) (:predicates (p ?x) (ok ?x)) (:functions (c) (w ?x))
(:action go :parameters (?x) :precondition (ok ?x)
 :effect (and (p ?x) (increase (c) (+ 1 (w ?x))))))";
  EXPECT_EQ(error_of(problem_text(domain, R"((:init (ok a) (ok b) (= (w a) 1)) (:goal (p a))
(:metric minimize (c)))")),
            "6:41: (w b) has no value, but (go b) needs it / give it in the problem's :init, as in "
            "(= (w b) 1)");
  // It does not matter for an action that can never be applied.
  EXPECT_EQ(error_of(problem_text(domain, R"((:init (ok a) (= (w a) 1)) (:goal (p a))
(:metric minimize (c)))")),
            "no error");
}

TEST(Instantiate, ANegativeAmountAndADivisionByZeroAreErrors) {
  const std::string domain = R"(
(:constants a) (:predicates (p ?x)) (:functions (c) (w ?x))
(:action go :parameters (?x) :precondition () :effect (and (p ?x) (increase (c) ({} 1 (w ?x))))))";
  const std::string problem = "(:init (= (w a) {})) (:goal (p a)) (:metric minimize (c))";
  EXPECT_THAT(error_of(problem_text(fmt::format(fmt::runtime(domain), "-"),
                                    fmt::format(fmt::runtime(problem), 3))),
              HasSubstr("the amount is negative (-2) in (go a)"));
  EXPECT_THAT(error_of(problem_text(fmt::format(fmt::runtime(domain), "/"),
                                    fmt::format(fmt::runtime(problem), 0))),
              HasSubstr("division by zero in (go a)"));
}

/// A courier's problem whose probabilities are `first` and `second`, with (risk b) as given.
std::string chances_text(const std::string& first, const std::string& second,
                         const std::string& risk) {
  return problem_text(fmt::format(R"(
(:constants a b) (:predicates (p ?x) (q ?x) (ok ?x)) (:functions (risk ?x) (base))
(:action go :parameters (?x) :precondition (ok ?x)
 :effect (probabilistic {}
                        (p ?x)
                        {}
                        (q ?x))))",
                                  first, second),
                      fmt::format("(:init (ok a) (ok b) (= (risk a) 1/4) {} (= (base) 1/2))\n"
                                  "(:goal (and (p a) (p b)))",
                                  risk));
}

TEST(Instantiate, ProbabilitiesAreCheckedInEachGroundAction) {
  const auto error = [](const char* first, const char* second, const char* risk) {
    return error_of(chances_text(first, second, risk));
  };
  EXPECT_EQ(error("(risk ?x)", "(- 1 (risk ?x))", "(= (risk b) 1)"), "no error");
  EXPECT_EQ(error("(risk ?x)", "(base)", "(= (risk b) -1/3)"),
            "6:25: the probability is negative (-1/3) in (go b) / ");
  EXPECT_EQ(error("(risk ?x)", "(base)", "(= (risk b) 4/3)"),
            "6:25: the probability is greater than 1 (4/3) in (go b) / ");
  EXPECT_EQ(error("(risk ?x)", "(base)", "(= (risk b) 0.6)"),
            "8:25: the probabilities sum to more than 1 (11/10) in (go b) / ");
  EXPECT_EQ(error("(risk ?x)", "(/ (base) (- 3 (risk ?x)))", "(= (risk b) 3)"),
            "6:25: the probability is greater than 1 (3) in (go b) / ");
  EXPECT_EQ(error("(base)", "(/ (base) (- 3 (risk ?x)))", "(= (risk b) 3)"),
            "8:25: division by zero in (go b) / ");
  EXPECT_EQ(error("(base)", "(risk ?x)", ""),
            "8:25: (risk b) has no value, but (go b) needs it / give it in the problem's :init, as "
            "in (= (risk b) 1)");
  EXPECT_EQ(error("(base)", "(* (risk ?x) (risk ?x))", "(= (risk b) 1e-200)"),
            "8:25: the probability is too small to be told from 0 in (go b) / ");
}

TEST(Instantiate, ProbabilitiesMatterOnlyWhereTheyAreUsed) {
  const char* const domain = R"(
(:constants a b) (:predicates (p ?x) (ok ?x)) (:functions (risk ?x))
(:action go :parameters () :effect (forall (?x) (when (ok ?x) (probabilistic (risk ?x) (p ?x))))))";
  EXPECT_EQ(error_of(problem_text(domain, "(:init (ok a) (= (risk a) 1/2)) (:goal (p a))")),
            "no error");
  EXPECT_EQ(error_of(problem_text(domain,
                                  "(:init (ok a) (ok b) (= (risk a) 1/2) (= (risk b) 2)) "
                                  "(:goal (p a))")),
            "5:78: the probability is greater than 1 (2) in (go) with ?x = b / ");
}

TEST(Instantiate, WhatHasProbabilityZeroNeverHappens) {
  const Problem problem(chances_text("(risk ?x)", "(- 1/4 (risk a))", "(= (risk b) 1)"));
  // As if it were not there: (q ...) is no fact of a state.
  EXPECT_THAT(variables(problem.task(), false),
              UnorderedElementsAre(ElementsAre("(p a)", ""), ElementsAre("(p b)", "")));
  EXPECT_EQ(problem.task().actions[0].outcomes.size(), 2U);
  EXPECT_EQ(problem.task().actions[1].outcomes.size(), 1U);
}

TEST(Instantiate, RefusesTooManyAlternatives) {
  std::string condition;
  std::string changes;
  std::string predicates;
  for (int i = 0; i < 26; ++i) {
    predicates += fmt::format(" (p{})", i);
    changes += fmt::format("(:action a{} :parameters () :precondition () :effect (p{}))\n", i, i);
    if (i % 2 == 0) condition += fmt::format(" (or (p{}) (p{}))", i, i + 1);
  }
  const std::string domain = fmt::format(
      "(:predicates (q){})\n{}(:action z :parameters () :precondition (and{}) :effect (q))",
      predicates, changes, condition);
  EXPECT_THAT(
      error_of(problem_text(domain, "(:init) (:goal (q))")),
      HasSubstr(
          "30:1: the precondition of (z) has more than 4096 alternatives once it is written out"));
  EXPECT_THAT(error_of(problem_text(fmt::format("(:predicates{})\n{}", predicates, changes),
                                    fmt::format("(:init) (:goal (and{}))", condition))),
              HasSubstr("the goal has more than 4096 alternatives once it is written out"));
}

TEST(Instantiate, TooManyVariables) {
  std::string variables;
  for (int i = 0; i <= 1000; ++i)
    variables += fmt::format(" ?x{}", i);
  const std::string domain = "(:predicates (q))";
  EXPECT_THAT(
      error_of(problem_text(domain, fmt::format("(:init) (:goal (exists ({}) (q)))", variables))),
      HasSubstr("the goal has 1001 variables, at most 1000 are supported"));
  const std::string action = fmt::format("(:action a :parameters ({}) :effect (q))", variables);
  EXPECT_THAT(error_of(problem_text(domain + action, "(:init) (:goal (q))")),
              HasSubstr("action 'a' has 1001 variables, at most 1000 are supported"));
}

TEST(Instantiate, TooManyVariantsAndOutcomes) {
  std::string predicates;
  std::string changes;
  std::string when;
  std::string chance;
  for (int i = 0; i < 17; ++i) {
    predicates += fmt::format(" (p{0}) (q{0})", i);
    changes += fmt::format("(:action a{0} :effect (p{0})) (:action b{0} :effect (not (p{0})))", i);
    changes += fmt::format("(:action c{0} :effect (not (q{0})))", i);
    when += fmt::format(" (when (p{0}) (and (q{0}) (increase (harm) 1)))", i);
    chance += fmt::format(" (probabilistic 0.5 (q{}))", i);
  }
  const std::string goal =
      "(:init) (:goal (and (q0) (q1) (q2) (q3) (q4) (q5) (q6) (q7) (q8) (q9) "
      "(q10) (q11) (q12) (q13) (q14) (q15) (q16))) (:metric minimize (harm))";
  const auto text = [&](const std::string& effect) {
    return problem_text(
        fmt::format("(:predicates{}) (:functions (harm))\n{}(:action z :effect (and{}))",
                    predicates, changes, effect),
        goal);
  };
  EXPECT_THAT(error_of(text(when)),
              HasSubstr("(z) has more than 4096 variants that differ in cost once its effects are "
                        "written out"));
  EXPECT_THAT(error_of(text(chance)),
              HasSubstr("(z) has more than 65536 outcomes once its effects are written out"));
}

TEST(Instantiate, EndsAtALimit) {
  Monitor monitor;
  const std::vector<pddl::SourceText> sources{
      {"test.pddl", problem_text(walking, "(:init (at a)) (:goal (at b))")}};
  const pddl::SyntaxTree tree = pddl::read(sources, monitor);
  std::atomic<bool> interrupt{true};
  Monitor interrupted(1e9, 0, &interrupt);
  EXPECT_THROW(task::instantiate(tree, sources, interrupted), LimitReached);
}

/// "probability of outcome: cost, cost" for each share of an action.
std::vector<std::string> cost_shares(const task::Task& task, std::uint32_t action) {
  std::vector<std::string> result;
  for (const task::CostShare& share : task.cost_shares) {
    if (share.action != action) continue;
    std::string text = task.numbers[share.exact_probability.index()].get_str() + " of " +
                       std::to_string(share.outcome) + ":";
    for (const task::NumberId cost : task.exact_outcome_cost_vectors[share.cost])
      text += " " + task.numbers[cost.index()].get_str();
    result.push_back(std::move(text));
  }
  return result;
}

TEST(Instantiate, OutcomesThatDifferInCostAreOneForPlanningAndKeptApart) {
  const Problem problem(problem_text(R"(
(:predicates (left) (right) (odd)) (:functions (time) (harm))
(:action go :parameters () :precondition (left)
 :effect (and (increase (time) 1)
              (probabilistic 1/3 (and (not (left)) (right)))
              (probabilistic 1/2 (increase (harm) 2) 1/4 (increase (harm) 3))))
(:action jump :parameters () :precondition (left)
 :effect (and (increase (time) 2) (when (odd) (increase (harm) 5))
              (probabilistic 1/2 (and (not (left)) (right) (not (odd))) 1/2 (odd))))
(:action crawl :parameters () :precondition (left)
 :effect (and (increase (time) 4) (probabilistic 1/2 (increase (harm) 1) 1/2 (increase (harm) 1))
              (not (left)) (right)))
)",
                                     "(:init (left)) (:goal (right)) (:metric minimize (time))"));
  const task::Task& task = problem.task();
  ASSERT_EQ(task.labels[task.actions[0].label], "(go)");
  EXPECT_EQ(task.actions[0].outcomes.size(), 2U);
  EXPECT_THAT(cost_shares(task, 0),
              UnorderedElementsAre("1/6 of 0: 1 2", "1/12 of 0: 1 3", "1/12 of 0: 1 0",
                                   "1/3 of 1: 1 2", "1/6 of 1: 1 3", "1/6 of 1: 1 0"));
  EXPECT_THAT(task.cost_vectors[task.actions[0].cost], ElementsAre(1, 1.75));
  // Conditions are decided by the state, and equal costs are nothing to tell apart.
  for (std::uint32_t a = 1; a < task.actions.size(); ++a)
    EXPECT_THAT(cost_shares(task, a), IsEmpty());
  EXPECT_THAT(task.too_many_cost_shares, IsEmpty());
}

TEST(Instantiate, TooManyOutcomesThatDifferInCostMatterOnlyToWhoAsksForThem) {
  std::string increases;
  for (std::size_t i = 0; i < 17; ++i)
    increases += fmt::format("(probabilistic 0.5 (increase (harm) {}))", std::size_t{1} << i);
  const Problem problem(problem_text(
      "(:predicates (done)) (:functions (harm)) (:action go :parameters () :effect (and (done) " +
          increases + "))",
      "(:init) (:goal (done)) (:metric minimize (harm))"));
  EXPECT_THAT(problem.task().too_many_cost_shares, ElementsAre(0));
  EXPECT_THAT(problem.task().cost_vectors[0], ElementsAre(65535.5));
  OutcomeCosts outcomes;
  try {
    problem.model->outcome_costs(problem.model->initial_state(), ActionId(0), outcomes);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "error: (go) has too many outcomes that differ in cost to tell them apart\n"
                 "  hint: split it into several actions");
  }
}

TEST(Instantiate, RewardsAreMarked) {
  const std::string domain =
      "(:predicates (done)) (:functions (time)) (:action go :parameters () :effect (and (done) "
      "(decrease (reward) 2) (increase (time) 1)))";
  const Problem primary(problem_text(domain, "(:init) (:goal (done)) (:metric maximize (reward))"));
  EXPECT_THAT(primary.task().costs.costs, ElementsAre("reward", "time"));
  EXPECT_THAT(primary.task().costs.rewards, ElementsAre(true, false));
  const Problem secondary(problem_text(domain, "(:init) (:goal (done)) (:metric minimize (time))"));
  EXPECT_THAT(secondary.task().costs.rewards, ElementsAre(false, true));
  EXPECT_THAT(Problem(problem_text(walking, "(:init (at a)) (:goal (at c))")).task().costs.rewards,
              IsEmpty());
}

}  // namespace
}  // namespace carl::testing
