#include "util/random.h"

#include <gtest/gtest.h>

#include <vector>

namespace carl {
namespace {

// Reference values of SplitMix64 with seed 1234567, as published with the generator.
TEST(SplitMix64, GivesThePublishedSequence) {
  SplitMix64 random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317U);
  EXPECT_EQ(random.next(), 3203168211198807973U);
  EXPECT_EQ(random.next(), 9817491932198370423U);
}

TEST(SplitMix64, ShuffleKeepsTheElements) {
  std::vector<int> items{1, 2, 3, 4, 5};
  SplitMix64(3).shuffle(items);
  std::vector<int> sorted = items;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, (std::vector<int>{1, 2, 3, 4, 5}));
  EXPECT_NE(items, sorted);
}

}  // namespace
}  // namespace carl
