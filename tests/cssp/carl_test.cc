// CARL against the LP over all states: the same status, the same optimum within the gap, bounds met
// exactly, and a lower bound that is one. With both outer searches, all inner algorithms and all
// heuristics, on random problems; and the paper's three small problems.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cssp/agreement.h"
#include "model/explicit_model.h"
#include "support/random_model.h"
#include "support/random_task.h"
#include "support/scale.h"

namespace carl {
namespace {

SolveOptions carl_with(const std::string& outer, const std::string& inner = "cg-ilao",
                       const std::string& heuristic = "") {
  SolveOptions options;
  options.outer = outer;
  options.inner = inner;
  options.heuristic = heuristic;
  return options;
}

class EveryOuterSearch : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Carl, EveryOuterSearch, ::testing::ValuesIn(outer_names()),
                         [](const auto& outer) { return outer.param; });

TEST_P(EveryOuterSearch, AgreesWithTheLpOnRandomModels) {
  const std::vector<std::string>& inner = inner_names();
  for (std::uint64_t seed = 1; seed <= testing::scaled(3000); ++seed) {
    const testing::RandomModelOptions random = options_for(seed);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + random.text());
    const auto model = testing::random_model(seed, random);
    const Solution truth = run(model, lp());
    const std::string heuristic = seed % 3 == 0 ? "zero" : "dijkstra";
    expect_same(Cssp(model),
                run(model, carl_with(GetParam(), inner[seed % inner.size()], heuristic)), truth);
    if (HasFailure()) break;
  }
}

TEST_P(EveryOuterSearch, AgreesWithTheLpOnRandomTasks) {
  const std::vector<std::string> names{"lmcut", "roc", "pom", "hmax", "dijkstra", "zero"};
  std::size_t optimal = 0;
  std::size_t infeasible = 0;
  // Where coordinate search gets stuck, the subgradient method takes its time.
  const std::size_t cases = GetParam() == "bundle" ? 600 : 200;
  for (std::uint64_t seed = 1; seed <= testing::scaled(cases); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto model = testing::random_task(seed);
    const CsspOptions changes = random_bounds(model, seed);
    const Solution truth = run(model, lp(), changes);
    optimal += truth.status == Status::optimal && !changes.bounds.empty();
    infeasible += truth.status == Status::infeasible;
    for (const std::string& heuristic : names) {
      SCOPED_TRACE(heuristic);
      SolveOptions options = carl_with(GetParam(), inner_names()[seed % 4], heuristic);
      if (seed % 2 == 0) options.heuristic_mode = "ideal-point";
      expect_same(Cssp(model, changes), run(model, options, changes), truth);
    }
    if (HasFailure()) break;
  }
  EXPECT_GT(optimal, testing::scaled(cases / 10));
  EXPECT_GT(infeasible, testing::scaled(cases / 30));
}

TEST_P(EveryOuterSearch, GettingToWork) {
  ExplicitModelBuilder builder({{"time", "price", "effort"}, {{1, 15}, {2, 10}}, {}});
  builder.add_action("s0", "walk", {1, 0, 1}, {{0.5, "s1"}, {0.5, "s2"}});
  builder.add_action("s0", "run", {1, 0, 20}, {{1.0, "g"}});
  builder.add_action("s0", "taxi", {1, 30, 0}, {{1.0, "g"}});
  builder.add_action("s1", "train", {1, 20, 0}, {{1.0, "g"}});
  builder.add_action("s2", "walk", {3, 0, 6}, {{1.0, "g"}});
  builder.add_goal(builder.state("g"));
  const auto model = builder.build(builder.state("s0"));
  const Solution solution = run(model, carl_with(GetParam()));
  ASSERT_EQ(to_string(solution.status), "optimal");
  EXPECT_NEAR((*solution.costs)[0], 1, 1e-9);
  EXPECT_NEAR(probability(model, solution, "s0", "run"), 0.5, 1e-9);
  EXPECT_NEAR(probability(model, solution, "s0", "taxi"), 0.5, 1e-9);
  EXPECT_THAT(solution.multipliers, ::testing::ElementsAre(0, 0));
  EXPECT_EQ(solution.mixture.size(), 2U);
}

TEST_P(EveryOuterSearch, TheExampleThatIsInterestingForCoordinateSearch) {
  const auto model = coordinate_search_example();
  const Solution solution = run(model, carl_with(GetParam()));
  ASSERT_EQ(to_string(solution.status), "optimal");
  EXPECT_NEAR((*solution.costs)[0], 4, 1e-9);
  EXPECT_NEAR(probability(model, solution, "s0", "a2"), 1, 1e-9);
  EXPECT_NEAR(probability(model, solution, "s1", "a4"), 0.25, 1e-9);
  EXPECT_NEAR(probability(model, solution, "s1", "a5"), 0.75, 1e-9);
  EXPECT_NEAR(solution.multipliers[0], 0.2, 1e-4);
  EXPECT_NEAR(solution.multipliers[1], 0.2, 1e-4);
}

TEST_P(EveryOuterSearch, TheExampleThatIsPathologicalForCoordinateSearch) {
  ExplicitModelBuilder builder({{"c0", "c1", "c2"}, {{1, 1}, {2, 1}}, {}});
  builder.add_action("s0", "a0", {10, 1, 1}, {{1.0, "g"}});
  builder.add_action("s0", "a1", {1, 11, 0}, {{1.0, "g"}});
  builder.add_action("s0", "a2", {1, 0, 11}, {{1.0, "g"}});
  builder.add_goal(builder.state("g"));
  const auto model = builder.build(builder.state("s0"));
  const Solution solution = run(model, carl_with(GetParam()));
  ASSERT_EQ(to_string(solution.status), "optimal");
  EXPECT_NEAR((*solution.costs)[0], 10, 1e-9);
  EXPECT_NEAR(probability(model, solution, "s0", "a0"), 1, 1e-9);
  const std::string stuck = "coordinate search got stuck; the subgradient method went on";
  EXPECT_EQ(solution.note, GetParam() == "coordinate" ? stuck : "");
}

TEST_P(EveryOuterSearch, TiesThatRoundingErrorsTellApart) {
  const auto model = slippery_grid(GetParam() == "bundle" ? 24 : 8);
  const Solution truth = run(model, lp());
  for (const std::string& inner : inner_names()) {
    SCOPED_TRACE(inner);
    expect_same(Cssp(model), run(model, carl_with(GetParam(), inner)), truth);
  }
}

TEST(Carl, ALimitKeepsTheBestSoFar) {
  Cssp cssp(slippery_grid(24));
  Limits limits(0.0, 0, nullptr);
  const Solution solution = solve(cssp, {}, limits);
  EXPECT_EQ(to_string(solution.status), "limit");
}

}  // namespace
}  // namespace carl
