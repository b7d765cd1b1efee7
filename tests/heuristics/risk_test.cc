// What landmarks know of chance: pairs of facts that exclude each other, potentials of facts, and
// steps by which everything may be lost.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "carl/generate.h"
#include "graph/proper_region.h"
#include "graph/search_graph.h"
#include "heuristics/fact_potentials.h"
#include "heuristics/landmarks.h"
#include "heuristics/mutexes.h"
#include "heuristics/task_heuristics.h"
#include "ssp/policy_iteration.h"
#include "support/load.h"
#include "support/random_task.h"
#include "support/scale.h"
#include "util/random.h"

namespace carl::heuristics {
namespace {

std::string towers(const std::string& id, int blocks, std::uint64_t seed) {
  std::vector<std::pair<std::string, std::string>> parameters{{"id", id}};
  if (id == "random") parameters.emplace_back("blocks", std::to_string(blocks));
  const GeneratedInstance instance = generate_instance("exbw", parameters, seed);
  return instance.domain_text + instance.problem_text;
}

/// A random task in which things break: some actions need one to be whole, and some of those break
/// it in one of their outcomes. Nothing is mended.
std::shared_ptr<TaskModel> fragile_task(std::uint64_t seed) {
  task::Task task = testing::random_task(seed)->task();
  SplitMix64 random(seed + 1000);
  for (task::Action& action : task.actions)
    if (random.unit() < 0.1) action.precondition.clear();
  for (std::size_t k = 0, things = 1 + random.below(3); k < things; ++k) {
    const task::VariableId thing(task.variables.size());
    task.variables.push_back({{"(whole t" + std::to_string(k) + ")", ""}});
    task.initial.push_back(0);
    for (task::Action& action : task.actions) {
      if (random.unit() < 0.4) continue;
      action.precondition.push_back({thing, 0});
      if (action.outcomes.size() > 1 && random.unit() < 0.6)
        action.outcomes[random.below(action.outcomes.size())].effects.push_back({thing, 1});
    }
  }
  task.costs.give_up.emplace();
  for (std::size_t i = 0; i < task.costs.costs.size(); ++i)
    task.costs.give_up->push_back(static_cast<double>(random.below(60) + 10));
  return std::make_shared<TaskModel>(std::move(task));
}

std::vector<double> random_weights(std::size_t count, SplitMix64& random) {
  std::vector<double> weights(count, 1.0);
  for (std::size_t i = 1; i < count; ++i)
    weights[i] = std::pow(10.0, 3 * random.unit() - 1.5);
  return weights;
}

/// In all reachable states, for several weights; the states are asked for again and again, so that
/// potentials are chosen. Returns in how many of them landmarks said more than LM-cut can.
std::size_t check_landmarks(Cssp& cssp, std::uint64_t seed) {
  graph::SearchGraph graph(cssp);
  Monitor monitor;
  if (!graph.expand_all(monitor, 3000)) return 0;
  const graph::ProperRegion region = graph::proper_region(graph, monitor);
  LambdaHeuristic landmarks(TaskContext(cssp), EstimatorKind::landmarks);
  LambdaHeuristic lmcut(TaskContext(cssp), EstimatorKind::lmcut);
  SplitMix64 random(seed);
  std::size_t more = 0;
  for (int round = 0; round < 3; ++round) {
    const std::vector<double> weights = random_weights(cssp.num_costs(), random);
    const auto truth = ssp::policy_iteration(graph, region, weights, monitor);
    landmarks.set_weights(weights);
    lmcut.set_weights(weights);
    for (std::size_t k = 0; k < std::max<std::size_t>(600, graph.num_states()); ++k) {
      const StateId s(k % graph.num_states());
      if (graph.is_goal(s)) continue;
      std::vector<double> vector(cssp.num_costs());
      std::vector<double> other(cssp.num_costs());
      landmarks.evaluate(s, vector);
      const double value = graph::weighted_cost(vector, weights);
      const double optimum = truth.value[s.index()];
      EXPECT_LE(value, optimum + 1e-6 * std::max(1.0, optimum)) << cssp.state_name(s);
      if (::testing::Test::HasFailure()) return more;
      lmcut.evaluate(s, other);
      more += value > graph::weighted_cost(other, weights) + 1e-6 ? 1 : 0;
    }
  }
  return more;
}

TEST(Mutexes, NeverHoldTogether) {
  std::size_t excluded = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(300); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Cssp cssp(fragile_task(seed));
    const TaskContext context(cssp);
    const RelaxedTask& relaxed = *context.relaxed;
    const Mutexes mutexes(context.model.task(), relaxed);
    graph::SearchGraph graph(cssp);
    Monitor monitor;
    if (!graph.expand_all(monitor, 3000)) continue;
    std::vector<std::uint32_t> values;
    for (std::size_t s = 0; s < graph.num_states(); ++s) {
      context.model.values(StateId(s), values);
      for (std::size_t v = 0; v < values.size(); ++v)
        for (std::size_t w = 0; w < values.size(); ++w)
          ASSERT_FALSE(mutexes.exclude(relaxed.fact(v, values[v]), relaxed.fact(w, values[w])));
    }
    for (std::uint32_t f = 0; f < relaxed.num_facts - 2; ++f)
      for (std::uint32_t g = f + 1; g < relaxed.num_facts - 2; ++g)
        excluded += mutexes.exclude(f, g) ? 1 : 0;
  }
  EXPECT_GE(excluded, testing::at_full_scale(5'000));
}

TEST(Mutexes, OneHandHoldsOneBlock) {
  Cssp cssp(testing::load_text(towers("t3", 3, 1)));
  const TaskContext context(cssp);
  const task::Task& task = context.model.task();
  const Mutexes mutexes(task, *context.relaxed);
  std::vector<std::uint32_t> held;
  for (std::size_t v = 0; v < task.variables.size(); ++v)
    for (std::uint32_t d = 0; d < task.variables[v].values.size(); ++d)
      if (task.variables[v].values[d].starts_with("(holding"))
        held.push_back(context.relaxed->fact(v, d));
  ASSERT_EQ(held.size(), 3U);
  for (const std::uint32_t f : held)
    for (const std::uint32_t g : held)
      EXPECT_EQ(mutexes.exclude(f, g), f != g);
}

/// For each action in each state: C'(a) ≤ C(a) + Φ(s) - E Φ(s').
TEST(FactPotentials, AreLostAsTheCostsSay) {
  std::size_t potentials_set = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(400); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Cssp cssp(testing::random_task(seed));
    const TaskContext context(cssp);
    FactPotentials potentials(context.model.task(), context.rules.allowed);
    if (potentials.size() == 0) continue;
    const std::vector<double> weights(cssp.num_costs(), 1.0);
    const std::vector<double> costs = scalar_costs(cssp, context.model, weights);
    potentials.set_costs(costs);
    SplitMix64 random(seed);
    for (std::size_t i = 0; i < potentials.size(); ++i) {
      potentials.set_potential(i, random.unit() * potentials.limit(i));
      ++potentials_set;
    }
    Monitor monitor;
    graph::SearchGraph graph(cssp);
    if (!graph.expand_all(monitor, 2000)) continue;
    std::vector<std::uint32_t> values;
    const auto potential = [&](StateId s) {
      context.model.values(s, values);
      return potentials.of_state(values);
    };
    for (const StateId s : graph.expanded_states())
      for (const graph::PairId p : graph.pairs(s)) {
        if (graph.ends(p)) continue;
        const std::size_t action = graph.action(p).index();
        // Actions that may stay in their state are repeated until they leave it.
        double fall = potential(s);
        for (std::size_t k = 0; k < graph.successors(p).size(); ++k)
          fall -= graph.probabilities(p)[k] * potential(graph.successors(p)[k]);
        ASSERT_GE(potentials.costs()[action], 0);
        ASSERT_LE(potentials.costs()[action], costs[action] + fall / graph.repeats(p) + 1e-9);
      }
    for (std::size_t s = 0; s < graph.num_states(); ++s) {
      if (!graph.is_goal(StateId(s))) continue;
      ASSERT_GE(potential(StateId(s)), potentials.of_goal() - 1e-9);
    }
  }
  EXPECT_GE(potentials_set, testing::at_full_scale(300));
}

TEST(RiskySteps, AreNotOverestimated) {
  std::size_t more = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(600); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Cssp cssp(fragile_task(seed));
    more += check_landmarks(cssp, seed);
    if (HasFailure()) return;
  }
  EXPECT_GE(more, testing::at_full_scale(5'000));
}

/// With penalties from next to nothing to far above all else.
TEST(RiskySteps, AreNotOverestimatedInTheExplodingBlocksWorld) {
  std::size_t more = 0;
  for (std::uint64_t seed = 0; seed <= testing::scaled(20); ++seed)
    for (const double penalty : {5.0, 40.0, 200.0, 2000.0}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", penalty " + std::to_string(penalty));
      Cssp cssp(testing::load_text(seed == 0 ? towers("t3", 3, 1) : towers("random", 3, seed)));
      cssp.set_penalties({{{"total-cost", penalty}, {"destroyed-blocks", 3.0}}});
      more += check_landmarks(cssp, seed);
      if (HasFailure()) return;
    }
  EXPECT_GE(more, testing::at_full_scale(5'000));
}

/// b1 must be put aside before b2 can be moved, and there is no table: either it is repaired for
/// 100, or one of ten times a block is destroyed that is still needed, which half of the penalty
/// of 2000 is charged for.
TEST(RiskySteps, CostMoreThanAnyPlan) {
  std::string text = towers("t3", 3, 1);
  const std::size_t init = text.find("(:init");
  const std::size_t end = text.find("(:metric");
  ASSERT_NE(end, std::string::npos);
  text = text.substr(0, init) +
         "(:init (= (total-cost) 0) (= (destroyed-blocks) 0) (hand-empty) (table-destroyed)"
         " (clear b1) (on b1 b2) (on-table b2) (clear b3) (on-table b3)"
         " (intact b1) (intact b2) (intact b3) (armed b1) (armed b2) (armed b3))"
         "(:goal (and (on b2 b3) (on b1 b2)))" +
         text.substr(end);
  Cssp cssp(testing::load_text(text));
  cssp.set_penalties({{{"total-cost", 2000.0}}});
  LambdaHeuristic landmarks(TaskContext(cssp), EstimatorKind::landmarks);
  landmarks.set_weights(std::vector<double>{1, 0});
  std::vector<double> vector(2);
  ASSERT_TRUE(landmarks.evaluate(cssp.initial_state(), vector));
  // Three steps besides: b1 and b2 are picked up, and b2 is put where it belongs.
  EXPECT_NEAR(vector[0], 103, 1e-6);
}

/// One step for all runners from where they are to the middle, which breaks what the next step of
/// each of them needs with probability `risk`. That one costs `rest`.
task::Task relay(std::uint32_t runners, double risk, double rest) {
  const auto fact = [](std::uint32_t v, std::uint32_t d) {
    return task::Fact{task::VariableId(v), d};
  };
  task::Task task;
  task.cost_vectors = {{1.0}, {rest}};
  task::Action leap{0, 0, {}, {{1 - risk, {}, {}}, {risk, {}, {}}}};
  task.goal.emplace_back();
  for (std::uint32_t v = 0; v < runners; ++v) {
    task.variables.push_back({{"(start)", "(middle)", "(end)"}});
    leap.precondition.push_back(fact(v, 0));
    for (task::Outcome& outcome : leap.outcomes)
      outcome.effects.push_back(fact(v, 1));
    task.actions.push_back({0, 1, {fact(v, 1), fact(runners, 0)}, {{1.0, {}, {fact(v, 2)}}}});
    task.goal[0].push_back(fact(v, 2));
  }
  task.variables.push_back({{"(whole)", ""}});
  leap.precondition.push_back(fact(runners, 0));
  leap.outcomes[1].effects.push_back(fact(runners, 1));
  task.actions.push_back(std::move(leap));
  task.labels = {"(a)"};
  task.initial.assign(runners + 1, 0);
  return task;
}

double estimate_of_relay(std::uint32_t runners, double risk, double rest, double penalty) {
  const task::Task task = relay(runners, risk, rest);
  const std::vector<bool> allowed(task.actions.size(), true);
  Landmarks landmarks(task, allowed, std::make_shared<RelaxedTask>(task, allowed));
  std::vector<double> costs;
  for (const task::Action& action : task.actions)
    costs.push_back(task.cost_vectors[action.cost][0]);
  landmarks.set_costs(costs, penalty);
  std::vector<ActionUse> uses;
  return landmarks.estimate(task.initial, uses);
}

/// A loss is charged at half of the penalty, 50, as long as all that is estimated is below that.
TEST(RiskySteps, AreChargedAtHalfOfThePenalty) {
  EXPECT_NEAR(estimate_of_relay(1, 0.5, 10, 100), 1 + 25 + 10, 1e-9);  // of 1 + 50 + 5
  EXPECT_NEAR(estimate_of_relay(1, 0.5, 30, 100), 50, 1e-9);           // of 1 + 50 + 15
  EXPECT_NEAR(estimate_of_relay(1, 0.5, 90, 100), 1 + 90, 1e-9);       // of 1 + 50 + 45
}

TEST(RiskySteps, AreChargedOnce) {
  EXPECT_NEAR(estimate_of_relay(2, 0.25, 10, 100), 1 + 12.5 + 20, 1e-9);  // of 1 + 25 + 15
}

}  // namespace
}  // namespace carl::heuristics
