// The factorization that can be interrupted gives what KLU gives, and heeds limits.

#include "ssp/factorization.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <set>

#include "support/scale.h"
#include "util/random.h"

namespace carl::ssp {
namespace {

/// I - P, where each state leads to some others: to any, or mostly to later ones, so that there are
/// many components.
Matrix random_matrix(std::size_t size, std::size_t successors, double leaving, bool one_way,
                     SplitMix64& random) {
  Matrix matrix;
  for (std::size_t i = 0; i < size; ++i) {
    std::set<std::size_t> to;
    for (std::size_t k = 0; k < successors; ++k) {
      const bool back = !one_way || random.below(20) == 0;
      to.insert(back ? random.below(size) : i + random.below(size - i));
    }
    to.erase(i);
    matrix.column.push_back(static_cast<int>(i));
    matrix.value.push_back(1);
    long double total = leaving;
    for (const std::size_t j : to) {
      const double probability = (1 - leaving) / static_cast<double>(to.size());
      total += probability;
      matrix.column.push_back(static_cast<int>(j));
      matrix.value.push_back(-probability);
    }
    matrix.diagonal.push_back(to.empty() ? 1 : total);
    matrix.first.push_back(static_cast<int>(matrix.column.size()));
  }
  return matrix;
}

void expect_near(const std::vector<double>& x, const std::vector<double>& y, double tolerance) {
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    ASSERT_NEAR(x[i], y[i], tolerance * (1e-9 + std::abs(y[i]))) << i;
}

TEST(InterruptibleLu, GivesWhatKluGives) {
  for (std::uint64_t seed = 1; seed <= testing::scaled(1000); ++seed) {
    SCOPED_TRACE(seed);
    SplitMix64 random(seed);
    const double leaving = std::pow(10.0, -static_cast<double>(random.below(7)));
    const Matrix matrix =
        random_matrix(1 + random.below(60), 1 + random.below(4), leaving, seed % 2 == 0, random);
    std::vector<double> b(matrix.size());
    for (double& entry : b)
      entry = static_cast<double>(random.below(10));
    Monitor monitor;
    Factorization klu(matrix, {.monitor = &monitor});
    Factorization own(matrix, {.operations_of_klu = -1, .monitor = &monitor});
    ASSERT_EQ(klu.ok(), own.ok());
    if (!klu.ok()) continue;
    expect_near(own.solve_rows(b), klu.solve_rows(b), 1e-9);
    expect_near(own.solve_columns(b), klu.solve_columns(b), 1e-9);
  }
}

class FilledFactors : public ::testing::Test {
 protected:
  SplitMix64 random_{1};
  Matrix matrix_ = random_matrix(600, 4, 1e-3, false, random_);  // some ten million operations
};

TEST_F(FilledFactors, AreSolvedWithoutLimits) {
  const std::vector<double> b(matrix_.size(), 1.0);
  Factorization klu(matrix_, {.operations_of_klu = 1e300});
  Factorization own(matrix_, {.operations_of_klu = 1e6});
  ASSERT_TRUE(klu.ok() && own.ok());
  expect_near(own.solve_rows(b), klu.solve_rows(b), 1e-9);
  expect_near(own.solve_columns(b), klu.solve_columns(b), 1e-9);
}

TEST_F(FilledFactors, EndWhenInterrupted) {
  std::atomic<bool> interrupt = true;
  Monitor monitor(std::numeric_limits<double>::infinity(), 0, &interrupt);
  EXPECT_FALSE(Factorization(matrix_, {.operations_of_klu = 1e6, .monitor = &monitor}).ok());
  EXPECT_EQ(monitor.kind(), LimitKind::interrupt);
}

TEST_F(FilledFactors, EndWhenTimeIsUp) {
  Monitor monitor(0, 0);
  EXPECT_FALSE(Factorization(matrix_, {.operations_of_klu = 1e6, .monitor = &monitor}).ok());
  EXPECT_EQ(monitor.kind(), LimitKind::time);
}

TEST_F(FilledFactors, AreNotMadeWhereTheyDoNotFit) {
  Monitor monitor(std::numeric_limits<double>::infinity(), resident_memory() + 1000);
  EXPECT_FALSE(Factorization(matrix_, {.operations_of_klu = 1e6, .monitor = &monitor}).ok());
  EXPECT_EQ(monitor.kind(), LimitKind::memory);
}

TEST_F(FilledFactors, AreNotMadeIfThatWouldTakeTooLong) {
  Factorization none(matrix_, {.most_operations = 1e6});
  EXPECT_FALSE(none.ok());
  EXPECT_TRUE(none.too_long());
}

}  // namespace
}  // namespace carl::ssp
