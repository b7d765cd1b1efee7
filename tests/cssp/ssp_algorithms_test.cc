// Every algorithm for problems without bounds, with every heuristic, on random problems against the
// LP over all states: the same status, the same optimum, a valid lower bound.

#include <gtest/gtest.h>

#include "carl/error.h"
#include "carl/solve.h"
#include "model/explicit_model.h"
#include "support/random_model.h"
#include "support/random_task.h"
#include "support/scale.h"
#include "support/test_clock.h"

namespace carl {
namespace {

Solution run(const std::shared_ptr<Model>& model, const CsspOptions& changes,
             const SolveOptions& options) {
  Cssp cssp(model, changes);
  Monitor monitor;
  return solve(cssp, options, monitor);
}

SolveOptions options_for(const std::string& algorithm, const std::string& heuristic) {
  SolveOptions options;
  options.algorithm = algorithm_named(algorithm);
  if (!heuristic.empty()) options.search.heuristic = heuristic_named(heuristic);
  options.gap = 1e-7;
  return options;
}

void expect_same(const Solution& solution, const Solution& truth) {
  ASSERT_EQ(to_string(solution.status), to_string(truth.status)) << solution.note;
  if (!truth.costs) return;
  const double optimum = (*truth.costs)[0];
  const double tolerance = 1e-6 * std::max(1.0, optimum);
  EXPECT_NEAR((*solution.costs)[0], optimum, tolerance);
  EXPECT_LE(*solution.lower_bound, optimum + 1e-9 * std::max(1.0, optimum));
  EXPECT_NEAR(*solution.lower_bound, optimum, tolerance);
}

TEST(SspAlgorithms, AgreeWithTheLpOnRandomExplicitModels) {
  for (std::uint64_t seed = 1; seed <= testing::scaled(2000); ++seed) {
    testing::RandomModelOptions random = testing::random_options(seed, 12);
    random.bounds = testing::BoundsKind::none;
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + random.text());
    const auto model = testing::random_model(seed, random);
    const Solution truth = run(model, {}, options_for("lp", ""));
    for (const std::string& algorithm : inner_names())
      for (const char* heuristic : {"dijkstra", "zero"}) {
        SCOPED_TRACE(algorithm + " with " + heuristic);
        expect_same(run(model, {}, options_for(algorithm, heuristic)), truth);
      }
    if (HasFailure()) break;
  }
}

TEST(SspAlgorithms, AgreeWithTheLpOnRandomFactoredProblems) {
  std::size_t solved = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(1000); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto model = testing::random_task(seed);
    const Solution truth = run(model, {}, options_for("lp", ""));
    solved += truth.status == Status::optimal && truth.statistics.expanded > 10;
    for (const std::string& algorithm : inner_names())
      for (const std::string& heuristic : heuristic_names()) {
        SCOPED_TRACE(algorithm + " with " + heuristic);
        expect_same(run(model, {}, options_for(algorithm, heuristic)), truth);
      }
    if (HasFailure()) break;
  }
  EXPECT_GT(solved, testing::scaled(300));
}

/// Values that start at the penalty of giving up never rise while trials go round: a search that
/// looks for the loop only in the end has no end.
TEST(SspAlgorithms, RefuseZeroCostLoopsOfProblemsWithoutGoals) {
  ExplicitBuilder builder({{"time"}, {}, {{14.0}}});
  builder.add_action("s", "spin", {0}, {{1.0, "t"}});
  builder.add_action("t", "spin", {0}, {{1.0, "s"}});
  const auto model = builder.build(builder.state("s"));
  for (const std::string& algorithm : inner_names())
    for (const char* heuristic : {"dijkstra", "zero"}) {
      SCOPED_TRACE(algorithm + " with " + heuristic);
      Cssp cssp(model);
      Monitor monitor = testing::monitor_of_looks(100'000);  // a search without end ends
      EXPECT_THROW(solve(cssp, options_for(algorithm, heuristic), monitor), InputError);
      SolveOptions options;
      options.carl.inner = inner_named(algorithm);
      options.search.heuristic = heuristic_named(heuristic);
      EXPECT_THROW(solve(cssp, options, monitor), InputError);
    }
}

}  // namespace
}  // namespace carl
