// Solving one scalarised problem on several threads: the same bits as on one, and the right ones.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "carl/explicit_builder.h"
#include "graph/proper_region.h"
#include "heuristics/dijkstra.h"
#include "ssp/krylov.h"
#include "ssp/policy_evaluation.h"
#include "ssp/policy_iteration.h"
#include "ssp/sub_solution.h"
#include "ssp/topological_iteration.h"
#include "util/random.h"

namespace carl::ssp {
namespace {

const std::vector<std::size_t> counts{2, 3, 8};

/// A grid to be crossed, in which every step may slip. Quick steps are risky; what they cost is random.
std::shared_ptr<Model> random_grid(int n, std::uint64_t seed) {
  SplitMix64 random(seed);
  ExplicitBuilder builder({{"time", "risk"}, {}, {}});
  const auto state = [&](int x, int y) {
    x = std::clamp(x, 0, n - 1);
    y = std::clamp(y, 0, n - 1);
    return builder.state(std::to_string(x) + "," + std::to_string(y));
  };
  for (int x = 0; x < n; ++x)
    for (int y = 0; y < n; ++y) {
      if (x == n - 1 && y == n - 1) continue;
      for (const bool quick : {false, true})
        for (const bool right : {false, true}) {
          const double slip = quick ? 0.2 : 0.05;
          // Some outcomes are the same at the border.
          std::map<StateId, double> outcomes;
          outcomes[right ? state(x + 1, y) : state(x, y + 1)] += 1 - 2 * slip;
          outcomes[state(x - 1, y)] += slip;
          outcomes[state(x, y - 1)] += slip;
          for (const auto& [to, probability] : outcomes)
            builder.add_outcome(probability, to);
          const double time = quick ? 1 : 2;
          const double risk = quick ? 1 : 0.1;
          builder.add_action(state(x, y), (quick ? "run " : "walk ") + std::to_string(right),
                             {time + random.unit(), risk * random.unit()});
        }
    }
  builder.add_goal(state(n - 1, n - 1));
  return builder.build(state(0, 0));
}

/// All that comes of solving for one λ after another.
struct Outcome {
  std::vector<double> numbers;

  void add(const std::vector<double>& more) {
    numbers.insert(numbers.end(), more.begin(), more.end());
  }
};

/// A random grid, all of it one component that is solved by Krylov methods.
struct Grid {
  Grid(int n, std::uint64_t seed, std::size_t threads)
      : cssp(random_grid(n, seed)), graph(cssp, threads), ssp(graph, zero, std::vector{1.0, 0.0}) {
    ssp.use_scalar_residual();
    EXPECT_TRUE(ssp.expand_all(monitor));
    iteration.start(monitor);
  }

  Monitor monitor;
  Cssp cssp;
  SearchGraph graph;
  heuristics::ZeroHeuristic zero;
  ScalarisedSsp ssp;
  TopologicalIteration iteration{ssp, TopologicalIteration::Values::scalars, 1000};
};

Outcome solve(int n, std::uint64_t seed, std::size_t threads) {
  Grid grid(n, seed, threads);
  ScalarisedSsp& ssp = grid.ssp;
  Outcome outcome;
  for (const double weight : {0.0, 5.0, 1.0}) {
    const std::vector<double> weights{1.0, weight};
    ssp.set_weights(weights);
    constexpr double loss = 1e-7;
    EXPECT_TRUE(grid.iteration.solve({.epsilon = 1e-4, .negligible_loss = loss}, grid.monitor));
    outcome.add(ssp.values());
    const double start = ssp.value(ssp.initial_state());
    const double bound = sound_lower_bound(grid.graph, weights, ssp.values(), grid.monitor, loss);
    EXPECT_LE(bound, start * (1 + 1e-12));
    EXPECT_GE(bound, start * (1 - 2 * loss));
    const Evaluation evaluation = evaluate(
        grid.graph, ssp.greedy_policy(), {.rough_values = &ssp.values(), .least_for_krylov = 1000});
    EXPECT_TRUE(evaluation.bracketed);
    EXPECT_NEAR(weighted_cost(evaluation.costs, weights), start, 2 * loss * start);
    outcome.add({bound, static_cast<double>(ssp.num_backups())});
    outcome.add(evaluation.costs);
    outcome.add(evaluation.visits);
  }
  return outcome;
}

TEST(SolvingOnThreads, GivesTheSameBits) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const Outcome one = solve(70, seed, 1);
    for (const std::size_t count : counts)
      EXPECT_EQ(one.numbers, solve(70, seed, count).numbers) << count << " threads, seed " << seed;
  }
}

/// Whoever is far from the end asks for less, and gets no more than that; and what he gets is sound.
TEST(LargeComponents, StopWhereTheLossIsTolerable) {
  Grid grid(70, 5, 1);
  const std::vector<double> weights{1.0, 1.0};
  grid.ssp.set_weights(weights);
  double before = 0;
  std::size_t backups = 0;
  std::vector<double> bounds;
  for (const double loss : {0.1, 1e-3, 0.0}) {
    EXPECT_TRUE(grid.iteration.solve({.epsilon = 1e-7, .tolerable_loss = loss}, grid.monitor));
    EXPECT_EQ(grid.iteration.accepted_loss(), loss);
    const double start = grid.ssp.value(grid.ssp.initial_state());
    bounds.push_back(sound_lower_bound(grid.graph, weights, grid.ssp.values(), grid.monitor,
                                       std::max(loss, 1e-9)));
    EXPECT_GE(bounds.back(), start * (1 - std::max(loss, 1e-6)) * (1 - 1e-9)) << loss;
    EXPECT_GT(grid.ssp.num_backups(), backups) << "more is asked for, so more is to be done";
    backups = grid.ssp.num_backups();
    before = start;
  }
  for (const double bound : bounds)
    EXPECT_LE(bound, before * (1 + 1e-9));
}

/// Who wants a policy and no bound is done sooner, with one that costs about as little as the best.
TEST(LargeComponents, StopSoonerForThePolicyAlone) {
  std::size_t sooner = 0;
  std::size_t backups_for_policies = 0;
  std::size_t backups_for_bounds = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const double loss = seed % 2 == 0 ? 1e-4 : 1e-5;
    const std::vector<double> weights{1.0, seed % 3 == 0 ? 10.0 : 2.0};
    std::vector<double> costs;
    for (const bool for_bounds : {false, true}) {
      Grid grid(70, seed, 1);
      ASSERT_TRUE(grid.iteration.solve({.epsilon = 1e-4}, grid.monitor));
      grid.ssp.set_weights(weights);
      const std::size_t before = grid.ssp.num_backups();
      ASSERT_TRUE(grid.iteration.solve(
          {.epsilon = 1e-7, .tolerable_loss = loss, .for_bounds = for_bounds}, grid.monitor));
      const double accepted = grid.iteration.accepted_loss();
      EXPECT_TRUE(accepted == loss || (!for_bounds && accepted == infinity));
      sooner += accepted == infinity;
      (for_bounds ? backups_for_bounds : backups_for_policies) += grid.ssp.num_backups() - before;
      const Evaluation evaluation = evaluate(grid.graph, grid.ssp.greedy_policy());
      ASSERT_TRUE(evaluation.proper);
      costs.push_back(weighted_cost(evaluation.costs, weights));
      EXPECT_LE(sound_lower_bound(grid.graph, weights, grid.ssp.values(), grid.monitor, infinity),
                costs.back() * (1 + 1e-9));
    }
    EXPECT_LE(costs[0], costs[1] * (1 + 2 * loss)) << seed;
  }
  EXPECT_GE(sooner, 4U);
  EXPECT_LT(backups_for_policies, backups_for_bounds);
  RecordProperty("sooner", static_cast<int>(sooner));
}

TEST(SolvingOnThreads, ValuesAreThoseOfPolicyIteration) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    Grid grid(50, seed, 2);
    for (const double weight : {2.0, 0.0, 20.0, 19.0}) {
      const std::vector<double> weights{1.0, weight};
      grid.ssp.set_weights(weights);
      ASSERT_TRUE(grid.iteration.solve({.epsilon = 1e-9}, grid.monitor));
      const OptimalValues truth = policy_iteration(
          grid.graph, graph::proper_region(grid.graph, grid.monitor), weights, grid.monitor);
      for (std::size_t s = 0; s < grid.graph.num_states(); ++s)
        ASSERT_NEAR(grid.ssp.values()[s], truth.value[s], 1e-9 * truth.value[s])
            << "seed " << seed << ", weight " << weight;
    }
  }
}

/// Steps forward and back along a line, a few at a time: what lies between two halves is little.
SparseRows banded(std::size_t size, SplitMix64& random) {
  SparseRows rows;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = i < 3 ? 0 : i - 3; j < std::min(size, i + 3); ++j) {
      if (j == i || random.below(3) == 0) continue;
      rows.column.push_back(static_cast<std::uint32_t>(j));
      rows.value.push_back(-(j < i ? 0.3 : 0.03) * random.unit());
    }
    rows.first.push_back(rows.column.size());
    rows.diagonal.push_back(1);
  }
  return rows;
}

/// Nothing is dropped: then both ends together give what the matrix itself gives.
TEST(FactorsFromBothEnds, SolveTheirMatrix) {
  std::size_t with_rows_between = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SplitMix64 random(seed);
    const SparseRows matrix = banded(1 + random.below(400), random);
    const std::size_t n = matrix.size();
    std::vector<double> truth(n);
    for (double& x : truth)
      x = random.unit();
    std::vector<double> rows(n, 0.0);
    std::vector<double> columns(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      rows[i] += truth[i];
      columns[i] += truth[i];
      for (std::size_t e = matrix.first[i]; e < matrix.first[i + 1]; ++e) {
        rows[i] += matrix.value[e] * truth[matrix.column[e]];
        columns[matrix.column[e]] += matrix.value[e] * truth[i];
      }
    }
    const Threads threads(1 + seed % 3);
    IncompleteLu factors(threads, {.drop = 0, .entries_per_decade = 1e6, .least_for_both_ends = 8});
    ASSERT_TRUE(factors.factorize(matrix));
    if (factors.num_between() > 0) ++with_rows_between;
    factors.solve_rows(rows);
    factors.solve_columns(columns);
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_NEAR(rows[i], truth[i], 1e-11) << "seed " << seed;
      ASSERT_NEAR(columns[i], truth[i], 1e-11) << "seed " << seed;
    }
  }
  EXPECT_GE(with_rows_between, 200U);
}

/// More rows than one block of the matrix has.
TEST(EvaluationOnThreads, OfALongLine) {
  constexpr int length = 150'000;
  ExplicitBuilder builder({{"time"}, {}, {}});
  std::vector<StateId> state;
  for (int i = 0; i <= length; ++i)
    state.push_back(builder.state(std::to_string(i)));
  for (int i = 0; i < length; ++i) {
    builder.add_outcome(0.75, state[static_cast<std::size_t>(i) + 1]);
    builder.add_outcome(0.25, state[static_cast<std::size_t>(std::max(0, i - 1))]);
    builder.add_action(state[static_cast<std::size_t>(i)], "go", {1});
  }
  builder.add_goal(state.back());
  Cssp cssp(builder.build(state.front()));
  // Half a step forward in the mean; where it begins there is no way back, which saves one.
  const double steps = 2.0 * length - 1.0;
  std::vector<double> first;
  for (const std::size_t count : {1U, 2U, 3U}) {
    SearchGraph graph(cssp, count);
    Monitor monitor;
    graph.expand_all(monitor);
    std::vector<PairId> choice(graph.num_states());
    std::vector<double> rough(graph.num_states(), 1.0);
    for (std::size_t s = 0; s < graph.num_states(); ++s)
      if (!graph.is_goal(StateId(s))) choice[s] = *graph.pairs(StateId(s)).begin();
    const Policy policy = deterministic_envelope(graph, graph.initial_state(), choice);
    for (std::size_t i = 0; i < policy.size(); ++i)
      rough[policy.state(i).index()] = static_cast<double>(2 * (policy.size() - i));
    const Evaluation evaluation = evaluate(graph, policy, {.rough_values = &rough});
    ASSERT_TRUE(evaluation.bracketed);
    EXPECT_NEAR(evaluation.costs[0], steps, 1);
    if (first.empty()) first = evaluation.visits;
    EXPECT_EQ(evaluation.visits, first);
  }
}

}  // namespace
}  // namespace carl::ssp
