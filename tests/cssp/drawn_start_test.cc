// Initial distributions: all algorithms and heuristics against the LP over all states, which knows
// of nothing but states and actions.

#include <gtest/gtest.h>

#include "cssp/agreement.h"
#include "support/load.h"
#include "support/options_text.h"
#include "support/random_task.h"
#include "support/scale.h"

namespace carl {
namespace {

std::vector<SolveOptions> ways_to_solve(std::uint64_t seed, bool has_bounds) {
  std::vector<SolveOptions> all;
  for (const std::string& name : heuristic_names()) {
    SolveOptions options;
    options.search.heuristic = heuristic_named(name);
    if (seed % 2 == 0) options.search.heuristic_mode = HeuristicMode::ideal_point;
    const std::vector<std::string>& inner = inner_names();
    options.carl.inner = inner_named(inner[seed % inner.size()]);
    all.push_back(options);
  }
  for (const Algorithm algorithm : {Algorithm::automatic, Algorithm::i_dual, Algorithm::i2_dual})
    all.emplace_back().algorithm = algorithm;
  for (const Algorithm algorithm :
       {Algorithm::cg_ilao, Algorithm::ilao, Algorithm::lrtdp, Algorithm::vi})
    if (!has_bounds) all.emplace_back().algorithm = algorithm;
  return all;
}

TEST(DrawnStart, AllAlgorithmsAgreeWithTheLp) {
  std::size_t optimal = 0;
  std::size_t infeasible = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(250); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto model = testing::load_text(testing::random_drawn_start(seed));
    const CsspOptions changes = random_bounds(model, seed);
    const Solution truth = run(model, lp(), changes);
    optimal += truth.status == Status::optimal && !changes.bounds.empty();
    infeasible += truth.status == Status::infeasible;
    for (const SolveOptions& options : ways_to_solve(seed, !changes.bounds.empty())) {
      SCOPED_TRACE(testing::text_of(options));
      expect_same(Cssp(model, changes), run(model, options, changes), truth);
    }
    if (HasFailure()) break;
  }
  EXPECT_GE(optimal, testing::at_full_scale(30));
  EXPECT_GE(infeasible, testing::at_full_scale(5));
}

}  // namespace
}  // namespace carl
