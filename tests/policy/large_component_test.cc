#include "policy/large_component.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "policy/elimination.h"
#include "support/scale.h"
#include "util/random.h"

namespace carl::policy {
namespace {

using testing::scaled;

/// Steps from each state to others, some of which are given more than once, and out.
struct Chain {
  std::vector<std::vector<std::pair<std::size_t, double>>> steps;
  std::vector<double> exit;

  LargeComponent::Matrix i_minus_p() const {
    std::vector<Eigen::Triplet<double, int>> entries;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const int row = static_cast<int>(i);
      double leaving = exit[i];
      for (const auto& [to, p] : steps[i]) {
        entries.emplace_back(row, static_cast<int>(to), -p);
        leaving += p;
      }
      entries.emplace_back(row, row, leaving);
    }
    const int n = static_cast<int>(steps.size());
    LargeComponent::Matrix result(n, n);
    result.setFromTriplets(entries.begin(), entries.end());
    return result;
  }

  Elimination<double> elimination() const {
    Elimination<double> result(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      for (const auto& [to, p] : steps[i])
        result.step(i, to) += p;
      result.exit(i) = exit[i];
    }
    return result;
  }
};

/// Strongly connected by a ring; leaving is as rare as asked for.
Chain random_chain(std::size_t size, double leaving, SplitMix64& random) {
  Chain chain;
  for (std::size_t i = 0; i < size; ++i) {
    auto& row = chain.steps.emplace_back();
    row.emplace_back((i + 1) % size, 0.1 + 0.5 * random.unit());
    const std::size_t other = random.below(2) == 0 ? random.below(size) : (i + size - 1) % size;
    if (other != i) row.emplace_back(other, 0.2 * random.unit());
    chain.exit.push_back(i == 0 || random.below(8) == 0 ? 0.2 * leaving * random.unit() : 0.0);
  }
  return chain;
}

const auto unmetered = [](double) { return true; };

TEST(LargeComponent, AgreesWithElimination) {
  const std::size_t cases = scaled(100);
  for (std::size_t seed = 0; seed < cases; ++seed) {
    SplitMix64 random(seed);
    const double leaving = std::pow(10.0, -4 * random.unit());
    const Chain chain = random_chain(2 + random.below(150), leaving, random);
    std::vector<double> right(chain.steps.size(), 0.0);
    right[random.below(right.size())] = 1;
    right[random.below(right.size())] += 0.25;
    Monitor monitor;
    LargeComponent large(chain.i_minus_p(), monitor);

    // What leaves a state is rounded once, which counts as often as a step is made.
    std::vector<double> steps(right.size(), 1.0);
    ASSERT_TRUE(chain.elimination().values(steps, unmetered));
    const double tolerance = 1e-14 * (100 + *std::max_element(steps.begin(), steps.end()));

    std::vector<double> visits = right;
    std::vector<double> expected = right;
    ASSERT_TRUE(large.visits(visits)) << seed;
    ASSERT_TRUE(chain.elimination().visits(expected, unmetered));
    for (std::size_t i = 0; i < visits.size(); ++i)
      EXPECT_NEAR(visits[i], expected[i], tolerance * expected[i]) << seed;

    std::vector<double> values = right;
    expected = right;
    ASSERT_TRUE(large.values(values)) << seed;
    ASSERT_TRUE(chain.elimination().values(expected, unmetered));
    for (std::size_t i = 0; i < values.size(); ++i)
      EXPECT_NEAR(values[i], expected[i], tolerance * expected[i]) << seed;
  }
}

TEST(LargeComponent, RareVisitsHaveDigitsOfTheirOwn) {
  // One more in the queue with probability 0.4, one less with 0.6; what does not fit in is lost.
  constexpr std::size_t size = 400;
  Chain queue;
  for (std::size_t i = 0; i < size; ++i) {
    auto& row = queue.steps.emplace_back();
    if (i > 0) row.emplace_back(i - 1, 0.6);
    if (i + 1 < size) row.emplace_back(i + 1, 0.4);
    queue.exit.push_back(i == 0 ? 0.6 : 0.0);
  }
  std::vector<double> visits(size, 0.0);
  visits[0] = 1;
  Monitor monitor;
  ASSERT_TRUE(LargeComponent(queue.i_minus_p(), monitor).visits(visits));
  for (std::size_t i = 0; i < size; ++i) {
    const double expected = std::pow(2.0 / 3, static_cast<double>(i)) / 0.6;
    EXPECT_NEAR(visits[i], expected, 1e-9 * expected) << i;
  }
}

TEST(LargeComponent, WhatIsNeverLeftIsNotSolved) {
  Chain ring;
  for (std::size_t i = 0; i < 10; ++i)
    ring.steps.push_back({{(i + 1) % 10, 1.0}});
  ring.exit.assign(10, 0.0);
  Monitor monitor;
  LargeComponent large(ring.i_minus_p(), monitor);
  std::vector<double> b(10, 0.0);
  b[0] = 1;
  const std::vector<double> before = b;
  EXPECT_FALSE(large.visits(b));
  EXPECT_FALSE(large.values(b));
  EXPECT_EQ(b, before);
}

TEST(LargeComponent, LimitsEndIt) {
  SplitMix64 random(1);
  Monitor monitor;
  monitor.interrupt();
  LargeComponent large(random_chain(100, 1e-3, random).i_minus_p(), monitor);
  std::vector<double> b(100, 1.0);
  EXPECT_THROW(large.visits(b), LimitReached);
}

}  // namespace
}  // namespace carl::policy
