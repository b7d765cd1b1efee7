// Every heuristic, in every state of many small problems, for many scalarisations, against the
// exact cost-to-go of policy iteration.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "carl/generate.h"
#include "graph/proper_region.h"
#include "graph/search_graph.h"
#include "graph/zero_cost_loops.h"
#include "heuristics/constrained_roc.h"
#include "heuristics/dijkstra.h"
#include "heuristics/make_heuristic.h"
#include "heuristics/task_heuristics.h"
#include "ssp/policy_iteration.h"
#include "support/load.h"
#include "support/random_domain.h"
#include "support/random_model.h"
#include "support/random_task.h"
#include "support/scale.h"
#include "util/random.h"

namespace carl::heuristics {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double project(std::span<const double> vector, std::span<const double> weights) {
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i)
    sum += weights[i] * vector[i];
  return sum;
}

struct NamedHeuristic {
  std::string name;
  std::unique_ptr<Heuristic> heuristic;
};

/// All heuristics of a factored problem, by the names that users know, in both modes.
std::vector<NamedHeuristic> all_heuristics(Cssp& cssp, Monitor& monitor) {
  std::vector<NamedHeuristic> all;
  graph::SearchGraph graph(cssp);
  for (const HeuristicMode mode : {HeuristicMode::lambda, HeuristicMode::ideal_point})
    for (const std::string& name : heuristic_names())
      all.push_back({name + " " + std::string(to_string(mode)),
                     make_heuristic(graph, heuristic_named(name), mode, monitor)});
  return all;
}

/// Compares all heuristics with the truth in all reachable states; returns how many there were.
std::size_t check(Cssp& cssp, std::uint64_t seed) {
  graph::SearchGraph graph(cssp);
  Monitor monitor;
  if (!graph.expand_all(monitor, 1200)) return 0;
  graph::reject_zero_cost_loops(graph, monitor);
  const graph::ProperRegion region = graph::proper_region(graph, monitor);
  const std::vector<NamedHeuristic> heuristics = all_heuristics(cssp, monitor);
  SplitMix64 random(seed);
  std::size_t checked = 0;
  for (int round = 0; round < 3; ++round) {
    std::vector<double> weights(cssp.num_costs(), 0.0);
    weights[0] = 1;
    if (round > 0)
      for (std::size_t i = 1; i < weights.size(); ++i)
        weights[i] = std::pow(10.0, 3 * random.unit() - 1.5);
    const auto truth = ssp::policy_iteration(graph, region, weights, monitor);
    for (const NamedHeuristic& h : heuristics)
      h.heuristic->set_weights(weights);
    // Every state of small problems, some of larger ones.
    const std::size_t step = 1 + graph.num_states() / 150;
    for (std::size_t s = 0; s < graph.num_states(); s += step) {
      if (graph.is_goal(StateId(s))) continue;
      const double optimum = truth.value[s];
      std::map<std::string, double> values;
      for (const auto& [name, heuristic] : heuristics) {
        std::vector<double> vector(cssp.num_costs());
        const bool hopeful = heuristic->evaluate(StateId(s), vector);
        const double value = hopeful || cssp.can_give_up() ? project(vector, weights) : infinity;
        values[name] = value;
        for (const double entry : vector)
          if (hopeful) {
            EXPECT_GE(entry, 0) << name;
          }
        EXPECT_LE(value, optimum + 1e-6 * std::max(1.0, optimum))
            << name << " in " << cssp.state_name(StateId(s));
      }
      const auto expect_not_above = [&](const char* weaker, const char* stronger) {
        const double value = values.at(stronger);
        EXPECT_LE(values.at(weaker), value + 1e-6 * std::max(1.0, std::abs(value)))
            << weaker << " above " << stronger;
      };
      expect_not_above("hmax lambda", "lmcut lambda");
      expect_not_above("roc lambda", "pom lambda");
      ++checked;
    }
  }
  return checked;
}

TEST(Admissibility, OnTheBenchmarkDomains) {
  const std::pair<std::string, std::vector<std::pair<std::string, std::string>>> instances[] = {
      {"exbw", {{"id", "t2"}}},
      {"exbw", {{"id", "t3"}}},
      {"sar", {{"n", "3"}, {"d", "2"}}},
      {"elevators", {}},
      {"ctw", {{"n", "2"}, {"d", "2"}, {"c", "2"}}},
      {"ctw", {{"n", "2"}, {"d", "2"}, {"c", "2"}, {"variant", "q"}}},
      {"parc", {{"sheets", "BC"}, {"f", "0.2"}, {"u", "1"}}},
  };
  for (const auto& [domain, parameters] : instances) {
    SCOPED_TRACE(domain);
    const GeneratedInstance instance = generate_instance(domain, parameters, 1);
    Cssp cssp(testing::load_text(instance.domain_text + instance.problem_text));
    EXPECT_GT(check(cssp, 1), 0U);
  }
}

/// Without a task there is only the ideal point by Dijkstra's algorithm.
TEST(Admissibility, DijkstraOnRandomModels) {
  std::size_t checked = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(1000); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    testing::RandomModelOptions options = testing::random_options(seed, 12);
    options.zero_primary_costs = false;
    Cssp cssp(testing::random_model(seed, options));
    Monitor monitor;
    graph::SearchGraph graph(cssp);
    DijkstraIdealPoint dijkstra(graph, monitor);
    graph.expand_all(monitor);
    const graph::ProperRegion region = graph::proper_region(graph, monitor);
    SplitMix64 random(seed);
    std::vector<double> weights(cssp.num_costs(), 1.0);
    for (std::size_t i = 1; i < weights.size(); ++i)
      weights[i] = std::pow(10.0, 3 * random.unit() - 1.5);
    const auto truth = ssp::policy_iteration(graph, region, weights, monitor);
    for (std::size_t s = 0; s < graph.num_states(); ++s) {
      std::vector<double> vector(cssp.num_costs());
      const bool hopeful = graph.is_goal(StateId(s)) || dijkstra.evaluate(StateId(s), vector);
      if (!hopeful && !cssp.can_give_up())
        EXPECT_EQ(truth.value[s], infinity) << cssp.state_name(StateId(s));
      else
        EXPECT_LE(project(vector, weights), truth.value[s] * (1 + 1e-9));
      ++checked;
    }
    if (HasFailure()) break;
  }
  EXPECT_GT(checked, testing::scaled(5'000));
}

/// By LP duality the multipliers attain the value: λ-ROC(s0) - λ·u.
TEST(ConstrainedRoc, KnowsTheMultipliersOfThePrinter) {
  const GeneratedInstance instance = generate_instance("parc", {{"f", "0.2"}, {"u", "1"}}, 1);
  Cssp cssp(testing::load_text(instance.domain_text + instance.problem_text));
  Monitor monitor;
  const auto roc = constrained_roc(TaskContext(cssp), monitor);
  ASSERT_TRUE(roc);
  EXPECT_NEAR(roc->multipliers[0], 180617.055, 1);  // give-up costs 1e7: LP tolerances show
  EXPECT_NEAR(roc->multipliers[1], 7999, 1);
  EXPECT_NEAR(roc->value, 1063997.59, 1);
  LambdaHeuristic lambda(TaskContext(cssp), EstimatorKind::roc);
  const std::vector<double> weights{1, roc->multipliers[0], roc->multipliers[1]};
  lambda.set_weights(weights);
  std::vector<double> vector(3);
  ASSERT_TRUE(lambda.evaluate(cssp.initial_state(), vector));
  EXPECT_NEAR(project(vector, weights) - 0.2 * weights[1] - weights[2], roc->value, 1);
}

TEST(Admissibility, OnRandomTasks) {
  std::size_t checked = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(1000); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Cssp cssp(testing::random_task(seed));
    checked += check(cssp, seed);
    if (HasFailure()) break;
  }
  EXPECT_GT(checked, testing::scaled(50'000));
}

/// Before the initial state is drawn, and after.
TEST(Admissibility, WithInitialDistributions) {
  std::size_t checked = 0;
  std::size_t above_the_estimator = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(400); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Cssp cssp(testing::load_text(testing::random_drawn_start(seed)));
    checked += check(cssp, seed);
    if (HasFailure()) break;
    // The expectation over what may be drawn is no less than what the estimator says of the draw.
    Monitor monitor;
    graph::SearchGraph graph(cssp);
    const auto lmcut =
        make_heuristic(graph, HeuristicKind::lmcut, HeuristicMode::ideal_point, monitor);
    IdealPoint plain{TaskContext(cssp), EstimatorKind::lmcut};
    std::vector<double> expected(cssp.num_costs());
    std::vector<double> estimated(cssp.num_costs());
    if (cssp.is_goal(cssp.initial_state())) continue;
    if (lmcut->evaluate(cssp.initial_state(), expected) &&
        plain.evaluate(cssp.initial_state(), estimated))
      above_the_estimator += expected[0] > estimated[0] + 1e-6 ? 1 : 0;
  }
  EXPECT_GE(checked, testing::at_full_scale(20'000));
  EXPECT_GE(above_the_estimator, testing::at_full_scale(100));
}

TEST(Admissibility, OnRandomTasksWithConditionalEffects) {
  std::size_t checked = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(300); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Cssp cssp(testing::random_conditional_task(seed));
    checked += check(cssp, seed);
    if (HasFailure()) break;
  }
  EXPECT_GT(checked, testing::scaled(15'000));
}

TEST(Admissibility, OnRandomProblemsWithConditionalEffects) {
  std::size_t checked = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(600); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Cssp cssp(testing::load_text(testing::random_conditional_problem(seed)));
    checked += check(cssp, seed);
    if (HasFailure()) break;
  }
  EXPECT_GT(checked, testing::scaled(5'000));
}

}  // namespace
}  // namespace carl::heuristics
