// All algorithms against policy iteration without any rounding, on models that rounding makes hard:
// loops that are hardly ever left, outcomes that hardly ever happen, costs of very different size,
// and many free actions. After every solve the algorithms' promise is checked.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>

#include "heuristics/dijkstra.h"
#include "heuristics/make_heuristic.h"
#include "model/explicit_model.h"
#include "ssp/policy_iteration.h"
#include "ssp/postcondition.h"
#include "ssp/ssp_algorithm.h"
#include "ssp/sub_solution.h"
#include "ssp/topological_iteration.h"
#include "support/random_model.h"
#include "support/scale.h"
#include "util/random.h"
#include "util/rational.h"

namespace carl::ssp {
namespace {

/// The optimal cost-to-go of all states of the region, for the graph's numbers as they are and
/// probabilities scaled to sum to one.
class ExactPolicyIteration {
 public:
  ExactPolicyIteration(const SearchGraph& graph, std::span<const double> weights)
      : graph_(graph), weights_(weights) {
    Monitor unlimited;
    region_ = graph::proper_region(graph, unlimited);
    for (std::size_t s = 0; s < graph.num_states(); ++s)
      if (region_.member[s] && !graph.is_goal(StateId(s))) {
        number_.push_back(static_cast<int>(states_.size()));
        states_.emplace_back(s);
      } else {
        number_.push_back(-1);
      }
    for (const StateId s : states_)
      choice_.push_back(region_.choice[s.index()]);
    do
      evaluate();
    while (improve());
  }

  bool has_value(StateId s) const { return region_.contains(s); }
  Rational value(StateId s) const {
    const int i = number_[s.index()];
    return i < 0 ? Rational(0) : value_[static_cast<std::size_t>(i)];
  }

 private:
  Rational cost(PairId p) const {
    Rational sum = 0;
    for (std::size_t i = 0; i < weights_.size(); ++i)
      sum += Rational(weights_[i]) * Rational(graph_.cost(p)[i]);
    return sum;
  }
  template <class Visit>
  void for_outcomes(PairId p, Visit visit) const {
    Rational total = 0;
    for (const double probability : graph_.probabilities(p))
      total += Rational(probability);
    for (std::size_t k = 0; k < graph_.successors(p).size(); ++k)
      visit(number_[graph_.successors(p)[k].index()], Rational(graph_.probabilities(p)[k]) / total);
  }

  /// Gaussian elimination.
  void evaluate() {
    const std::size_t n = states_.size();
    std::vector<std::vector<Rational>> row(n, std::vector<Rational>(n + 1));
    for (std::size_t i = 0; i < n; ++i) {
      row[i][i] = 1;
      row[i][n] = cost(choice_[i]);
      for_outcomes(choice_[i], [&](int j, const Rational& probability) {
        if (j >= 0) row[i][static_cast<std::size_t>(j)] -= probability;
      });
    }
    for (std::size_t c = 0; c < n; ++c) {
      for (std::size_t i = 0; i < n; ++i) {
        if (i == c || row[i][c] == 0) continue;
        const Rational factor = row[i][c] / row[c][c];
        for (std::size_t k = c; k <= n; ++k)
          row[i][k] -= factor * row[c][k];
      }
    }
    value_.resize(n);
    for (std::size_t i = 0; i < n; ++i)
      value_[i] = row[i][n] / row[i][i];
  }

  bool improve() {
    bool improved = false;
    for (std::size_t i = 0; i < states_.size(); ++i) {
      Rational best = value_[i];
      for (const PairId p : graph_.pairs(states_[i])) {
        if (!region_.allows(graph_, p)) continue;
        Rational q = cost(p);
        for_outcomes(p, [&](int j, const Rational& probability) {
          if (j >= 0) q += probability * value_[static_cast<std::size_t>(j)];
        });
        if (q < best) {
          best = q;
          choice_[i] = p;
          improved = true;
        }
      }
    }
    return improved;
  }

  const SearchGraph& graph_;
  std::span<const double> weights_;
  graph::ProperRegion region_;
  std::vector<int> number_;  // per state of the graph; -1: a goal or hopeless
  std::vector<StateId> states_;
  std::vector<PairId> choice_;
  std::vector<Rational> value_;
};

testing::RandomModelOptions hard_options(std::uint64_t seed) {
  testing::RandomModelOptions options = testing::random_options(seed, 8);
  options.bounds = testing::BoundsKind::none;
  options.costs = 1 + seed % 3;
  SplitMix64 random(seed);
  options.near_loops = random.below(2) == 0;
  options.tiny_probabilities = random.below(2) == 0;
  options.wide_costs = random.below(2) == 0;
  options.many_free_actions = random.below(2) == 0;
  return options;
}

std::vector<double> random_weights(std::size_t costs, SplitMix64& random) {
  std::vector<double> weights(costs, 0.0);
  weights[0] = 1;
  for (std::size_t i = 1; i < costs; ++i)
    if (random.below(2) == 0) weights[i] = std::pow(10.0, 12 * random.unit() - 6);
  return weights;
}

class HardModels : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Ssp, HardModels, ::testing::ValuesIn(inner_names()),
                         [](const auto& algorithm) {
                           std::string name = algorithm.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST_P(HardModels, ValuesAndBoundsAreThoseOfExactPolicyIteration) {
  Monitor monitor;
  for (std::uint64_t seed = 0; seed < testing::scaled(600); ++seed) {
    const auto options = hard_options(seed);
    Cssp cssp(testing::random_model(seed, options));
    SplitMix64 random(~seed);
    SearchGraph graph(cssp);
    const auto heuristic = heuristics::make_heuristic(
        graph, seed % 2 == 0 ? HeuristicKind::zero : HeuristicKind::dijkstra, HeuristicMode::lambda,
        monitor);
    std::vector<double> weights(graph.num_costs(), 0.0);
    weights[0] = 1;
    ScalarisedSsp ssp(graph, *heuristic, weights);
    if (seed % 3 != 0) ssp.use_scalar_residual();
    const auto algorithm = make_ssp_algorithm(inner_named(GetParam()), ssp, seed);
    SearchGraph all(cssp);
    all.expand_all(monitor);
    for (int round = 0; round < 3; ++round) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " round " + std::to_string(round) + " " +
                   options.text());
      if (round > 0) {
        weights = random_weights(graph.num_costs(), random);
        ssp.set_weights(weights);
        algorithm->weights_changed();
      }
      const ExactPolicyIteration truth(all, weights);
      const StateId start = ssp.initial_state();
      ASSERT_TRUE(algorithm->solve({.epsilon = 1e-4}, monitor));
      ASSERT_EQ(ssp.value(start) != infinity, truth.has_value(start));
      if (!truth.has_value(start)) break;
      ASSERT_EQ(broken_promise(ssp, 1e-4), "");
      const double optimum = to_double(truth.value(start));
      ASSERT_LE(sound_lower_bound(graph, weights, ssp.values(), monitor), optimum * (1 + 1e-14));

      ASSERT_TRUE(algorithm->solve({.epsilon = 1e-4, .exact = true}, monitor));
      ASSERT_EQ(broken_promise(ssp, 1e-9 * optimum), "");
      ASSERT_NEAR(ssp.value(start), optimum, 1e-9 * optimum);
      const double bound = sound_lower_bound(graph, weights, ssp.values(), monitor);
      ASSERT_LE(bound, optimum * (1 + 1e-14));
      ASSERT_GE(bound, optimum * (1 - 1e-9));
      const SubSolution proof =
          make_sub_solution(graph, weights, ssp.values(), monitor, {.holds_as_written = true});
      ASSERT_LE(Rational(proof.theta) * Rational(proof.value[start.index()]), truth.value(start));
      ASSERT_GE(proof.bound, optimum * (1 - 1e-8));
    }
  }
}

/// Krylov methods for components of any size, with today's methods for what they cannot do: after the
/// first λ from the choices of the last.
TEST(KrylovIteration, ValuesAndBoundsAreThoseOfExactPolicyIteration) {
  Monitor monitor;
  for (std::uint64_t seed = 0; seed < testing::scaled(1500); ++seed) {
    auto options = seed % 2 == 0 ? hard_options(seed) : testing::random_options(seed, 12);
    options.bounds = testing::BoundsKind::none;
    options.zero_cost_loop = false;
    Cssp cssp(testing::random_model(seed, options));
    SplitMix64 random(~seed);
    SearchGraph graph(cssp);
    heuristics::ZeroHeuristic zero;
    std::vector<double> weights(graph.num_costs(), 0.0);
    weights[0] = 1;
    ScalarisedSsp ssp(graph, zero, weights);
    ssp.use_scalar_residual();
    ASSERT_TRUE(ssp.expand_all(monitor));
    TopologicalIteration iteration(ssp, TopologicalIteration::Values::scalars, 2);
    iteration.start(monitor);
    for (int round = 0; round < 3; ++round) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " round " + std::to_string(round) + " " +
                   options.text());
      if (round > 0) {
        weights = random_weights(graph.num_costs(), random);
        ssp.set_weights(weights);
      }
      const ExactPolicyIteration truth(graph, weights);
      const StateId start = ssp.initial_state();
      ASSERT_EQ(ssp.value(start) != infinity, truth.has_value(start));
      if (!truth.has_value(start)) break;
      const double optimum = to_double(truth.value(start));
      ASSERT_TRUE(iteration.solve({.epsilon = 1e-12 * optimum}, monitor));
      ASSERT_LE(sound_lower_bound(graph, weights, ssp.values(), monitor), optimum * (1 + 1e-14));
      // Residuals that small are not always small errors: loops are left once in 10^6 steps.
      ASSERT_NEAR(ssp.value(start), optimum, 1e-5 * optimum);
    }
  }
}

/// A walk on a line: careful steps are free of risk and lead nowhere in particular.
std::shared_ptr<Model> random_walk(int n, bool may_run = true) {
  ExplicitBuilder builder({{"time", "risk"}, {}, {}});
  const auto name = [](int i) { return "s" + std::to_string(i); };
  for (int i = 0; i < n; ++i) {
    const std::string back = name(std::max(i - 1, 0));
    const std::string on = name(i + 1);
    builder.add_action(name(i), "walk", {1, 0}, {{0.5, on}, {0.5, back}});
    if (!may_run) continue;
    builder.add_action(name(i), "run", {1.5 + 0.2 * (i % 7), 1.0 + 0.1 * (i % 5)},
                       {{0.7, on}, {0.3, back}});
  }
  builder.add_goal(builder.state(name(n)));
  return builder.build(builder.state(name(0)));
}

TEST_P(HardModels, ARandomWalkOnALongLineIsNoObstacle) {
  Monitor monitor;
  Cssp cssp(random_walk(300));
  SearchGraph graph(cssp);
  heuristics::ZeroHeuristic zero;
  ScalarisedSsp ssp(graph, zero, std::vector{1.0, 0.0});
  ssp.use_scalar_residual();
  const auto algorithm = make_ssp_algorithm(inner_named(GetParam()), ssp);
  for (const double weight : {0.0, 10.0, 1.0, 3.0, 1e6}) {
    const std::vector weights{1.0, weight};
    ssp.set_weights(weights);
    algorithm->weights_changed();
    ASSERT_TRUE(algorithm->solve({.epsilon = 1e-6}, monitor));
    EXPECT_EQ(broken_promise(ssp, 1e-6), "");
    ASSERT_TRUE(algorithm->solve({.epsilon = 1e-6, .exact = true}, monitor));
    SearchGraph all(cssp);
    all.expand_all(monitor);
    const auto truth = policy_iteration(all, graph::proper_region(all, monitor), weights, monitor);
    const double optimum = truth.value[all.initial_state().index()];
    EXPECT_NEAR(ssp.value(ssp.initial_state()), optimum, 1e-9 * optimum);
  }
  // Sweeps alone would take some 10^8; so many are made by trials that get nowhere.
  EXPECT_LE(ssp.num_backups(), 5'000'000);
}

TEST(KrylovIteration, ARandomWalkOnALongLineIsNoObstacle) {
  Monitor monitor;
  Cssp cssp(random_walk(300));
  SearchGraph graph(cssp);
  heuristics::ZeroHeuristic zero;
  ScalarisedSsp ssp(graph, zero, std::vector{1.0, 0.0});
  ssp.use_scalar_residual();
  ASSERT_TRUE(ssp.expand_all(monitor));
  TopologicalIteration iteration(ssp, TopologicalIteration::Values::scalars, 2);
  iteration.start(monitor);
  for (const double weight : {0.0, 10.0, 1.0, 3.0, 1e6}) {
    const std::vector weights{1.0, weight};
    ssp.set_weights(weights);
    const auto truth =
        policy_iteration(graph, graph::proper_region(graph, monitor), weights, monitor);
    const double optimum = truth.value[graph.initial_state().index()];
    ASSERT_TRUE(iteration.solve({.epsilon = 1e-13 * optimum}, monitor));
    EXPECT_NEAR(ssp.value(ssp.initial_state()), optimum, 1e-7 * optimum);
  }
  // Sweeps alone would take some 10^8.
  EXPECT_LE(ssp.num_backups(), 500'000);
}

TEST(KrylovIteration, LimitsEndIt) {
  Cssp cssp(random_walk(300));
  SearchGraph graph(cssp);
  heuristics::ZeroHeuristic zero;
  ScalarisedSsp ssp(graph, zero, std::vector{1.0, 0.0});
  ssp.use_scalar_residual();
  Monitor unlimited;
  ASSERT_TRUE(ssp.expand_all(unlimited));
  TopologicalIteration iteration(ssp, TopologicalIteration::Values::scalars, 2);
  iteration.start(unlimited);
  const std::atomic<bool> interrupted = true;
  Monitor monitor(infinity, 0, &interrupted);
  EXPECT_FALSE(iteration.solve({.epsilon = 1e-6}, monitor));
  EXPECT_TRUE(iteration.solve({.epsilon = 1e-6}, unlimited));
  const auto truth = policy_iteration(graph, graph::proper_region(graph, unlimited),
                                      std::vector{1.0, 0.0}, unlimited);
  const double optimum = truth.value[graph.initial_state().index()];
  EXPECT_NEAR(ssp.value(ssp.initial_state()), optimum, 1e-6 * optimum);
}

/// With one action in each state there is nothing to choose, and nothing that could be improved.
TEST_P(HardModels, ARandomWalkWithoutAChoiceIsNoObstacle) {
  Monitor monitor;
  Cssp cssp(random_walk(200, false));
  SearchGraph graph(cssp);
  heuristics::ZeroHeuristic zero;
  ScalarisedSsp ssp(graph, zero, std::vector{1.0, 0.0});
  const auto algorithm = make_ssp_algorithm(inner_named(GetParam()), ssp);
  ASSERT_TRUE(algorithm->solve({.epsilon = 1e-6}, monitor));
  EXPECT_NEAR(ssp.value(ssp.initial_state()), 200 * 201, 1e-3);
  EXPECT_LE(ssp.num_backups(), 3'000'000);
}

/// Doors, each a little more expensive than the one before, to rooms that are hard to leave. At a
/// coarse ε a search enters one and is content; its exact value then makes the next door look
/// better, which is not expanded yet. However often that happens, the policy is closed in the end.
TEST_P(HardModels, ExactValuesMayPointToTheFringeManyTimes) {
  ExplicitBuilder builder({{"time"}, {}, {}});
  for (int i = 0; i < 60; ++i) {
    const std::string room = "room" + std::to_string(i);
    builder.add_action("s", "open" + std::to_string(i), {1.0 + 20 * i}, {{1.0, room}});
    builder.add_action(room, "walk", {5}, {{1.0, room + "exit"}});
    builder.add_action(room + "exit", "leave", {5}, {{0.01, "g"}, {0.99, room}});
  }
  builder.add_goal(builder.state("g"));
  Monitor monitor;
  Cssp cssp(builder.build(builder.state("s")));
  SearchGraph graph(cssp);
  heuristics::ZeroHeuristic zero;
  ScalarisedSsp ssp(graph, zero, std::vector{1.0});
  const auto algorithm = make_ssp_algorithm(inner_named(GetParam()), ssp);
  ASSERT_TRUE(algorithm->solve({.epsilon = 1000, .exact = true}, monitor));
  EXPECT_TRUE(ssp.greedy_policy_is_closed());
  EXPECT_NEAR(ssp.value(ssp.initial_state()), 1001, 1e-9);
}

TEST_P(HardModels, LimitsEndAnySolveAtOnce) {
  std::atomic<bool> interrupt = false;
  Monitor none;
  Cssp cssp(random_walk(1000));
  SearchGraph graph(cssp);
  heuristics::ZeroHeuristic zero;
  ScalarisedSsp ssp(graph, zero, std::vector{1.0, 0.0});
  ssp.use_scalar_residual();
  const auto algorithm = make_ssp_algorithm(inner_named(GetParam()), ssp);
  ASSERT_TRUE(algorithm->solve({.epsilon = 1e-4}, none));
  interrupt = true;
  Monitor monitor(std::numeric_limits<double>::infinity(), 0, &interrupt);
  ssp.set_weights(std::vector{1.0, 10.0});
  algorithm->weights_changed();
  const std::size_t backups = ssp.num_backups();
  EXPECT_FALSE(algorithm->solve({.epsilon = 1e-4}, monitor));
  EXPECT_LE(ssp.num_backups(), backups + 100);
}

TEST_P(HardModels, TheSmallestProblemsAreNoTrouble) {
  Monitor monitor;
  const auto solved_value = [&](const std::shared_ptr<Model>& model) {
    Cssp cssp(model);
    SearchGraph graph(cssp);
    heuristics::ZeroHeuristic zero;
    ScalarisedSsp ssp(graph, zero, std::vector{1.0});
    const auto algorithm = make_ssp_algorithm(inner_named(GetParam()), ssp);
    EXPECT_TRUE(algorithm->solve({.epsilon = 1e-4, .exact = true}, monitor));
    EXPECT_EQ(broken_promise(ssp, 1e-4), "");
    return ssp.value(ssp.initial_state());
  };
  {
    ExplicitBuilder builder({{"time"}, {}, {}});
    builder.add_goal(builder.state("g"));
    EXPECT_EQ(solved_value(builder.build(builder.state("g"))), 0);
  }
  {
    ExplicitBuilder builder({{"time"}, {}, {}});
    builder.add_goal(builder.state("g"));
    EXPECT_EQ(solved_value(builder.build(builder.state("s"))), infinity);
  }
  {
    ExplicitBuilder builder({{"time"}, {}, {}});
    builder.add_action("s", "wait", {1}, {{1.0, "s"}});
    EXPECT_EQ(solved_value(builder.build(builder.state("s"))), infinity);
  }
  {
    ExplicitBuilder builder({{"time"}, {}, {}});
    builder.add_action("s", "try", {1}, {{0.75, "s"}, {0.25, "g"}});
    builder.add_goal(builder.state("g"));
    EXPECT_EQ(solved_value(builder.build(builder.state("s"))), 4);
  }
}

}  // namespace
}  // namespace carl::ssp
