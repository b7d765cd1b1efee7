#include "cssp/lower_line.h"

#include <gtest/gtest.h>

#include "model/explicit_model.h"

namespace carl::cssp {
namespace {

/// What a policy exceeds a bound by is worth something: the lower bound is one for all policies
/// that do the same.
TEST(LowerLines, LowerBoundsAccountForWhatAPolicyExceedsItsBoundsBy) {
  ExplicitBuilder builder({{"time", "fuel"}, {{1, 3}}, {}});
  builder.add_goal(builder.state("g"));
  const Cssp cssp(builder.build(builder.state("g")));
  const LowerLine line{{0, 1e9}, 3e9 + 4};
  EXPECT_EQ(lower_bound(cssp, line, std::nullopt), 4);
  EXPECT_EQ(lower_bound(cssp, line, std::vector{9.0, 2.0}), 4);
  EXPECT_NEAR(lower_bound(cssp, line, std::vector{9.0, 3 + 1e-9}), 3, 1e-6);
  EXPECT_EQ(lower_bound(cssp, line, std::vector{9.0, 3 + 1e-8}), 0);
  Solution solution;
  solution.costs = {{3.5, 3 + 1e-9}};
  const LowerLine other{{0, 0}, 2};
  set_lower_bound(cssp, std::vector{other, line}, solution);
  EXPECT_NEAR(*solution.lower_bound, 3, 1e-6);
  EXPECT_EQ(solution.multipliers, std::vector{1e9});
  solution.costs = {{1.0, 3.0}};
  set_lower_bound(cssp, std::vector{other, line}, solution);
  EXPECT_EQ(solution.lower_bound, 1.0);
}

}  // namespace
}  // namespace carl::cssp
