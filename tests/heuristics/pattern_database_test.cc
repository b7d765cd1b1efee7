// Pattern databases: what projections look like; that every pattern of small random tasks bounds
// the optimal costs-to-go of every state from below, whatever the weights before were, and that of
// all variables meets them; which patterns are chosen.

#include "heuristics/pattern_database.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/proper_region.h"
#include "graph/q_value.h"
#include "heuristics/pattern_heuristics.h"
#include "heuristics/pattern_selection.h"
#include "ssp/policy_iteration.h"
#include "support/random_task.h"
#include "support/scale.h"
#include "util/random.h"

namespace carl::heuristics {
namespace {

using task::Fact;
using task::Task;
using task::VariableId;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr DatabaseSize no_limit{100'000, 1'000'000'000};

Fact fact(std::size_t variable, std::uint32_t value) {
  return {VariableId(variable), value};
}

Projector projector_of(const TaskContext& context) {
  return {context.model.task(), context.cssp, context.rules.allowed};
}

std::vector<std::uint32_t> values_of(const TaskModel& model, StateId state) {
  std::vector<std::uint32_t> values;
  model.values(state, values);
  return values;
}

std::vector<double> random_weights(std::size_t n, SplitMix64& random) {
  std::vector<double> weights{1.0};
  while (weights.size() < n)
    weights.push_back(random.below(3) == 0 ? 0.0 : std::pow(10.0, 3 * random.unit() - 1.5));
  return weights;
}

/// A task of its own with the costs given, one vector for each action in their order.
struct SmallTask {
  explicit SmallTask(std::size_t variables) {
    task.variables.resize(variables);
    for (std::size_t v = 0; v < variables; ++v)
      task.variables[v].values = {"", "(on v" + std::to_string(v) + ")"};
    task.initial.assign(variables, 0);
  }
  void add(std::vector<double> cost, std::vector<Fact> precondition,
           std::vector<task::Outcome> outcomes) {
    const auto label = static_cast<std::uint32_t>(task.actions.size());
    task.labels.push_back("(a" + std::to_string(label) + ")");
    auto known = std::find(task.cost_vectors.begin(), task.cost_vectors.end(), cost);
    if (known == task.cost_vectors.end()) known = task.cost_vectors.insert(known, std::move(cost));
    const auto row = static_cast<std::uint32_t>(known - task.cost_vectors.begin());
    task.actions.push_back({label, row, std::move(precondition), std::move(outcomes)});
  }
  Cssp cssp() {
    for (std::size_t i = 0; i < task.cost_vectors.front().size(); ++i)
      task.costs.costs.push_back("c" + std::to_string(i));
    return Cssp(make_task_model(std::move(task)));
  }

  Task task;
};

// --- projections ----------------------------------------------------------------------------------

TEST(Projection, KeepsWhatCanBeToldApart) {
  SmallTask small(3);
  const std::vector<Fact> one{fact(0, 1)};
  small.add({1, 1}, {fact(1, 1)},
            {{0.5, {}, {fact(0, 1)}}, {0.3, {}, {fact(2, 1)}}, {0.2, {}, {}}});
  small.add({1, 1}, {fact(2, 1)}, {{0.5, {}, one}, {0.5, {}, {}}});  // looks like the first
  small.add({2, 1}, {}, {{0.5, {}, one}, {0.5, {}, {fact(1, 1)}}});  // costs more
  small.add({0.5, 3}, {}, {{0.5, {}, one}, {0.5, {}, {}}});          // less of one, more of one
  small.add({1, 1}, {}, {{1.0, {}, {fact(1, 1)}}});                  // changes nothing
  small.add({1, 1}, {fact(0, 1)}, {{1.0, {}, {fact(0, 1), fact(2, 1)}}});  // neither
  small.task.goal = {{fact(0, 1), fact(1, 1)}};
  const Cssp cssp = small.cssp();
  const Projector projector(cssp.model().task_model()->task(), cssp, std::vector<bool>(6, true));
  const Projection projection = projector.project({0});
  const Task& task = projection.task;
  EXPECT_EQ(task.variables.size(), 1U);
  EXPECT_EQ(projection.goal, (std::vector<std::vector<Fact>>{{fact(0, 1)}}));
  ASSERT_EQ(task.actions.size(), 2U);
  for (const task::Action& action : task.actions) {
    EXPECT_TRUE(action.precondition.empty());
    ASSERT_EQ(action.outcomes.size(), 2U);
    EXPECT_EQ(action.outcomes[0].probability, 0.5);
    EXPECT_TRUE(action.outcomes[0].effects.empty());
    EXPECT_EQ(action.outcomes[1].effects, one);
  }
  const auto originals = projection.originals[0];
  EXPECT_EQ(std::vector(originals.begin(), originals.end()), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(projection.originals[1][0], 3U);
}

/// If it were left out after it had undercut another one, nothing would be left.
TEST(Projection, WhatIsForbiddenUndercutsNothing) {
  SmallTask small(1);
  small.add({1, 1}, {}, {{1.0, {}, {fact(0, 1)}}});
  small.add({2, 0}, {}, {{1.0, {}, {fact(0, 1)}}});
  small.add({3, 0}, {}, {{1.0, {}, {fact(0, 1)}}});
  small.task.goal = {{fact(0, 1)}};
  Cssp cssp = small.cssp();
  cssp.set_bound("c1", 0);
  const TaskContext context(cssp);
  PatternDatabase database(projector_of(context), {0});
  ASSERT_TRUE(database.expand(no_limit));
  database.set_weights(std::vector<double>{1, 1});
  EXPECT_EQ(database.value(database.find(std::vector<std::uint32_t>{0})), 2);
}

// --- values ---------------------------------------------------------------------------------------

/// All patterns of a problem against the truth, for one weight after the other.
class EveryPattern {
 public:
  explicit EveryPattern(Cssp& cssp)
      : cssp_(cssp), context_(cssp), graph_(cssp), num_variables_(num_variables()) {
    graph_.expand_all(monitor_);
    region_ = graph::proper_region(graph_, monitor_);
  }

  void check(std::uint64_t seed) {
    for (std::uint32_t set = 1; set < 1U << num_variables_; ++set) {
      Pattern pattern;
      for (std::uint32_t v = 0; v < num_variables_; ++v)
        if ((set >> v & 1U) != 0) pattern.push_back(v);
      PatternDatabase database(projector_of(context_), pattern);
      ASSERT_TRUE(database.expand(no_limit));
      SplitMix64 random(seed);
      for (int round = 0; round < 3; ++round)
        compare(database, random_weights(cssp_.num_costs(), random));
    }
  }
  std::size_t num_exact() const { return num_exact_; }

 private:
  std::size_t num_variables() const { return context_.model.task().variables.size(); }

  void compare(PatternDatabase& database, const std::vector<double>& weights) {
    const auto truth = ssp::policy_iteration(graph_, region_, weights, monitor_);
    database.set_weights(weights);
    std::vector<double> vector(cssp_.num_costs());
    for (const StateId s : graph_.expanded_states()) {
      const StateId projected = database.find(values_of(context_.model, s));
      ASSERT_TRUE(projected.valid());
      const double optimum = truth.value[s.index()];
      const double value = database.value(projected);
      EXPECT_LE(value, optimum * (1 + 1e-9)) << cssp_.state_name(s);
      if (database.is_hopeless(projected)) {
        const double penalty = cssp_.can_give_up()
                                   ? graph::weighted_cost(*cssp_.give_up_penalty(), weights)
                                   : infinity;
        EXPECT_EQ(optimum, penalty);
      }
      if (value == infinity) continue;
      database.vector(projected, vector);
      EXPECT_NEAR(graph::weighted_cost(vector, weights), value, 1e-9 * value);
      if (database.pattern().size() < num_variables_) continue;
      EXPECT_GE(value, optimum * (1 - 1e-4)) << cssp_.state_name(s);
      ++num_exact_;
    }
  }

  Cssp& cssp_;
  TaskContext context_;
  Monitor monitor_;
  graph::SearchGraph graph_;
  graph::ProperRegion region_;
  std::size_t num_variables_;
  std::size_t num_exact_ = 0;
};

TEST(PatternDatabase, EveryPatternIsALowerBoundAndThatOfAllVariablesExact) {
  std::size_t exact = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(300); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Cssp cssp(testing::random_task(seed));
    EveryPattern every(cssp);
    every.check(seed);
    exact += every.num_exact();
    if (HasFailure()) break;
  }
  EXPECT_GE(exact, testing::at_full_scale(10'000));
}

TEST(PatternDatabase, BoundsOfZeroForbidInProjectionsToo) {
  std::size_t exact = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(300); ++seed) {
    const auto model = testing::random_task(seed);
    const std::vector<std::string>& costs = model->cost_model().costs;
    if (costs.size() < 2) continue;
    SCOPED_TRACE("seed " + std::to_string(seed));
    Cssp cssp(model);
    cssp.set_bound(costs.back(), 0);
    EveryPattern every(cssp);
    every.check(seed);
    exact += every.num_exact();
    if (HasFailure()) break;
  }
  EXPECT_GE(exact, testing::at_full_scale(2'000));
}

/// Going round costs nothing, so that values would stay at zero if they began there.
TEST(PatternDatabase, FreeLoopsDoNotHideWhatTheWayOutCosts) {
  SmallTask small(2);
  small.add({1, 0}, {fact(0, 0)}, {{1.0, {}, {fact(0, 1)}}});
  small.add({1, 0}, {fact(0, 1)}, {{1.0, {}, {fact(0, 0)}}});
  small.add({1, 7}, {}, {{1.0, {}, {fact(1, 1)}}});
  small.task.goal = {{fact(1, 1)}};
  Cssp cssp = small.cssp();
  const TaskContext context(cssp);
  PatternDatabase database(projector_of(context), {0, 1});
  ASSERT_TRUE(database.expand(no_limit));
  database.set_weights(std::vector<double>{0, 1});
  EXPECT_EQ(database.value(database.find(std::vector<std::uint32_t>{0, 0})), 7);
}

/// Between two places where the way on opens once in 10,000 times values creep, and stay below.
TEST(PatternDatabase, ValuesThatCreepAreLowerBounds) {
  SmallTask small(2);
  small.add({1}, {fact(0, 0)}, {{0.9999, {}, {fact(0, 1)}}, {0.0001, {}, {fact(1, 1)}}});
  small.add({1}, {fact(0, 1)}, {{1.0, {}, {fact(0, 0)}}});
  small.task.goal = {{fact(1, 1)}};
  Cssp cssp = small.cssp();
  const TaskContext context(cssp);
  PatternDatabase database(projector_of(context), {0, 1});
  ASSERT_TRUE(database.expand(no_limit));
  database.set_weights(std::vector<double>{1});
  const double value = database.value(database.find(std::vector<std::uint32_t>{0, 0}));
  EXPECT_GT(value, 100);
  EXPECT_LT(value, 19999);  // 2 steps 9,999 times, and one
}

TEST(PatternDatabase, EndsWhenItBecomesTooLarge) {
  Cssp cssp(testing::random_task(1));
  const TaskContext context(cssp);
  Pattern all(context.model.task().variables.size());
  for (std::uint32_t v = 0; v < all.size(); ++v)
    all[v] = v;
  PatternDatabase database(projector_of(context), all);
  EXPECT_FALSE(database.expand({2, no_limit.work}));
  EXPECT_LT(database.num_states(), 50U);
}

// --- which pattern --------------------------------------------------------------------------------

/// To turn the first switch on takes the second, and that the third; others play no part.
SmallTask chain_of_switches(std::size_t useless) {
  SmallTask small(3 + useless);
  small.add({1, 0}, {fact(1, 1)}, {{0.5, {}, {fact(0, 1)}}, {0.5, {}, {}}});
  small.add({1, 0}, {fact(2, 1)}, {{0.5, {}, {fact(1, 1)}}, {0.5, {}, {}}});
  small.add({1, 0}, {}, {{0.5, {}, {fact(2, 1)}}, {0.5, {}, {}}});
  for (std::size_t v = 3; v < 3 + useless; ++v)
    small.add({1, 0}, {}, {{1.0, {}, {fact(v, 1)}}});
  small.task.goal = {{fact(0, 1)}};
  return small;
}

TEST(PatternSelection, TakesWhatThePolicyFailsFor) {
  Cssp cssp = chain_of_switches(20).cssp();
  const TaskContext context(cssp);
  const std::vector<double> weights{1, 1};
  const SelectedPattern selected = select_pattern(context, weights, {});
  ASSERT_TRUE(selected.database);
  EXPECT_TRUE(selected.is_carried_out);
  EXPECT_EQ(selected.database->pattern(), (Pattern{0, 1, 2}));
  EXPECT_NEAR(selected.database->value(selected.database->find(context.model.task().initial)), 6,
              1e-5);
  const SelectedPattern again = select_pattern(context, weights, {});
  EXPECT_EQ(again.database->pattern(), selected.database->pattern());
  EXPECT_EQ(again.work, selected.work);
}

TEST(PatternSelection, EndsWhenItsWorkIsDone) {
  Cssp cssp = chain_of_switches(20).cssp();
  const TaskContext context(cssp);
  const std::vector<double> weights{1, 1};
  SelectionLimits little;
  little.work = 300;
  const SelectedPattern selected = select_pattern(context, weights, little);
  ASSERT_TRUE(selected.database);
  EXPECT_FALSE(selected.is_carried_out);
  EXPECT_LT(selected.database->pattern().size(), 3U);
}

TEST(PatternSelection, WithoutAGoalToWorkTowardsThereIsNone) {
  SmallTask small(1);
  small.add({1}, {}, {{1.0, {}, {fact(0, 1)}}});
  small.task.goal = {{}};
  Cssp cssp = small.cssp();
  EXPECT_FALSE(select_pattern(TaskContext(cssp), std::vector<double>{1}, {}).database);
}

// --- heuristics -----------------------------------------------------------------------------------

/// In a hurry the switch does not matter, with care it does.
TEST(LambdaPatternDatabase, ChoosesAgainWhenWeightsHaveMovedFar) {
  SmallTask small(2);
  small.add({1, 10}, {}, {{1.0, {}, {fact(0, 1)}}});
  small.add({2, 0}, {fact(1, 1)}, {{0.5, {}, {fact(0, 1)}}, {0.5, {}, {fact(1, 0)}}});
  small.add({1, 0}, {}, {{1.0, {}, {fact(1, 1)}}});
  small.task.goal = {{fact(0, 1)}};
  Cssp cssp = small.cssp();
  LambdaPatternDatabase heuristic{TaskContext(cssp)};
  const auto estimate = [&](const std::vector<double>& weights) {
    std::vector<double> vector(2);
    heuristic.set_weights(weights);
    EXPECT_TRUE(heuristic.evaluate(cssp.initial_state(), vector));
    return graph::weighted_cost(vector, weights);
  };
  EXPECT_NEAR(estimate({1, 0}), 1, 1e-6);
  EXPECT_NEAR(estimate({1, 1}), 4, 1e-6);  // of the pattern for the weights before
  std::vector<double> vector(2);
  for (int i = 0; i < 10'000; ++i)
    heuristic.evaluate(cssp.initial_state(), vector);
  EXPECT_NEAR(estimate({1, 1}), 6, 1e-5);
  EXPECT_NEAR(estimate({1, 0}), 1, 1e-5);
}

/// A graph that is kept when bounds of zero change has states that projections do not know.
TEST(LambdaPatternDatabase, StatesThatCannotBeReachedAnyMoreHaveEstimates) {
  std::size_t unknown = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(200); ++seed) {
    const auto model = testing::random_task(seed);
    const std::vector<std::string>& costs = model->cost_model().costs;
    if (costs.size() < 2) continue;
    SCOPED_TRACE("seed " + std::to_string(seed));
    Cssp cssp(model);
    Monitor monitor;
    graph::SearchGraph graph(cssp);
    graph.expand_all(monitor);
    cssp.set_bound(costs.back(), 0);
    if (cssp.can_give_up() != cssp.give_up_penalty().has_value()) continue;
    graph.forbid_costs(cssp.zero_costs());
    const graph::ProperRegion region = graph::proper_region(graph, monitor);
    std::vector<double> weights(costs.size(), 1.0);
    const auto truth = ssp::policy_iteration(graph, region, weights, monitor);
    const TaskContext context(cssp);
    LambdaPatternDatabase heuristic(context);
    heuristic.set_weights(weights);
    const SelectedPattern selected = select_pattern(context, weights, {});
    for (std::size_t s = 0; s < graph.num_states(); ++s) {
      if (graph.is_goal(StateId(s))) continue;
      std::vector<double> vector(costs.size());
      const bool hopeful = heuristic.evaluate(StateId(s), vector);
      const double value =
          hopeful || cssp.can_give_up() ? graph::weighted_cost(vector, weights) : infinity;
      EXPECT_LE(value, truth.value[s] * (1 + 1e-9));
      if (selected.database && !selected.database->find(values_of(*model, StateId(s))).valid())
        ++unknown;
    }
    if (HasFailure()) break;
  }
  EXPECT_GE(unknown, testing::at_full_scale(100));
}

}  // namespace
}  // namespace carl::heuristics
