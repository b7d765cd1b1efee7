#include "heuristics/estimator.h"

#include <gtest/gtest.h>

#include <limits>

#include "heuristics/hmax.h"
#include "heuristics/landmarks.h"
#include "heuristics/lmcut.h"
#include "heuristics/operator_counting.h"

namespace carl::heuristics {
namespace {

using task::Action;
using task::Fact;
using task::Task;
using task::VariableId;

Fact fact(std::size_t variable, std::uint32_t value) {
  return {VariableId(variable), value};
}

/// A line of places 0 … n-1 in variable 0, a switch in variable 1; the goal is the far end with the
/// switch on. Moving costs `move`, the switch 0.7 and works one time in two.
Task line(std::uint32_t n, double move) {
  Task task;
  task.variables.resize(2);
  for (std::uint32_t i = 0; i < n; ++i)
    task.variables[0].values.push_back("(at p" + std::to_string(i) + ")");
  task.variables[1].values = {"", "(on)"};
  task.cost_vectors = {{move}, {0.7}};
  for (std::uint32_t i = 0; i + 1 < n; ++i)
    task.actions.push_back({0, 0, {fact(0, i)}, {{1.0, {}, {fact(0, i + 1)}}}});
  task.actions.push_back({1, 1, {fact(1, 0)}, {{0.5, {}, {fact(1, 1)}}, {0.5, {}, {}}}});
  task.initial = {0, 0};
  task.goal = {{fact(0, n - 1), fact(1, 1)}};
  return task;
}

double estimate(Estimator& estimator, const Task& task, std::vector<std::uint32_t> state,
                double give_up = std::numeric_limits<double>::infinity()) {
  std::vector<double> costs;
  for (const Action& action : task.actions)
    costs.push_back(task.cost_vectors[action.cost][0]);
  estimator.set_costs(costs, give_up);
  std::vector<ActionUse> uses;
  const double value = estimator.estimate(state, uses);
  double sum = 0;
  for (const ActionUse& use : uses)
    sum += use.uses * (use.action == give_up_use ? give_up : costs[use.action]);
  if (value != std::numeric_limits<double>::infinity()) {
    EXPECT_NEAR(sum, value, 1e-9);
  }
  return value;
}

/// A belt of places 0 … n-1 in variable 0: one action moves on from wherever it is, and sets the
/// switch in variable 1 besides. The goal is the far end with the switch on.
Task belt(std::uint32_t n, bool with_switch) {
  Task task;
  task.variables.resize(2);
  for (std::uint32_t i = 0; i < n; ++i)
    task.variables[0].values.push_back("(at p" + std::to_string(i) + ")");
  task.variables[1].values = {"", "(on)"};
  task.cost_vectors = {{2}};
  task.actions.push_back({0, 0, {}, {{1.0, {}, {}, {}}}, {}});
  if (with_switch) task.actions[0].outcomes[0].effects = {fact(1, 1)};
  for (std::uint32_t i = 0; i + 1 < n; ++i) {
    task.actions[0].outcomes[0].conditionals.push_back(i);
    task.actions[0].conditionals.push_back(
        {task::ConditionalEffect::none, {{fact(0, i)}}, {{1.0, {}, {fact(0, i + 1)}, {}}}});
  }
  task.initial = {0, 0};
  task.goal = {{fact(0, n - 1)}};
  if (with_switch) task.goal[0].push_back(fact(1, 1));
  return task;
}

struct Estimators {
  explicit Estimators(const Task& task, bool give_up = false)
      : rules{std::vector<bool>(task.actions.size(), true), give_up},
        relaxed(std::make_shared<RelaxedTask>(task, rules.allowed)),
        hmax(relaxed),
        lmcut(relaxed),
        landmarks(task, rules.allowed, relaxed),
        roc(roc_lp(task, rules)),
        pom(pom_lp(task, rules)) {}

  OperatorCountingRules rules;
  std::shared_ptr<const RelaxedTask> relaxed;
  Hmax hmax;
  LmCut lmcut;
  Landmarks landmarks;
  OperatorCounting roc;
  OperatorCounting pom;
};

TEST(Estimator, ValuesOnALineWithFractionalCosts) {
  const Task task = line(5, 0.3);
  Estimators e(task);
  EXPECT_NEAR(estimate(e.hmax, task, {0, 0}), 1.2, 1e-12);
  EXPECT_NEAR(estimate(e.lmcut, task, {0, 0}), 1.9, 1e-9);
  EXPECT_NEAR(estimate(e.landmarks, task, {0, 0}), 2.6, 1e-9);  // the switch is tried twice
  EXPECT_NEAR(estimate(e.roc, task, {0, 0}), 2.6, 1e-7);
  EXPECT_NEAR(estimate(e.pom, task, {0, 0}), 2.6, 1e-7);
  EXPECT_NEAR(estimate(e.lmcut, task, {3, 1}), 0.3, 1e-9);
  EXPECT_NEAR(estimate(e.roc, task, {3, 1}), 0.3, 1e-7);
  EXPECT_NEAR(estimate(e.landmarks, task, {3, 1}), 0.3, 1e-9);
  EXPECT_EQ(estimate(e.lmcut, task, {4, 1}), 0);
  EXPECT_EQ(estimate(e.landmarks, task, {4, 1}), 0);
  EXPECT_NEAR(estimate(e.roc, task, {4, 1}), 0, 1e-9);
}

TEST(Estimator, DeadEndsAreInfinite) {
  Task task = line(5, 1);
  task.actions.erase(task.actions.begin() + 2);  // nobody gets past place 2
  Estimators e(task);
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(estimate(e.hmax, task, {0, 0}), infinity);
  EXPECT_EQ(estimate(e.lmcut, task, {0, 0}), infinity);
  EXPECT_EQ(estimate(e.landmarks, task, {0, 0}), infinity);
  EXPECT_EQ(estimate(e.roc, task, {0, 0}), infinity);
  EXPECT_EQ(estimate(e.pom, task, {0, 0}), infinity);
  EXPECT_NEAR(estimate(e.roc, task, {3, 0}), 1 + 1.4, 1e-7);
}

// The example of the design: 0.9 goal, 0.1 dead end, penalty 100. Capping would give 100 or more.
TEST(Estimator, GivingUpInOneBranchIsPricedAsOneBranch) {
  Task task;
  task.variables.resize(1);
  task.variables[0].values = {"(start)", "(goal)", "(dead)"};
  task.cost_vectors = {{1.0}};
  task.actions = {{0, 0, {fact(0, 0)}, {{0.9, {}, {fact(0, 1)}}, {0.1, {}, {fact(0, 2)}}}}};
  task.initial = {0};
  task.goal = {{fact(0, 1)}};
  Estimators e(task, true);
  EXPECT_NEAR(estimate(e.roc, task, {0}, 100), 11, 1e-6);
  EXPECT_NEAR(estimate(e.pom, task, {0}, 100), 11, 1e-6);
  EXPECT_NEAR(estimate(e.roc, task, {2}, 100), 100, 1e-6);
}

TEST(Estimator, AlternativeGoalsTakeTheCheaper) {
  Task task = line(6, 1);
  task.goal = {{fact(0, 5)}, {fact(0, 2), fact(1, 1)}};
  Estimators e(task);
  EXPECT_NEAR(estimate(e.lmcut, task, {0, 0}), 2.7, 1e-9);
  EXPECT_NEAR(estimate(e.landmarks, task, {0, 0}), 2.7, 1e-9);
  EXPECT_NEAR(estimate(e.roc, task, {0, 0}), 3.4, 1e-7);
  EXPECT_NEAR(estimate(e.pom, task, {0, 0}), 3.4, 1e-7);
  EXPECT_NEAR(estimate(e.roc, task, {3, 0}), 2, 1e-7);
}

TEST(Estimator, OfActionsThatAreAlikeTheCheapestCounts) {
  Task task = line(3, 1);
  task.cost_vectors.push_back({0.25});
  for (std::uint32_t i = 0; i < 2; ++i)
    task.actions.push_back({2, 2, {fact(0, i)}, {{1.0, {}, {fact(0, i + 1)}}}});
  Estimators e(task);
  EXPECT_EQ(e.relaxed->num_operators(), 4U);
  EXPECT_NEAR(estimate(e.lmcut, task, {0, 1}), 0.5, 1e-12);
  EXPECT_NEAR(estimate(e.landmarks, task, {0, 1}), 0.5, 1e-12);
}

/// The goal can be had for 8, or for 1 after a preparation that costs 2 and works one time in two.
TEST(Estimator, LandmarksSeeDetours) {
  Task task;
  task.variables.resize(2);
  task.variables[0].values = {"", "(goal)"};
  task.variables[1].values = {"", "(prepared)"};
  task.cost_vectors = {{8.0}, {1.0}, {2.0}};
  task.actions = {{0, 0, {fact(0, 0)}, {{1.0, {}, {fact(0, 1)}}}},
                  {1, 1, {fact(0, 0), fact(1, 1)}, {{1.0, {}, {fact(0, 1)}}}},
                  {2, 2, {fact(1, 0)}, {{0.5, {}, {fact(1, 1)}}, {0.5, {}, {}}}}};
  task.initial = {0, 0};
  task.goal = {{fact(0, 1)}};
  Estimators e(task);
  EXPECT_NEAR(estimate(e.landmarks, task, {0, 0}), 5, 1e-9);
  EXPECT_NEAR(estimate(e.lmcut, task, {0, 0}), 3, 1e-9);
  EXPECT_NEAR(estimate(e.landmarks, task, {0, 1}), 1, 1e-9);
}

/// A tower: b lies on a and must be taken off before a can be used. Only b can be taken off first,
/// since nothing can be put on a while b is there; so what taking b off needs is needed.
TEST(Estimator, LandmarksKnowWhoMustBeFirst) {
  Task task;
  task.variables.resize(3);
  task.variables[0].values = {"(free)", "(b on)", "(c on)"};
  task.variables[1].values = {"", "(hook)"};
  task.variables[2].values = {"", "(used)"};
  task.cost_vectors = {{1.0}, {4.0}, {1.0}};
  task.actions = {{0, 0, {fact(0, 1), fact(1, 1)}, {{1.0, {}, {fact(0, 0)}}}},  // needs the hook
                  {1, 0, {fact(0, 2)}, {{1.0, {}, {fact(0, 0)}}}},
                  {2, 0, {fact(0, 0)}, {{1.0, {}, {fact(0, 2)}}}},
                  {3, 1, {fact(1, 0)}, {{1.0, {}, {fact(1, 1)}}}},
                  {4, 2, {fact(0, 0)}, {{1.0, {}, {fact(2, 1)}}}}};
  task.initial = {1, 0, 0};
  task.goal = {{fact(2, 1)}};
  Estimators e(task);
  EXPECT_NEAR(estimate(e.landmarks, task, {1, 0, 0}), 6, 1e-9);
  EXPECT_NEAR(estimate(e.landmarks, task, {2, 0, 0}), 2, 1e-9);
}

/// Effects whose conditions exclude each other are as good as actions of their own, and what
/// happens in any case is no reason to count less.
TEST(Estimator, OneActionMayBeNeededOnceForEachCondition) {
  for (const bool with_switch : {false, true}) {
    SCOPED_TRACE(with_switch);
    const Task task = belt(6, with_switch);
    Estimators all(task);
    EXPECT_NEAR(estimate(all.hmax, task, {0, 0}), 10, 1e-9);
    EXPECT_NEAR(estimate(all.lmcut, task, {0, 0}), 10, 1e-9);
    EXPECT_NEAR(estimate(all.landmarks, task, {0, 0}), 10, 1e-9);
    EXPECT_NEAR(estimate(all.roc, task, {0, 0}), 10, 1e-6);
    EXPECT_NEAR(estimate(all.pom, task, {0, 0}), 10, 1e-6);
  }
}

/// Two facts by one use: both conditions may hold at the same time.
TEST(Estimator, EffectsThatHappenTogetherShareACost) {
  Task task;
  task.variables = {{{"", "(a)"}, false}, {{"", "(b)"}, false}, {{"", "(c)"}, false}};
  task.cost_vectors = {{3}};
  const std::uint32_t none = task::ConditionalEffect::none;
  task.actions.push_back({0, 0, {}, {{1.0, {}, {}, {0, 1}}}, {}});
  task.actions[0].conditionals = {
      {none, {{fact(2, 1)}}, {{1.0, {}, {fact(0, 1)}, {}}}},
      {none, {{fact(2, 1)}}, {{0.5, {}, {fact(1, 1)}, {}}, {0.5, {}, {}, {}}}}};
  task.initial = {0, 0, 1};
  task.goal = {{fact(0, 1), fact(1, 1)}};
  Estimators all(task);
  EXPECT_NEAR(estimate(all.hmax, task, {0, 0, 1}), 3, 1e-9);
  EXPECT_NEAR(estimate(all.lmcut, task, {0, 0, 1}), 3, 1e-9);
  EXPECT_NEAR(estimate(all.landmarks, task, {0, 0, 1}), 3, 1e-9);
  EXPECT_NEAR(estimate(all.roc, task, {0, 0, 1}), 6, 1e-6);
  EXPECT_NEAR(estimate(all.pom, task, {0, 0, 1}), 6, 1e-6);
  EXPECT_EQ(estimate(all.lmcut, task, {0, 0, 0}), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace carl::heuristics
