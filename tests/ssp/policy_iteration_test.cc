#include "ssp/policy_iteration.h"

#include <gtest/gtest.h>

#include <array>

#include "model/explicit_model.h"

namespace carl::ssp {
namespace {

TEST(PolicyIteration, FindsTheCheapestPolicyForAnyWeights) {
  ExplicitBuilder builder({{"time", "fuel"}, {}, {}});
  builder.add_action("a", "fast", {1, 10}, {{0.9, "g"}, {0.1, "a"}});
  builder.add_action("a", "slow", {4, 1}, {{1.0, "b"}});
  builder.add_action("b", "slow", {4, 1}, {{1.0, "g"}});
  builder.add_action("b", "back", {0.5, 0}, {{1.0, "a"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("a")));
  SearchGraph graph(cssp);
  Monitor monitor;
  graph.expand_all(monitor);
  const graph::ProperRegion region = graph::proper_region(graph, monitor);
  const auto value = [&](double time, double fuel) {
    const auto result = policy_iteration(graph, region, std::array{time, fuel}, monitor);
    EXPECT_TRUE(result.complete);
    return result.value[graph.initial_state().index()];
  };
  EXPECT_NEAR(value(1, 0), 1 / 0.9, 1e-12);
  EXPECT_NEAR(value(1, 1), 10, 1e-12);
  EXPECT_NEAR(value(0, 1), 2, 1e-12);
}

}  // namespace
}  // namespace carl::ssp
