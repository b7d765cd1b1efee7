#include "graph/search_graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "model/explicit_model.h"
#include "support/random_model.h"
#include "support/random_task.h"
#include "support/scale.h"

namespace carl::graph {
namespace {

std::shared_ptr<Model> looping_model() {
  ExplicitBuilder builder({{"time", "fuel"}, {}, {}});
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
  Monitor monitor;
  EXPECT_TRUE(graph.expand_all(monitor));
  EXPECT_EQ(graph.num_expanded(), 2U);
  EXPECT_EQ(graph.num_known_pairs(), 3U);
  EXPECT_EQ(graph.num_generated_actions(), 4U);
}

TEST(SearchGraph, StopsAtALimitAndAtMaxStates) {
  Cssp cssp(looping_model());
  Monitor none(0.0, 0, nullptr);
  EXPECT_FALSE(SearchGraph(cssp).expand_all(none));
  Monitor monitor;
  EXPECT_FALSE(SearchGraph(cssp).expand_all(monitor, 1));
}

/// Compares costs and probabilities, which pairs share, with what each state's expansion says.
void expect_what_the_problem_says(std::shared_ptr<Model> model) {
  Cssp cssp(std::move(model));
  SearchGraph graph(cssp);
  Monitor monitor;
  ASSERT_TRUE(graph.expand_all(monitor));
  Expansion expansion;
  std::map<std::vector<double>, std::uint32_t> cost_rows;
  for (std::size_t s = 0; s < graph.num_states(); ++s) {
    const StateId state(s);
    if (!graph.is_expanded(state)) continue;
    cssp.expand(state, expansion);
    std::size_t i = 0;
    for (const PairId p : graph.pairs(state)) {
      while (expansion.action(i) != graph.action(p))
        ++i;  // only loops
      EXPECT_EQ(graph.state(p), state);
      double leaving = 0;
      for (std::size_t k = 0; k < expansion.successors(i).size(); ++k)
        if (expansion.successors(i)[k] != state) leaving += expansion.probabilities(i)[k];
      const bool loops =
          std::count(expansion.successors(i).begin(), expansion.successors(i).end(), state) > 0;
      const double repeats = loops ? 1 / leaving : 1;
      EXPECT_EQ(graph.repeats(p), repeats);
      std::vector<double> row;
      for (const double c : cssp.cost(graph.action(p)))
        row.push_back(c * repeats);
      EXPECT_TRUE(std::equal(row.begin(), row.end(), graph.cost(p).begin(), graph.cost(p).end()));
      row.push_back(repeats);
      if (graph.ends(p)) continue;
      EXPECT_EQ(cost_rows.try_emplace(row, graph.cost_row(p)).first->second, graph.cost_row(p));
      std::size_t kept = 0;
      for (std::size_t k = 0; k < expansion.successors(i).size(); ++k) {
        if (expansion.successors(i)[k] == state) continue;
        EXPECT_EQ(graph.successors(p)[kept], expansion.successors(i)[k]);
        EXPECT_EQ(graph.probabilities(p)[kept++], expansion.probabilities(i)[k] * repeats);
      }
      EXPECT_EQ(graph.successors(p).size(), kept);
      EXPECT_EQ(graph.probabilities(p).size(), kept);
    }
  }
}

TEST(SearchGraph, SharesEqualCostsAndProbabilities) {
  for (std::uint64_t seed = 1; seed <= testing::scaled(300); ++seed) {
    SCOPED_TRACE(seed);
    testing::RandomModelOptions options = testing::random_options(seed, 40);
    options.self_loops = true;
    expect_what_the_problem_says(testing::random_model(seed, options));
    expect_what_the_problem_says(testing::random_task(seed));
  }
}

TEST(SearchGraph, SharesAmongMoreActionsThanItRemembers) {
  ExplicitBuilder builder({{"time"}, {}, {}});
  constexpr std::size_t n = 40'000;
  for (std::size_t i = 0; i < n; ++i) {
    const double p = 1.0 / static_cast<double>(2 + i % 7);
    builder.add_action(std::to_string(i), "go", {static_cast<double>(1 + i % 3)},
                       {{p, std::to_string(i + 1)}, {1 - p, i % 5 == 0 ? std::to_string(i) : "g"}});
  }
  builder.add_goal(builder.state("g"));
  builder.add_goal(builder.state(std::to_string(n)));
  expect_what_the_problem_says(builder.build(builder.state("0")));
}

}  // namespace
}  // namespace carl::graph
