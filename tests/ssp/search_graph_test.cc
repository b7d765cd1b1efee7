#include "ssp/search_graph.h"

#include <gtest/gtest.h>

#include "model/explicit_model.h"

namespace carl::ssp {
namespace {

std::shared_ptr<Model> looping_model() {
  ExplicitModelBuilder builder({{"time", "fuel"}, {}, {}});
  builder.add_action("a", "try", {1, 2}, {{0.75, "a"}, {0.25, "g"}});
  builder.add_action("a", "wait", {5, 5}, {{1.0, "a"}});
  builder.add_action("a", "go", {3, 0}, {{0.5, "b"}, {0.5, "g"}});
  builder.add_action("b", "go", {1, 1}, {{1.0, "g"}});
  builder.add_goal(builder.state("g"));
  return builder.build(builder.state("a"));
}

TEST(SearchGraph, FoldsSelfLoopsIntoCostsAndProbabilities) {
  Cssp cssp(looping_model());
  SearchGraph graph(cssp);
  const StateId a = graph.initial_state();
  graph.expand(a);
  ASSERT_EQ(graph.pairs(a).size(), 2U);  // "wait" only loops
  const PairId attempt = *graph.pairs(a).begin();
  EXPECT_EQ(cssp.action_name(graph.action(attempt)), "try");
  EXPECT_DOUBLE_EQ(graph.cost(attempt)[0], 4);
  EXPECT_DOUBLE_EQ(graph.cost(attempt)[1], 8);
  EXPECT_DOUBLE_EQ(graph.repeats(attempt), 4);
  ASSERT_EQ(graph.successors(attempt).size(), 1U);
  EXPECT_DOUBLE_EQ(graph.probabilities(attempt)[0], 1);
  EXPECT_TRUE(graph.is_goal(graph.successors(attempt)[0]));
}

TEST(SearchGraph, ExpandsAllReachableStates) {
  Cssp cssp(looping_model());
  SearchGraph graph(cssp);
  Limits limits;
  EXPECT_TRUE(graph.expand_all(limits));
  EXPECT_EQ(graph.num_expanded(), 2U);
  EXPECT_EQ(graph.num_pairs(), 3U);
  EXPECT_EQ(graph.num_generated_actions(), 4U);
}

TEST(SearchGraph, StopsAtALimitAndAtMaxStates) {
  Cssp cssp(looping_model());
  Limits none(0.0, 0, nullptr);
  EXPECT_FALSE(SearchGraph(cssp).expand_all(none));
  Limits limits;
  EXPECT_FALSE(SearchGraph(cssp).expand_all(limits, {}, 1));
}

}  // namespace
}  // namespace carl::ssp
