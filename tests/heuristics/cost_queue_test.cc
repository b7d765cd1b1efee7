#include "heuristics/cost_queue.h"

#include <gtest/gtest.h>

#include <functional>
#include <queue>
#include <random>

#include "support/scale.h"

namespace carl::heuristics {
namespace {

/// Costs as Dijkstra's algorithm makes them: what leaves plus the cost of an operator.
TEST(CostQueue, AgreesWithAHeapOnRandomSequences) {
  for (std::uint64_t seed = 0; seed < testing::scaled(500); ++seed) {
    std::mt19937_64 random(seed);
    const std::vector<double> steps{0, 0, 1, 1, 0.1, 100, 1e-9, 71.0113, 1e12};
    CostQueue queue;
    std::priority_queue<double, std::vector<double>, std::greater<>> heap;
    double last = 0;
    for (int i = 0; i < 300; ++i) {
      if (heap.empty() || random() % 5 < 3) {
        const double cost =
            last + steps[random() % steps.size()] * static_cast<double>(1 + random() % 3);
        queue.push(cost, static_cast<std::uint32_t>(i));
        heap.push(cost);
      } else {
        ASSERT_FALSE(queue.empty());
        last = queue.pop().first;
        ASSERT_EQ(last, heap.top()) << "seed " << seed;
        heap.pop();
      }
    }
    for (; !heap.empty(); heap.pop())
      ASSERT_EQ(queue.pop().first, heap.top());
    EXPECT_TRUE(queue.empty());
  }
}

TEST(CostQueue, StartsAgainFromZeroWhenCleared) {
  CostQueue queue;
  queue.push(5, 1);
  queue.push(7, 2);
  EXPECT_EQ(queue.pop().second, 1U);
  queue.clear();
  EXPECT_TRUE(queue.empty());
  queue.push(3, 3);
  queue.push(0, 4);
  EXPECT_EQ(queue.pop().second, 4U);
  EXPECT_EQ(queue.pop().second, 3U);
}

}  // namespace
}  // namespace carl::heuristics
