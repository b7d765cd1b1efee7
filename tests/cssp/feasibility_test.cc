#include "cssp/feasibility.h"

#include <gtest/gtest.h>

#include "model/explicit_model.h"

namespace carl::cssp {
namespace {

TEST(Feasibility, BoundsAreMetUpToRounding) {
  ExplicitBuilder builder({{"time", "fuel"}, {{1, 1000}}, {}});
  builder.add_goal(builder.state("g"));
  const Cssp cssp(builder.build(builder.state("g")));
  EXPECT_TRUE(meets_bounds(cssp, {0, 1000 + 5e-7}));
  EXPECT_FALSE(meets_bounds(cssp, {0, 1000 + 5e-6}));
}

/// Costs are computed with rounding here and without it by who checks the policy: of what exceeds a
/// bound by nearly all that is allowed both must say the same.
TEST(Feasibility, BoundsAreMetALittleBetterThanTheyMustBe) {
  ExplicitBuilder builder({{"time", "fuel"}, {{1, 1000}}, {}});
  builder.add_goal(builder.state("g"));
  const Cssp cssp(builder.build(builder.state("g")));
  const double allowed = bound_tolerance(cssp.bounds()[0]);
  EXPECT_TRUE(meets_bounds(cssp, {0, 1000 + 0.999 * allowed}));
  EXPECT_FALSE(meets_bounds(cssp, {0, 1000 + 0.99995 * allowed}));
}

}  // namespace
}  // namespace carl::cssp
