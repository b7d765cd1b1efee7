#include <gtest/gtest.h>

#include <map>

#include "carl/error.h"
#include "carl/solve.h"
#include "cssp/brute_force.h"
#include "cssp/paper_examples.h"
#include "model/explicit_model.h"
#include "support/random_model.h"
#include "support/scale.h"

namespace carl {
namespace {

Solution solve_lp(Cssp& cssp) {
  Monitor monitor;
  SolveOptions options;
  options.algorithm = Algorithm::lp;
  return solve(cssp, options, monitor);
}

TEST(LpAlgorithm, GettingToWorkMixesRunAndTaxi) {
  Cssp cssp(testing::getting_to_work());
  const Solution solution = solve_lp(cssp);
  ASSERT_EQ(solution.status, Status::optimal);
  EXPECT_NEAR((*solution.costs)[0], 1, 1e-12);
  EXPECT_NEAR((*solution.costs)[1], 15, 1e-9);
  EXPECT_NEAR((*solution.costs)[2], 10, 1e-9);
  EXPECT_NEAR(*solution.lower_bound, 1, 1e-9);
  EXPECT_NEAR(testing::probability(cssp, solution, "s0", "run"), 0.5, 1e-9);
  EXPECT_NEAR(testing::probability(cssp, solution, "s0", "taxi"), 0.5, 1e-9);
  ASSERT_EQ(solution.mixture.size(), 2U);
  EXPECT_NEAR(solution.mixture[0].weight, 0.5, 1e-9);
}

TEST(LpAlgorithm, TheCoordinateSearchExample) {
  Cssp cssp(testing::interesting_for_coordinate_search());
  const Solution solution = solve_lp(cssp);
  ASSERT_EQ(solution.status, Status::optimal);
  EXPECT_NEAR((*solution.costs)[0], 4, 1e-9);
  EXPECT_NEAR(testing::probability(cssp, solution, "s0", "a2"), 1, 1e-9);
  EXPECT_NEAR(testing::probability(cssp, solution, "s1", "a4"), 0.25, 1e-9);
  EXPECT_NEAR(testing::probability(cssp, solution, "s1", "a5"), 0.75, 1e-9);
  EXPECT_NEAR(solution.multipliers[0], 0.2, 1e-9);
  EXPECT_NEAR(solution.multipliers[1], 0.2, 1e-9);
}

TEST(LpAlgorithm, ThePathologicalExample) {
  Cssp cssp(testing::pathological_for_coordinate_search());
  const Solution solution = solve_lp(cssp);
  ASSERT_EQ(solution.status, Status::optimal);
  EXPECT_NEAR((*solution.costs)[0], 10, 1e-9);
}

TEST(LpAlgorithm, InfeasibleWithAReason) {
  ExplicitBuilder builder({{"time", "fuel", "risk"}, {{1, 2}, {2, 0.1}}, {}});
  builder.add_action("s", "high", {1, 3, 0}, {{1.0, "g"}});
  builder.add_action("s", "low", {1, 1, 0.5}, {{1.0, "g"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("s")));
  const Solution solution = solve_lp(cssp);
  ASSERT_EQ(solution.status, Status::infeasible);
  ASSERT_TRUE(solution.infeasibility);
  const Infeasibility& reason = *solution.infeasibility;
  const std::vector<double>& w = reason.weights;
  EXPECT_NEAR(w[0] + w[1], 1, 1e-9);
  EXPECT_NEAR(reason.allowed, 2 * w[0] + 0.1 * w[1], 1e-9);
  EXPECT_NEAR(reason.least, std::min(3 * w[0], w[0] + 0.5 * w[1]), 1e-9);
  EXPECT_GT(reason.least, reason.allowed + 1e-6);
}

TEST(LpAlgorithm, NoProperPolicyUnlessGivingUpIsAllowed) {
  const auto model = [] {
    ExplicitBuilder builder({{"time"}, {}, {}});
    builder.add_action("s", "risky", {1}, {{0.9, "g"}, {0.1, "dead"}});
    builder.add_goal(builder.state("g"));
    return builder.build(builder.state("s"));
  };
  Cssp without(model());
  EXPECT_EQ(solve_lp(without).status, Status::no_proper_policy);
  CsspOptions options;
  options.give_up = {{"time", 100.0}};
  Cssp with(model(), options);
  const Solution solution = solve_lp(with);
  ASSERT_EQ(solution.status, Status::optimal);
  EXPECT_NEAR((*solution.costs)[0], 11, 1e-9);
  EXPECT_NEAR(testing::probability(with, solution, "dead", "(give-up)"), 1, 1e-12);
}

TEST(LpAlgorithm, BoundOfZeroForbidsActions) {
  ExplicitBuilder builder({{"time", "risk"}, {{1, 0}}, {}});
  builder.add_action("s", "risky", {1, 1e-7}, {{1.0, "g"}});
  builder.add_action("s", "safe", {2, 0}, {{1.0, "g"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("s")));
  const Solution solution = solve_lp(cssp);
  ASSERT_EQ(solution.status, Status::optimal);
  EXPECT_NEAR((*solution.costs)[0], 2, 1e-12);
  EXPECT_EQ((*solution.costs)[1], 0);
}

TEST(LpAlgorithm, ABoundOnThePrimaryCostIsABoundLikeAnyOther) {
  ExplicitBuilder builder({{"time"}, {{0, 1}}, {}});
  builder.add_action("s", "go", {2}, {{1.0, "g"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("s")));
  EXPECT_EQ(solve_lp(cssp).status, Status::infeasible);
}

TEST(LpAlgorithm, StartInAGoal) {
  ExplicitBuilder builder({{"time", "fuel"}, {{1, 3}}, {}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("g")));
  const Solution solution = solve_lp(cssp);
  ASSERT_EQ(solution.status, Status::optimal);
  EXPECT_EQ(*solution.costs, (std::vector<double>{0, 0}));
  EXPECT_TRUE(solution.policy.empty());
}

TEST(LpAlgorithm, SelfLoopsCountAsUsesInThePolicy) {
  // "try" stays with probability 3/4, so in a half-half mixture of departures it is used more
  // often.
  ExplicitBuilder builder({{"time", "fuel"}, {{1, 2}}, {}});
  builder.add_action("s", "try", {1, 1}, {{0.75, "s"}, {0.25, "g"}});
  builder.add_action("s", "pay", {6, 0}, {{1.0, "g"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("s")));
  const Solution solution = solve_lp(cssp);
  ASSERT_EQ(solution.status, Status::optimal);
  EXPECT_NEAR((*solution.costs)[0], 5, 1e-9);  // departures: half by "try" at 4, half by "pay" at 6
  EXPECT_NEAR(testing::probability(cssp, solution, "s", "try"), 0.8, 1e-9);
  EXPECT_NEAR(*solution.policy[0].visits, 2.5, 1e-9);
}

TEST(LpAlgorithm, RejectsZeroCostLoops) {
  ExplicitBuilder builder({{"time"}, {}, {}});
  builder.add_action("s", "x", {0}, {{1.0, "t"}});
  builder.add_action("t", "x", {0}, {{1.0, "s"}});
  builder.add_action("t", "go", {1}, {{1.0, "g"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("s")));
  EXPECT_THROW(solve_lp(cssp), InputError);
}

TEST(LpAlgorithm, LimitsAndInterruptsAreStatuses) {
  Cssp cssp(testing::getting_to_work());
  Monitor none(0.0, 0, nullptr);
  SolveOptions options;
  options.algorithm = Algorithm::lp;
  EXPECT_EQ(solve(cssp, options, none).status, Status::limit);
  const std::atomic<bool> interrupt{true};
  Monitor interrupted(1e9, 0, &interrupt);
  EXPECT_EQ(solve(cssp, options, interrupted).status, Status::interrupted);
}

// The LP against the definition, on everything the generator of random models can do.
TEST(LpAlgorithm, AgreesWithBruteForceOnRandomModels) {
  std::size_t compared = 0;
  std::size_t blamed = 0;
  std::map<Status, std::size_t> seen;
  for (std::size_t seed = 1; seed <= testing::scaled(1500); ++seed) {
    testing::RandomModelOptions options = testing::random_options(seed, 5);
    options.actions = 3;
    options.costs = std::min<std::size_t>(options.costs, 3);  // vertices of mixtures are many
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + options.text());
    Cssp cssp(testing::random_model(seed, options));
    const auto truth = testing::brute_force(cssp, 243);
    if (!truth) continue;
    ++compared;
    const Solution solution = solve_lp(cssp);
    ++seen[solution.status];
    if (!truth->proper_policy) {
      // Perhaps only because of a bound of zero: that is another answer.
      Cssp without_bounds = cssp.with_zero_bounds_only({});
      const auto free = testing::brute_force(without_bounds, 100'000);
      if (!free) continue;
      ++blamed;
      EXPECT_EQ(solution.status,
                free->proper_policy ? Status::infeasible : Status::no_proper_policy);
      EXPECT_EQ(solution.infeasibility && !solution.infeasibility->zero_bounds.empty(),
                free->proper_policy);
    } else if (!truth->optimum) {
      EXPECT_EQ(solution.status, Status::infeasible);
      ASSERT_TRUE(solution.infeasibility);
      EXPECT_GT(solution.infeasibility->least, solution.infeasibility->allowed);
    } else {
      ASSERT_EQ(solution.status, Status::optimal);
      EXPECT_NEAR((*solution.costs)[0], *truth->optimum, 1e-6 * std::max(1.0, *truth->optimum));
      EXPECT_LE(*solution.lower_bound, *truth->optimum + 1e-9 * std::max(1.0, *truth->optimum));
      double mixed = 0;
      for (const MixtureComponent& part : solution.mixture)
        mixed += part.weight * part.costs[0];
      EXPECT_NEAR(mixed, (*solution.costs)[0], 1e-7 * std::max(1.0, mixed));
    }
  }
  EXPECT_GE(compared, testing::scaled(300));
  EXPECT_GT(blamed, testing::scaled(20));
  if (testing::scaled(10) == 10) {
    for (const Status status : {Status::optimal, Status::infeasible, Status::no_proper_policy})
      EXPECT_GE(seen[status], 10U) << to_string(status);
  }
}

}  // namespace
}  // namespace carl
