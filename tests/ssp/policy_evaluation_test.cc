#include "ssp/policy_evaluation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "graph/proper_region.h"
#include "model/explicit_model.h"
#include "support/random_model.h"
#include "support/scale.h"
#include "util/random.h"

namespace carl::ssp {
namespace {

constexpr EvaluationOptions iterate_always{0};

/// The policy that takes the first pair of every state.
Policy first_choices(const SearchGraph& graph) {
  std::vector<PairId> first(graph.num_states());
  for (std::size_t s = 0; s < graph.num_states(); ++s)
    if (!graph.pairs(StateId(s)).empty()) first[s] = *graph.pairs(StateId(s)).begin();
  return deterministic_envelope(graph, graph.initial_state(), first);
}

/// A random stochastic policy that is proper: it takes the region's choice now and then.
Policy random_proper_policy(const SearchGraph& graph, const graph::ProperRegion& region,
                            SplitMix64& random) {
  return envelope(graph, graph.initial_state(), [&](StateId s) {
    std::vector<Policy::Choice> choices;
    double sum = 0;
    for (const PairId p : graph.pairs(s)) {
      const bool needed = p == region.choice[s.index()];
      if (!region.allows(graph, p) || (!needed && random.below(2) == 0)) continue;
      choices.push_back({p, 0.1 + random.unit()});
      sum += choices.back().probability;
    }
    for (auto& choice : choices)
      choice.probability /= sum;
    return choices;
  });
}

void expect_near(const std::vector<double>& actual, const std::vector<double>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i)
    EXPECT_NEAR(actual[i], expected[i], 1e-9 * std::abs(expected[i])) << "entry " << i;
}

void expect_same(const Evaluation& actual, const Evaluation& expected) {
  ASSERT_EQ(actual.proper, expected.proper);
  expect_near(actual.costs, expected.costs);
  expect_near(actual.values, expected.values);
  expect_near(actual.visits, expected.visits);
}

/// A grid on which every step errs to each side, one component of n·n states; some are free.
std::shared_ptr<Model> slippery_grid(int n, std::size_t num_costs) {
  CostModel costs;
  for (std::size_t c = 0; c < num_costs; ++c)
    costs.costs.push_back("c" + std::to_string(c));
  ExplicitBuilder builder(costs);
  const auto state = [&](int x, int y) {
    x = std::clamp(x, 0, n - 1);
    y = std::clamp(y, 0, n - 1);
    return builder.state(x == n - 1 && y == n - 1 ? "g"
                                                  : std::to_string(x) + "," + std::to_string(y));
  };
  for (int x = 0; x < n; ++x)
    for (int y = 0; y < n; ++y) {
      if (x == n - 1 && y == n - 1) continue;
      const bool right = x < n - 1 && (y == n - 1 || (x + y) % 2 == 0);
      builder.add_outcome(0.7, right ? state(x + 1, y) : state(x, y + 1));
      builder.add_outcome(0.2, right ? state(x - 1, y) : state(x, y - 1));
      builder.add_outcome(
          0.1, right ? state(x, y == n - 1 ? y - 1 : y + 1) : state(x == n - 1 ? x - 1 : x + 1, y));
      std::vector<double> cost(num_costs, 1.0);
      for (std::size_t c = 1; c < num_costs; ++c)
        cost[c] = static_cast<double>((x + y) % 3) * std::pow(1e4, static_cast<double>(c) - 2);
      builder.add_action(state(x, y), "go", cost);
    }
  builder.add_goal(builder.state("g"));
  return builder.build(state(0, 0));
}

TEST(PolicyEvaluation, GivesCostsValuesAndVisits) {
  // From a: half the time to b, which goes back with probability 0.2.
  ExplicitBuilder builder({{"time", "fuel"}, {}, {}});
  builder.add_action("a", "x", {1, 3}, {{0.5, "b"}, {0.5, "g"}});
  builder.add_action("b", "x", {2, 0}, {{0.2, "a"}, {0.8, "g"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("a")));
  SearchGraph graph(cssp);
  Monitor monitor;
  graph.expand_all(monitor);
  const Evaluation e = evaluate(graph, first_choices(graph));
  ASSERT_TRUE(e.proper);
  // V(a) = 1 + 0.5 V(b), V(b) = 2 + 0.2 V(a)  =>  V(a) = 2/0.9.
  EXPECT_NEAR(e.costs[0], 2 / 0.9, 1e-14);
  EXPECT_NEAR(e.costs[1], 3 / 0.9, 1e-14);
  EXPECT_NEAR(e.values[2], 2 + 0.2 * 2 / 0.9, 1e-14);
  EXPECT_NEAR(e.visits[0], 1 / 0.9, 1e-14);
  EXPECT_NEAR(e.visits[1], 0.5 / 0.9, 1e-14);
}

TEST(PolicyEvaluation, NoticesImproperPolicies) {
  ExplicitBuilder builder({{"time"}, {}, {}});
  builder.add_action("a", "x", {1}, {{0.5, "b"}, {0.5, "g"}});
  builder.add_action("b", "x", {2}, {{1.0, "c"}});
  builder.add_action("c", "x", {2}, {{1.0, "b"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("a")));
  SearchGraph graph(cssp);
  Monitor monitor;
  graph.expand_all(monitor);
  EXPECT_FALSE(evaluate(graph, first_choices(graph)).proper);
}

TEST(PolicyEvaluation, StartingInAGoalCostsNothing) {
  ExplicitBuilder builder({{"time", "fuel"}, {}, {}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("g")));
  SearchGraph graph(cssp);
  const Evaluation e = evaluate(graph, Policy());
  EXPECT_TRUE(e.proper);
  EXPECT_EQ(e.costs, (std::vector<double>{0, 0}));
}

TEST(PolicyEvaluation, IsAccurateWhenLeavingIsRare) {
  // A chain that falls back to the start with probability 1/2 at each of 40 steps: about 2^41
  // steps.
  ExplicitBuilder builder({{"time"}, {}, {}});
  const auto name = [](int i) { return "s" + std::to_string(i); };
  for (int i = 0; i < 40; ++i) {
    const std::string to = i == 39 ? "g" : name(i + 1);
    if (i == 0)
      builder.add_action(name(i), "x", {1}, {{1.0, to}});
    else
      builder.add_action(name(i), "x", {1}, {{0.5, name(0)}, {0.5, to}});
  }
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("s0")));
  SearchGraph graph(cssp);
  Monitor monitor;
  graph.expand_all(monitor);
  for (const EvaluationOptions& options : {EvaluationOptions{}, iterate_always}) {
    const Evaluation e = evaluate(graph, first_choices(graph), options);
    EXPECT_FALSE(e.iterated);  // no number of sweeps gets there
    // V(s0) = 1 + V(s1); V(si) = 1 + V(s0)/2 + V(si+1)/2: V(s0) = 3·2^39 - 2.
    EXPECT_NEAR(e.costs[0] / (3 * 0x1.0p39 - 2), 1, 1e-12);
  }
}

/// Calls check(seed, graph, policy) for proper policies of models with cycles. Returns for how many.
template <class Check>
std::size_t for_random_policies(std::size_t cases, Check check) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    auto options = testing::random_options(seed, 30);
    options.bounds = testing::BoundsKind::none;
    options.costs = 1 + seed % 4;
    options.cycles = true;
    SCOPED_TRACE("seed " + std::to_string(seed) + " " + options.text());
    Cssp cssp(testing::random_model(seed, options));
    SearchGraph graph(cssp);
    Monitor monitor;
    graph.expand_all(monitor);
    const graph::ProperRegion region = graph::proper_region(graph, monitor);
    if (!region.contains(graph.initial_state())) continue;
    SplitMix64 random(seed);
    const Policy policy = random_proper_policy(graph, region, random);
    check(seed, graph, policy);
    ++compared;
  }
  return compared;
}

TEST(PolicyEvaluation, GaussSeidelAgreesOnRandomPolicies) {
  const std::size_t cases = testing::scaled(2000);
  std::size_t iterated = 0;
  const auto check = [&](std::uint64_t /*seed*/, const SearchGraph& graph, const Policy& policy) {
    const Evaluation factorized = evaluate(graph, policy);
    const Evaluation by_sweeps = evaluate(graph, policy, iterate_always);
    ASSERT_FALSE(factorized.iterated);
    expect_same(by_sweeps, factorized);
    if (by_sweeps.iterated) ++iterated;
  };
  const std::size_t compared = for_random_policies(cases, check);
  EXPECT_GE(compared, cases / 2);
  EXPECT_GE(iterated, compared * 9 / 10);
}

TEST(PolicyEvaluation, KrylovMethodsAgreeOnRandomPolicies) {
  const std::size_t cases = testing::scaled(2000);
  std::size_t bracketed = 0;
  const auto check = [&](std::uint64_t seed, const SearchGraph& graph, const Policy& policy) {
    const Evaluation factorized = evaluate(graph, policy);
    // Rough values may be of any quality.
    SplitMix64 random(~seed);
    std::vector<double> rough(graph.num_states(), seed % 3 == 0 ? 0.0 : 1.0);
    for (std::size_t i = 0; i < policy.size() && seed % 3 == 1; ++i)
      rough[policy.state(i).index()] =
          (0.5 + random.unit()) * factorized.values[i * graph.num_costs()];
    const Evaluation by_krylov = evaluate(
        graph, policy, {.value_tolerance = 1e-12, .rough_values = &rough, .least_for_krylov = 1});
    expect_near(by_krylov.costs, factorized.costs);
    for (std::size_t i = 0; i < factorized.values.size(); ++i)
      ASSERT_NEAR(by_krylov.values[i], factorized.values[i],
                  1e-6 * (1 + std::abs(factorized.values[i])));
    for (std::size_t i = 0; i < factorized.visits.size(); ++i)
      ASSERT_NEAR(by_krylov.visits[i], factorized.visits[i], 1e-8 * (1 + factorized.visits[i]));
    if (by_krylov.bracketed) ++bracketed;
  };
  const std::size_t compared = for_random_policies(cases, check);
  EXPECT_GE(compared, cases / 2);
  EXPECT_GE(bracketed, compared * 9 / 10);
}

TEST(PolicyEvaluation, KrylovMethodsAgreeOnOneLargeComponent) {
  for (std::size_t num_costs = 1; num_costs <= 4; ++num_costs) {
    Cssp cssp(slippery_grid(60, num_costs));
    SearchGraph graph(cssp);
    Monitor monitor;
    graph.expand_all(monitor);
    const Policy policy = first_choices(graph);
    const Evaluation factorized = evaluate(graph, policy);
    std::vector<double> rough(graph.num_states(), 0.0);
    for (std::size_t i = 0; i < policy.size(); ++i)
      rough[policy.state(i).index()] = factorized.values[i * num_costs];
    const Evaluation by_krylov =
        evaluate(graph, policy,
                 {.value_tolerance = 1e-13, .rough_values = &rough, .least_for_krylov = 1000});
    EXPECT_FALSE(factorized.bracketed);
    EXPECT_TRUE(by_krylov.bracketed);
    expect_near(by_krylov.costs, factorized.costs);
    expect_near(by_krylov.visits, factorized.visits);
  }
}

TEST(PolicyEvaluation, GaussSeidelAgreesOnOneLargeComponent) {
  for (std::size_t num_costs = 1; num_costs <= 4; ++num_costs) {
    Cssp cssp(slippery_grid(30, num_costs));
    SearchGraph graph(cssp);
    Monitor monitor;
    graph.expand_all(monitor);
    const Policy policy = first_choices(graph);
    const Evaluation by_sweeps = evaluate(graph, policy, {.largest_factorized_component = 10});
    EXPECT_TRUE(by_sweeps.iterated);
    expect_same(by_sweeps, evaluate(graph, policy));
  }
}

TEST(PolicyEvaluation, IteratesOnlyWhereAComponentIsLarge) {
  // Two components of two states each.
  ExplicitBuilder builder({{"time"}, {}, {}});
  builder.add_action("a", "x", {1}, {{0.5, "b"}, {0.5, "c"}});
  builder.add_action("b", "x", {2}, {{0.2, "a"}, {0.8, "g"}});
  builder.add_action("c", "x", {3}, {{0.5, "d"}, {0.5, "g"}});
  builder.add_action("d", "x", {4}, {{0.5, "c"}, {0.5, "g"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("a")));
  SearchGraph graph(cssp);
  Monitor monitor;
  graph.expand_all(monitor);
  const Policy policy = first_choices(graph);
  EXPECT_TRUE(evaluate(graph, policy, {.largest_factorized_component = 1}).iterated);
  EXPECT_FALSE(evaluate(graph, policy, {.largest_factorized_component = 2}).iterated);
  expect_same(evaluate(graph, policy, {.largest_factorized_component = 1}),
              evaluate(graph, policy));
}

/// From every state to two others anywhere: factors fill in.
std::shared_ptr<Model> leading_anywhere(double leaving, bool has_first_cost) {
  constexpr std::uint64_t n = 700;
  SplitMix64 random(7);
  ExplicitBuilder builder({{"time", "fuel"}, {}, {}});
  const auto name = [](std::uint64_t i) { return "s" + std::to_string(i); };
  for (std::uint64_t i = 0; i < n; ++i) {
    const double time = has_first_cost ? 1 + random.unit() : 0.0;
    const double fuel = random.unit();
    const std::uint64_t other = (i + 2 + random.below(n - 2)) % n;
    builder.add_action(name(i), "x", {time, fuel},
                       {{0.5, name((i + 1) % n)}, {0.5 - leaving, name(other)}, {leaving, "g"}});
  }
  builder.add_goal(builder.state("g"));
  return builder.build(builder.state("s0"));
}

TEST(PolicyEvaluation, IteratesWhereAFactorizationWouldTakeTooLong) {
  Cssp cssp(leading_anywhere(0.1, true));
  SearchGraph graph(cssp);
  Monitor monitor;
  graph.expand_all(monitor);
  const Policy policy = first_choices(graph);
  const Evaluation factorized = evaluate(graph, policy, {.most_operations = 1e12});
  EXPECT_FALSE(factorized.iterated);
  const Evaluation by_sweeps = evaluate(graph, policy, {.most_operations = 1e5});
  EXPECT_TRUE(by_sweeps.iterated);
  expect_same(by_sweeps, factorized);
  const std::atomic<bool> interrupt = true;
  Monitor interrupted(std::numeric_limits<double>::infinity(), 0, &interrupt);
  EXPECT_FALSE(evaluate(graph, policy, {.most_operations = 1e5, .monitor = &interrupted}).proper);
}

/// Where hardly a step ends sweeps would never arrive.
TEST(PolicyEvaluation, KrylovMethodsComeBeforeAFactorizationThatWouldTakeTooLong) {
  for (const bool has_first_cost : {true, false}) {
    Cssp cssp(leading_anywhere(1e-6, has_first_cost));
    SearchGraph graph(cssp);
    Monitor monitor;
    graph.expand_all(monitor);
    const Policy policy = first_choices(graph);
    const Evaluation factorized = evaluate(graph, policy, {.most_operations = 1e12});
    EXPECT_FALSE(factorized.bracketed);
    const Evaluation by_krylov =
        evaluate(graph, policy, {.most_operations = 1e5, .least_for_krylov = 100});
    EXPECT_TRUE(by_krylov.bracketed);
    expect_near(by_krylov.costs, factorized.costs);
    const Evaluation by_factors = evaluate(graph, policy, {.most_operations = 1e5});
    EXPECT_FALSE(by_factors.bracketed);
    expect_near(by_factors.costs, factorized.costs);
  }
}

TEST(PolicyEvaluation, VisitsNearUnderflowDoNotStopGaussSeidel) {
  // One component of 1000 states in a row; nine times in ten a step ends in the goal.
  constexpr int n = 1000;
  ExplicitBuilder builder({{"time"}, {}, {}});
  const auto name = [](int i) { return i < 0 || i >= n ? "g" : "s" + std::to_string(i); };
  for (int i = 0; i < n; ++i) {
    std::map<std::string, double> outcomes{{"g", 0.9}};
    for (const int step : {-2, -1, 1, 2, 3, 4})
      outcomes[name(i + step)] += step < 0 ? 0.01 : 0.02;
    for (const auto& [to, probability] : outcomes)
      builder.add_outcome(probability, builder.state(to));
    builder.add_action(builder.state(name(i)), "x", std::array{1.0});
  }
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("s0")));
  SearchGraph graph(cssp);
  Monitor monitor;
  graph.expand_all(monitor);
  const Policy policy = first_choices(graph);
  const Evaluation e = evaluate(graph, policy, iterate_always);
  EXPECT_TRUE(e.iterated);
  EXPECT_LT(e.visits.back(), 1e-308);
  expect_near(e.costs, evaluate(graph, policy).costs);
}

TEST(PolicyEvaluation, ALimitEndsGaussSeidel) {
  ExplicitBuilder builder({{"time"}, {}, {}});
  builder.add_action("a", "x", {1}, {{0.9, "b"}, {0.1, "g"}});
  builder.add_action("b", "x", {1}, {{1.0, "a"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("a")));
  SearchGraph graph(cssp);
  Monitor none;
  graph.expand_all(none);
  const graph::ProperRegion region = graph::proper_region(graph, none);
  const Policy policy = deterministic_envelope(graph, graph.initial_state(), region.choice);
  const std::atomic<bool> interrupt = true;
  Monitor monitor(std::numeric_limits<double>::infinity(), 0, &interrupt);
  EXPECT_TRUE(evaluate(graph, policy, {.largest_factorized_component = 0}).iterated);
  EXPECT_FALSE(
      evaluate(graph, policy, {.largest_factorized_component = 0, .monitor = &monitor}).proper);
}

// Rounding of the other probabilities is a ten-thousandth of the chance to leave.
TEST(PolicyEvaluation, RareWaysOutCountInFull) {
  ExplicitBuilder builder({{"time"}, {}, {}});
  builder.add_action("a", "x", {1}, {{0.7 - 1e-12, "b"}, {0.3, "c"}, {1e-12, "g"}});
  builder.add_action("b", "x", {1}, {{1.0, "a"}});
  builder.add_action("c", "x", {1}, {{1.0, "a"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("a")));
  SearchGraph graph(cssp);
  Monitor monitor;
  graph.expand_all(monitor);
  const graph::ProperRegion region = graph::proper_region(graph, monitor);
  const Policy policy = deterministic_envelope(graph, graph.initial_state(), region.choice);
  const Evaluation evaluation = evaluate(graph, policy);
  ASSERT_TRUE(evaluation.proper);
  // Each time round takes two steps, the last one a single one.
  EXPECT_NEAR(evaluation.costs[0], 2e12 - 1, 1e-6 * 2e12);
  EXPECT_NEAR(evaluation.values[0], 2e12 - 1, 1e-6 * 2e12);
  EXPECT_NEAR(evaluation.visits[0], 1e12, 1e-6 * 1e12);
}

}  // namespace
}  // namespace carl::ssp
