#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <thread>

#include "carl/simulate.h"
#include "model/explicit_model.h"
#include "policy/files.h"
#include "support/random_model.h"
#include "support/random_task.h"
#include "support/scale.h"
#include "support/test_clock.h"

namespace carl::testing {
namespace {

struct Case {
  std::unique_ptr<Cssp> cssp;
  PolicyFile policy;
};

/// An optimal policy of a random problem, factored or not; nothing if there is none.
std::optional<Case> random_case(std::size_t seed) {
  const auto make = [&]() -> std::shared_ptr<Model> {
    if (seed % 3 == 0) return random_task_or_draw(seed / 3);
    return random_model(seed, random_options(seed, 10));
  };
  Cssp cssp(make());
  SolveOptions options;
  options.algorithm = Algorithm::lp;
  Answer found = answer(cssp, options);
  if (found.status != Status::optimal) return std::nullopt;
  return Case{std::make_unique<Cssp>(make(), for_check()), std::move(found.policy)};
}

SimulateOptions runs(std::size_t n, std::uint64_t seed = 1, std::size_t threads = 1) {
  SimulateOptions options;
  options.runs = n;
  options.seed = seed;
  options.threads = threads;
  return options;
}

TEST(Simulator, MeansAreNearTheExactCosts) {
  std::size_t compared = 0;
  for (std::size_t seed = 1; seed <= scaled(150); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto problem = random_case(seed);
    if (!problem) continue;
    Monitor monitor;
    const Simulator simulator(*problem->cssp, problem->policy, monitor);
    ASSERT_TRUE(simulator.findings().empty());
    const Simulation simulation = simulator.run(runs(4000, seed), monitor);
    EXPECT_EQ(simulation.runs, 4000U);
    EXPECT_EQ(simulation.cut_off, 0U);
    const CheckReport report = check(*problem->cssp, problem->policy);
    for (std::size_t i = 0; i < simulation.costs.size(); ++i) {
      const Sample& sample = simulation.costs[i];
      EXPECT_DOUBLE_EQ(sample.exact, (*report.costs)[i]);
      const double sigma = sample.deviation / std::sqrt(4000.0);
      // Rare and costly outcomes may not have occurred: then the deviation is too small as well.
      EXPECT_NEAR(sample.mean, sample.exact, 5 * sigma + 0.02 * sample.exact);
      EXPECT_LE(sample.least, sample.median);
      EXPECT_LE(sample.median, sample.percentile_95);
      EXPECT_LE(sample.percentile_95, sample.percentile_99);
      EXPECT_LE(sample.percentile_99, sample.greatest);
      ++compared;
    }
  }
  EXPECT_GE(compared, at_full_scale(150));
}

TEST(Simulator, ThreadsDoNotChangeTheResult) {
  for (std::size_t seed = 1; seed <= scaled(30); ++seed) {
    auto problem = random_case(seed);
    if (!problem) continue;
    Monitor monitor;
    const Simulator simulator(*problem->cssp, problem->policy, monitor);
    const Simulation one = simulator.run(runs(1000, seed, 1), monitor);
    for (const std::size_t threads : {2U, 5U}) {
      const Simulation many = simulator.run(runs(1000, seed, threads), monitor);
      EXPECT_EQ(one.totals, many.totals);
      EXPECT_EQ(one.steps.mean, many.steps.mean);
      EXPECT_EQ(one.given_up, many.given_up);
      EXPECT_EQ(one.within, many.within);
    }
    // More runs begin with the same ones; another seed has others.
    const Simulation few = simulator.run(runs(100, seed, 2), monitor);
    EXPECT_TRUE(std::equal(few.totals.begin(), few.totals.end(), one.totals.begin()));
  }
}

/// A coin with four sides, each an action with two outcomes.
TEST(Simulator, ChoicesAndOutcomesFollowTheirDistribution) {
  ExplicitBuilder builder({{"a", "b"}, {}, {}});
  const double outcome = 0.3;
  PolicyFile policy{{"a", "b"}, {{"s", false, {}, {}}}};
  const std::vector<double> probabilities{0.05, 0.15, 0.3, 0.5};
  for (std::size_t a = 0; a < 4; ++a) {
    const std::array cost{1.0, static_cast<double>(a)};
    builder.add_outcome(outcome, builder.state("x"));
    builder.add_outcome(1 - outcome, builder.state("y"));
    builder.add_action(builder.state("s"), "a" + std::to_string(a), cost);
    policy.states[0].choices.push_back({"a" + std::to_string(a), probabilities[a]});
  }
  builder.add_goal(builder.state("x"));
  builder.add_goal(builder.state("y"));
  Cssp cssp(builder.build(builder.state("s")), for_check());
  Monitor monitor;
  const Simulator simulator(cssp, policy, monitor);
  const std::size_t n = 20000;
  std::vector<double> count(8, 0);
  for (std::size_t r = 0; r < n; ++r) {
    const auto trace = simulator.trace(r, runs(n, 17));
    ASSERT_EQ(trace.size(), 1U);
    const auto a = static_cast<std::size_t>(trace[0].costs[1]);
    ++count[2 * a + (cssp.state_name(trace[0].successor) == "x" ? 0 : 1)];
    EXPECT_DOUBLE_EQ(trace[0].action_probability, probabilities[a]);
  }
  double chi_square = 0;
  for (std::size_t k = 0; k < 8; ++k) {
    const double expected =
        static_cast<double>(n) * probabilities[k / 2] * (k % 2 == 0 ? outcome : 1 - outcome);
    chi_square += (count[k] - expected) * (count[k] - expected) / expected;
  }
  EXPECT_LT(chi_square, 24.3);  // 7 degrees of freedom: exceeded once in a thousand seeds
  EXPECT_GT(chi_square, 0.3);   // nor suspiciously even
}

TEST(Simulator, TracesAgreeWithTheModelAndTheTotals) {
  std::size_t steps = 0;
  for (std::size_t seed = 1; seed <= scaled(60); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto problem = random_case(seed);
    if (!problem) continue;
    Cssp& cssp = *problem->cssp;
    Monitor monitor;
    const Simulator simulator(cssp, problem->policy, monitor);
    const SimulateOptions options = runs(20, seed);
    const Simulation simulation = simulator.run(options, monitor);
    for (std::size_t r = 0; r < options.runs; ++r) {
      const auto trace = simulator.trace(r, options);
      StateId state = cssp.initial_state();
      std::vector<double> costs(cssp.num_costs(), 0.0);
      for (const TraceStep& step : trace) {
        ASSERT_EQ(step.state, state);
        Expansion expansion;
        cssp.expand(state, expansion);
        std::size_t a = 0;
        while (a < expansion.num_actions() && expansion.action(a) != step.action)
          ++a;
        ASSERT_LT(a, expansion.num_actions());
        if (step.action == Cssp::give_up_action) {
          ASSERT_EQ(step.successor, Cssp::given_up);
          EXPECT_EQ(step.outcome_probability, 1);
        } else {
          const auto successors = expansion.successors(a);
          const auto found = std::find(successors.begin(), successors.end(), step.successor);
          ASSERT_NE(found, successors.end());
          EXPECT_EQ(
              step.outcome_probability,
              expansion.probabilities(a)[static_cast<std::size_t>(found - successors.begin())]);
        }
        for (std::size_t i = 0; i < costs.size(); ++i)
          costs[i] += cssp.cost(step.action)[i];
        EXPECT_EQ(step.costs, costs);
        state = step.successor;
        ++steps;
      }
      EXPECT_TRUE(cssp.is_goal(state));
      for (std::size_t i = 0; i < costs.size(); ++i)
        EXPECT_EQ(costs[i], simulation.totals[r * costs.size() + i]);
    }
  }
  EXPECT_GE(steps, at_full_scale(60));
}

TEST(Simulator, RunsAreCutOffAndLimitsEndThem) {
  ExplicitBuilder builder({{"time"}, {}, {}});
  builder.add_action("s", "try", {1}, {{0.999, "s"}, {0.001, "g"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("s")), for_check());
  const PolicyFile policy{{"time"}, {{"s", false, {}, {{"try", 1}}}}};
  Monitor monitor;
  const Simulator simulator(cssp, policy, monitor);
  SimulateOptions options = runs(1000);
  options.max_steps = 100;
  const Simulation simulation = simulator.run(options, monitor);
  EXPECT_GT(simulation.cut_off, 850U);
  EXPECT_LT(simulation.cut_off, 950U);
  EXPECT_EQ(simulation.steps.greatest, 100);
  EXPECT_EQ(simulator.trace(0, options).size(), simulation.totals[0]);
  Monitor none(0.0, 0, nullptr);
  EXPECT_EQ(simulator.run(options, none).runs, 0U);
}

TEST(Simulator, CountsRunsWithinTheBoundsAndThoseThatGaveUp) {
  ExplicitBuilder builder({{"time", "fuel"}, {{1, 1.5}}, {}});
  builder.set_give_up({10, 0});
  builder.add_action("s", "fly", {1, 1}, {{0.5, "g"}, {0.25, "s"}, {0.25, "lost"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("s")), for_check());
  const PolicyFile policy{
      {"time", "fuel"}, {{"s", false, {}, {{"fly", 1}}}, {"lost", false, {}, {{"(give-up)", 1}}}}};
  Monitor monitor;
  const Simulator simulator(cssp, policy, monitor);
  ASSERT_TRUE(simulator.findings().empty());
  const Simulation simulation = simulator.run(runs(10000), monitor);
  EXPECT_NEAR(static_cast<double>(simulation.within[0]), 7500, 250);
  EXPECT_EQ(simulation.within_all, simulation.within[0]);
  EXPECT_NEAR(static_cast<double>(simulation.given_up), 10000.0 / 3, 250);
  EXPECT_NEAR(simulation.costs[0].exact, 4.0 / 3 + 10.0 / 3, 1e-12);
}

TEST(Simulator, RefusesAPolicyWithGaps) {
  ExplicitBuilder builder({{"time"}, {}, {}});
  builder.add_action("s", "go", {1}, {{1.0, "t"}});
  builder.add_action("t", "go", {1}, {{1.0, "g"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("s")), for_check());
  Monitor monitor;
  const Simulator simulator(cssp, {{"time"}, {{"s", false, {}, {{"go", 1}}}}}, monitor);
  ASSERT_EQ(simulator.findings().size(), 1U);
  EXPECT_EQ(simulator.findings()[0].kind, CheckKind::closed);
}

/// Memory must not grow with the number of runs, and results must not show where rounds end.
TEST(Simulator, RemembersOnlyTheFirstOfVeryManyRuns) {
  ExplicitBuilder builder({{"time"}, {{0, 2.5}}, {}});
  builder.add_action("s", "try", {1}, {{0.5, "s"}, {0.5, "g"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("s")), for_check());
  const PolicyFile policy{{"time"}, {{"s", false, {}, {{"try", 1}}}}};
  Monitor monitor;
  const Simulator simulator(cssp, policy, monitor);
  const std::size_t n = 2 * Simulator::remembered_runs + 1000;
  const Simulation many = simulator.run(runs(n, 5, 1), monitor);
  EXPECT_EQ(many.runs, n);
  EXPECT_EQ(many.totals.size(), Simulator::remembered_runs);
  std::size_t count = 0;
  std::size_t within = 0;
  double sum = 0;
  for (const auto& [value, times] : many.distributions[0]) {
    count += times;
    within += value <= 2.5 ? times : 0;
    sum += value * static_cast<double>(times);
  }
  EXPECT_EQ(count, n);
  EXPECT_EQ(within, many.within[0]);
  EXPECT_DOUBLE_EQ(many.costs[0].mean, sum / static_cast<double>(n));
  EXPECT_NEAR(many.costs[0].mean, 2, 4 * std::sqrt(2.0 / static_cast<double>(n)));
  EXPECT_NEAR(many.costs[0].deviation, std::sqrt(2.0), 0.02);
  EXPECT_EQ(many.costs[0].quantile_error, 0);
  const Simulation again = simulator.run(runs(n, 5, 3), monitor);
  EXPECT_EQ(again.totals, many.totals);
  EXPECT_EQ(again.distributions, many.distributions);
  EXPECT_EQ(again.costs[0].mean, many.costs[0].mean);
  EXPECT_EQ(again.costs[0].deviation, many.costs[0].deviation);
}

/// A limit ends runs that would take days; those done by then count.
TEST(Simulator, ALimitKeepsTheRunsThatAreDone) {
  ExplicitBuilder builder({{"time"}, {}, {}});
  builder.add_action("s", "try", {1}, {{0.5, "s"}, {0.5, "g"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("s")), for_check());
  const PolicyFile policy{{"time"}, {{"s", false, {}, {{"try", 1}}}}};
  Monitor unlimited;
  const Simulator simulator(cssp, policy, unlimited);
  Monitor few = testing::monitor_of_looks(2);
  const std::size_t after_few = simulator.run(runs(1'000'000'000), few).runs;
  Monitor many = testing::monitor_of_looks(40);
  const Simulation simulation = simulator.run(runs(1'000'000'000), many);
  EXPECT_EQ(many.kind(), LimitKind::time);
  EXPECT_GT(after_few, 0U);
  EXPECT_GT(simulation.runs, 10 * after_few);
  EXPECT_LT(simulation.runs, 1'000'000U);
  EXPECT_NEAR(simulation.costs[0].mean, 2, 0.2);
}

/// An interrupt ends a run that would go on for hours.
TEST(Simulator, LimitsEndASingleRun) {
  ExplicitBuilder builder({{"time"}, {}, {}});
  builder.add_action("s", "try", {1}, {{1 - 1e-12, "s"}, {1e-12, "g"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("s")), for_check());
  const PolicyFile policy{{"time"}, {{"s", false, {}, {{"try", 1}}}}};
  Monitor unlimited;
  const Simulator simulator(cssp, policy, unlimited);
  std::atomic<bool> interrupt = false;
  Monitor monitor(std::numeric_limits<double>::infinity(), 0, &interrupt);
  SimulateOptions options = runs(1000, 1, 2);
  options.max_steps = 1'000'000'000'000;
  const std::jthread other([&] {
    std::this_thread::yield();
    interrupt = true;
  });
  const Simulation simulation = simulator.run(options, monitor);
  EXPECT_EQ(simulation.runs, 0U);
  EXPECT_EQ(monitor.kind(), LimitKind::interrupt);
}

}  // namespace
}  // namespace carl::testing
