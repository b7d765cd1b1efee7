#include "lp/linear_program.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <vector>

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
    Monitor monitor;
    ASSERT_EQ(lp.solve(method, monitor), Status::optimal);
    EXPECT_NEAR(lp.objective(), -2.8, 1e-9);
    EXPECT_NEAR(lp.values()[0], 1.6, 1e-9);
    EXPECT_NEAR(lp.values()[1], 1.2, 1e-9);
    EXPECT_NEAR(lp.duals()[0], -0.4, 1e-9);
    EXPECT_NEAR(lp.duals()[1], -0.2, 1e-9);
  }
}

TEST(LinearProgram, GrowsAfterASolve) {
  LinearProgram lp = small_program();
  Monitor monitor;
  ASSERT_EQ(lp.solve(Method::primal_simplex, monitor), Status::optimal);
  lp.add_column(-5, 0, 1, std::array{1}, std::array{1.0});
  ASSERT_EQ(lp.solve(Method::primal_simplex, monitor), Status::optimal);
  EXPECT_NEAR(lp.values()[2], 1, 1e-9);
}

TEST(LinearProgram, StartsFromAGivenBasis) {
  LinearProgram lp = small_program();
  lp.start_basis();
  lp.make_column_basic(0);
  lp.make_column_basic(1);
  lp.make_row_nonbasic(0);
  lp.make_row_nonbasic(1);
  Monitor monitor;
  ASSERT_EQ(lp.solve(Method::primal_simplex, monitor), Status::optimal);
  EXPECT_NEAR(lp.objective(), -2.8, 1e-9);
}

TEST(LinearProgram, TellsInfeasibleAndUnbounded) {
  Monitor monitor;
  LinearProgram infeasible;
  infeasible.add_row(3, infinity);
  infeasible.add_column(1, 0, 2, std::array{0}, std::array{1.0});
  EXPECT_EQ(infeasible.solve(Method::dual_simplex, monitor), Status::infeasible);
  LinearProgram unbounded;
  unbounded.add_row(0, infinity);
  unbounded.add_column(-1, 0, infinity, std::array{0}, std::array{1.0});
  EXPECT_EQ(unbounded.solve(Method::primal_simplex, monitor), Status::unbounded);
}

TEST(LinearProgram, EndsAtALimit) {
  LinearProgram lp = small_program();
  Monitor monitor(0.0, 0, nullptr);
  EXPECT_EQ(lp.solve(Method::dual_simplex, monitor), Status::limit);
}

/// Each column covers a few rows; dense enough to take many iterations.
LinearProgram covering_program(std::size_t rows, std::size_t columns) {
  LinearProgram lp;
  for (std::size_t i = 0; i < rows; ++i)
    lp.add_row(1, infinity);
  for (std::size_t j = 0; j < columns; ++j) {
    std::vector<int> covered;
    std::vector<double> by;
    for (std::size_t i = j % 3; i < rows; i += 2 + (j * j + i) % 7) {
      covered.push_back(static_cast<int>(i));
      by.push_back(1 + static_cast<double>((i * j) % 5));
    }
    lp.add_column(1 + static_cast<double>((j * 37) % 11), 0, infinity, covered, by);
  }
  return lp;
}

TEST(LinearProgram, AnInterruptActsInsideASolve) {
  LinearProgram whole = covering_program(120, 300);
  Monitor none;
  ASSERT_EQ(whole.solve(Method::dual_simplex, none), Status::optimal);
  ASSERT_GT(whole.iterations(), 5U);

  LinearProgram lp = covering_program(120, 300);
  std::atomic<bool> interrupt{false};
  Monitor monitor(infinity, 0, &interrupt);
  const auto set = [&](std::size_t) { interrupt = true; };
  EXPECT_EQ(lp.solve(Method::dual_simplex, monitor, set), Status::limit);
  EXPECT_EQ(monitor.kind(), LimitKind::interrupt);
  EXPECT_LT(lp.iterations(), whole.iterations());
}

TEST(LinearProgram, DoesNotBeginWhatCannotFit) {
  LinearProgram lp = covering_program(100, 50'000);
  const std::size_t least = 20'000'000;
  ASSERT_GT(LinearProgram::bytes_needed(100, 50'000, 1'000'000), least);
  const std::size_t before = resident_memory();
  Monitor monitor(infinity, before + least / 4, nullptr);
  EXPECT_EQ(lp.solve(Method::dual_simplex, monitor), Status::limit);
  EXPECT_EQ(monitor.kind(), LimitKind::memory);
  EXPECT_EQ(lp.iterations(), 0U);
  EXPECT_LT(resident_memory(), before + least / 4);
}

}  // namespace
}  // namespace carl::lp
