#include "ssp/policy_evaluation.h"

#include <gtest/gtest.h>

#include "model/explicit_model.h"
#include "util/random.h"

namespace carl::ssp {
namespace {

TEST(PolicyEvaluation, GivesCostsValuesAndVisits) {
  // From a: half the time to b, which goes back with probability 0.2.
  ExplicitModelBuilder builder({{"time", "fuel"}, {}, {}});
  builder.add_action("a", "x", {1, 3}, {{0.5, "b"}, {0.5, "g"}});
  builder.add_action("b", "x", {2, 0}, {{0.2, "a"}, {0.8, "g"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("a")));
  SearchGraph graph(cssp);
  Limits limits;
  graph.expand_all(limits);
  std::vector<PairId> first(graph.num_states());
  for (std::size_t s = 0; s < graph.num_states(); ++s)
    if (!graph.pairs(StateId(s)).empty()) first[s] = *graph.pairs(StateId(s)).begin();
  const Policy policy = deterministic_envelope(graph, graph.initial_state(), first);
  const Evaluation e = evaluate(graph, policy);
  ASSERT_TRUE(e.proper);
  // V(a) = 1 + 0.5 V(b), V(b) = 2 + 0.2 V(a)  =>  V(a) = 2/0.9.
  EXPECT_NEAR(e.costs[0], 2 / 0.9, 1e-14);
  EXPECT_NEAR(e.costs[1], 3 / 0.9, 1e-14);
  EXPECT_NEAR(e.values[2], 2 + 0.2 * 2 / 0.9, 1e-14);
  EXPECT_NEAR(e.visits[0], 1 / 0.9, 1e-14);
  EXPECT_NEAR(e.visits[1], 0.5 / 0.9, 1e-14);
}

TEST(PolicyEvaluation, NoticesImproperPolicies) {
  ExplicitModelBuilder builder({{"time"}, {}, {}});
  builder.add_action("a", "x", {1}, {{0.5, "b"}, {0.5, "g"}});
  builder.add_action("b", "x", {2}, {{1.0, "c"}});
  builder.add_action("c", "x", {2}, {{1.0, "b"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("a")));
  SearchGraph graph(cssp);
  Limits limits;
  graph.expand_all(limits);
  std::vector<PairId> first(graph.num_states());
  for (std::size_t s = 0; s < graph.num_states(); ++s)
    if (!graph.pairs(StateId(s)).empty()) first[s] = *graph.pairs(StateId(s)).begin();
  EXPECT_FALSE(evaluate(graph, deterministic_envelope(graph, graph.initial_state(), first)).proper);
}

TEST(PolicyEvaluation, StartingInAGoalCostsNothing) {
  ExplicitModelBuilder builder({{"time", "fuel"}, {}, {}});
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
  ExplicitModelBuilder builder({{"time"}, {}, {}});
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
  Limits limits;
  graph.expand_all(limits);
  std::vector<PairId> first(graph.num_states());
  for (std::size_t s = 0; s < graph.num_states(); ++s)
    if (!graph.pairs(StateId(s)).empty()) first[s] = *graph.pairs(StateId(s)).begin();
  const Evaluation e = evaluate(graph, deterministic_envelope(graph, graph.initial_state(), first));
  // V(s0) = 1 + V(s1); V(si) = 1 + V(s0)/2 + V(si+1)/2: V(s0) = 3·2^39 - 2.
  EXPECT_NEAR(e.costs[0] / (3 * 0x1.0p39 - 2), 1, 1e-12);
}

}  // namespace
}  // namespace carl::ssp
