#include "cssp/extract.h"

#include <gtest/gtest.h>

#include "model/explicit_model.h"

namespace carl::cssp {
namespace {

TEST(Extract, FlowBelowToleranceIsNotFlowAndTheFallbackClosesThePolicy) {
  ExplicitBuilder builder({{"time"}, {}, {}});
  builder.add_action("s", "x", {1}, {{0.5, "t"}, {0.5, "g"}});
  builder.add_action("s", "y", {1}, {{1.0, "u"}});
  builder.add_action("t", "x", {1}, {{1.0, "g"}});
  builder.add_action("t", "y", {1}, {{1.0, "u"}});
  builder.add_action("u", "x", {1}, {{1.0, "g"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("s")));
  ssp::SearchGraph graph(cssp);
  Limits limits;
  graph.expand_all(limits);
  const auto pair = [&](StateId s, std::size_t i) {
    return ssp::PairId((*graph.pairs(s).begin()).index() + i);
  };
  const StateId s = graph.initial_state();
  const StateId t = graph.successors(pair(s, 0))[0];
  std::vector<double> flow(graph.num_pairs(), 0.0);
  flow[pair(s, 0).index()] = 1;
  flow[pair(s, 1).index()] = 1e-13;  // noise
  // t has no flow at all, as if it had been rounded away.
  std::vector<ssp::PairId> fallback(graph.num_states());
  fallback[t.index()] = pair(t, 0);
  const ssp::Policy policy =
      policy_of_flow(graph, flow, [&](StateId u) { return fallback[u.index()]; });
  ASSERT_EQ(policy.size(), 2U);
  EXPECT_EQ(policy.choices(0).size(), 1U);
  EXPECT_EQ(policy.choices(0)[0].probability, 1.0);
  EXPECT_EQ(policy.state(1), t);
  EXPECT_EQ(policy.choices(1)[0].pair, pair(t, 0));
}

TEST(Extract, BoundsAreMetUpToRounding) {
  ExplicitBuilder builder({{"time", "fuel"}, {{1, 1000}}, {}});
  builder.add_goal(builder.state("g"));
  const Cssp cssp(builder.build(builder.state("g")));
  EXPECT_TRUE(meets_bounds(cssp, {0, 1000 + 5e-7}));
  EXPECT_FALSE(meets_bounds(cssp, {0, 1000 + 5e-6}));
}

/// Costs are computed with rounding here and without it by who checks the policy: of what exceeds a
/// bound by nearly all that is allowed both must say the same.
TEST(Extract, BoundsAreMetALittleBetterThanTheyMustBe) {
  ExplicitBuilder builder({{"time", "fuel"}, {{1, 1000}}, {}});
  builder.add_goal(builder.state("g"));
  const Cssp cssp(builder.build(builder.state("g")));
  const double allowed = bound_tolerance(cssp.bounds()[0]);
  EXPECT_TRUE(meets_bounds(cssp, {0, 1000 + 0.999 * allowed}));
  EXPECT_FALSE(meets_bounds(cssp, {0, 1000 + 0.99995 * allowed}));
}

/// What a policy exceeds a bound by is worth something: the lower bound is one for all policies
/// that do the same.
TEST(Extract, LowerBoundsAccountForWhatAPolicyExceedsItsBoundsBy) {
  ExplicitBuilder builder({{"time", "fuel"}, {{1, 3}}, {}});
  builder.add_goal(builder.state("g"));
  const Cssp cssp(builder.build(builder.state("g")));
  const LowerLine line{{1e9}, 3e9 + 4};
  EXPECT_EQ(lower_bound(cssp, line, std::nullopt), 4);
  EXPECT_EQ(lower_bound(cssp, line, std::vector{9.0, 2.0}), 4);
  EXPECT_NEAR(lower_bound(cssp, line, std::vector{9.0, 3 + 1e-9}), 3, 1e-6);
  EXPECT_EQ(lower_bound(cssp, line, std::vector{9.0, 3 + 1e-8}), 0);
  Solution solution;
  solution.costs = {{3.5, 3 + 1e-9}};
  const LowerLine other{{0}, 2};
  set_lower_bound(cssp, std::vector{other, line}, solution);
  EXPECT_NEAR(*solution.lower_bound, 3, 1e-6);
  EXPECT_EQ(solution.multipliers, std::vector{1e9});
  solution.costs = {{1.0, 3.0}};
  set_lower_bound(cssp, std::vector{other, line}, solution);
  EXPECT_EQ(solution.lower_bound, 1.0);
}

}  // namespace
}  // namespace carl::cssp
