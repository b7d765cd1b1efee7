#include "lp/linear_program.h"

#include <gtest/gtest.h>

#include <array>

namespace carl::lp {
namespace {

/// min -x - y  s.t.  x + 2y ≤ 4,  3x + y ≤ 6: optimum at (1.6, 1.2).
LinearProgram small_program() {
  LinearProgram lp;
  lp.add_row(-infinity, 4);
  lp.add_row(-infinity, 6);
  lp.add_column(-1, 0, infinity, std::array{0, 1}, std::array{1.0, 3.0});
  lp.add_column(-1, 0, infinity, std::array{0, 1}, std::array{2.0, 1.0});
  return lp;
}

TEST(LinearProgram, BothMethodsFindTheOptimum) {
  for (const Method method : {Method::dual_simplex, Method::primal_simplex}) {
    LinearProgram lp = small_program();
    Limits limits;
    ASSERT_EQ(lp.solve(method, limits), Status::optimal);
    EXPECT_NEAR(lp.objective(), -2.8, 1e-9);
    EXPECT_NEAR(lp.values()[0], 1.6, 1e-9);
    EXPECT_NEAR(lp.values()[1], 1.2, 1e-9);
    EXPECT_NEAR(lp.duals()[0], -0.4, 1e-9);
    EXPECT_NEAR(lp.duals()[1], -0.2, 1e-9);
  }
}

TEST(LinearProgram, GrowsAfterASolve) {
  LinearProgram lp = small_program();
  Limits limits;
  ASSERT_EQ(lp.solve(Method::primal_simplex, limits), Status::optimal);
  lp.add_column(-5, 0, 1, std::array{1}, std::array{1.0});
  ASSERT_EQ(lp.solve(Method::primal_simplex, limits), Status::optimal);
  EXPECT_NEAR(lp.values()[2], 1, 1e-9);
}

TEST(LinearProgram, StartsFromAGivenBasis) {
  LinearProgram lp = small_program();
  lp.start_basis();
  lp.make_column_basic(0);
  lp.make_column_basic(1);
  lp.make_row_nonbasic(0);
  lp.make_row_nonbasic(1);
  Limits limits;
  ASSERT_EQ(lp.solve(Method::primal_simplex, limits), Status::optimal);
  EXPECT_NEAR(lp.objective(), -2.8, 1e-9);
}

TEST(LinearProgram, TellsInfeasibleAndUnbounded) {
  Limits limits;
  LinearProgram infeasible;
  infeasible.add_row(3, infinity);
  infeasible.add_column(1, 0, 2, std::array{0}, std::array{1.0});
  EXPECT_EQ(infeasible.solve(Method::dual_simplex, limits), Status::infeasible);
  LinearProgram unbounded;
  unbounded.add_row(0, infinity);
  unbounded.add_column(-1, 0, infinity, std::array{0}, std::array{1.0});
  EXPECT_EQ(unbounded.solve(Method::primal_simplex, limits), Status::unbounded);
}

TEST(LinearProgram, EndsAtALimit) {
  LinearProgram lp = small_program();
  Limits limits(0.0, 0, nullptr);
  EXPECT_EQ(lp.solve(Method::dual_simplex, limits), Status::limit);
}

}  // namespace
}  // namespace carl::lp
