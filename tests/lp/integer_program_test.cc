#include "lp/integer_program.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace carl::lp {
namespace {

using Status = IntegerProgram::Answer::Status;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Some of three things of weight 3, 4 and 5 for at most 8, worth 4, 5 and 6.9.
IntegerProgram knapsack(double room) {
  IntegerProgram program;
  const int weight = static_cast<int>(program.add_row(-infinity, room));
  const int worth = static_cast<int>(program.add_row(0, 0));
  for (const auto& [w, v] : {std::pair{3.0, 4.0}, {4.0, 5.0}, {5.0, 6.9}})
    program.add_binary_column(std::vector{weight, worth}, std::vector{w, v});
  program.add_column(-1, 0, infinity, std::vector{worth}, std::vector{-1.0});
  return program;
}

TEST(IntegerProgram, IsSolvedInIntegers) {
  const IntegerProgram::Answer answer = knapsack(8).solve(60);
  EXPECT_EQ(answer.status, Status::optimal);
  ASSERT_TRUE(answer.objective);
  EXPECT_NEAR(*answer.objective, -10.9, 1e-6);
  ASSERT_EQ(answer.values.size(), 4U);
  EXPECT_NEAR(answer.values[1], 0, 1e-6);
}

TEST(IntegerProgram, CanBeInfeasible) {
  EXPECT_EQ(knapsack(-1).solve(60).status, Status::infeasible);
}

}  // namespace
}  // namespace carl::lp
