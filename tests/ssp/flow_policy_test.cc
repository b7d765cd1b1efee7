#include "ssp/flow_policy.h"

#include <gtest/gtest.h>

#include "model/explicit_model.h"

namespace carl::ssp {
namespace {

TEST(FlowPolicy, FlowBelowToleranceIsNotFlowAndTheFallbackClosesThePolicy) {
  ExplicitBuilder builder({{"time"}, {}, {}});
  builder.add_action("s", "x", {1}, {{0.5, "t"}, {0.5, "g"}});
  builder.add_action("s", "y", {1}, {{1.0, "u"}});
  builder.add_action("t", "x", {1}, {{1.0, "g"}});
  builder.add_action("t", "y", {1}, {{1.0, "u"}});
  builder.add_action("u", "x", {1}, {{1.0, "g"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("s")));
  graph::SearchGraph graph(cssp);
  Monitor monitor;
  graph.expand_all(monitor);
  const auto pair = [&](StateId s, std::size_t i) {
    return graph::PairId((*graph.pairs(s).begin()).index() + i);
  };
  const StateId s = graph.initial_state();
  const StateId t = graph.successors(pair(s, 0))[0];
  std::vector<double> flow(graph.num_pairs(), 0.0);
  flow[pair(s, 0).index()] = 1;
  flow[pair(s, 1).index()] = 1e-13;  // noise
  // t has no flow at all, as if it had been rounded away.
  std::vector<graph::PairId> fallback(graph.num_states());
  fallback[t.index()] = pair(t, 0);
  const ssp::Policy policy =
      policy_of_flow(graph, flow, [&](StateId u) { return fallback[u.index()]; });
  ASSERT_EQ(policy.size(), 2U);
  EXPECT_EQ(policy.choices(0).size(), 1U);
  EXPECT_EQ(policy.choices(0)[0].probability, 1.0);
  EXPECT_EQ(policy.state(1), t);
  EXPECT_EQ(policy.choices(1)[0].pair, pair(t, 0));
}

}  // namespace
}  // namespace carl::ssp
