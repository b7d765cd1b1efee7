#include "carl/limits.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace carl {
namespace {

TEST(Limits, NoneByDefault) {
  Limits limits;
  for (int i = 0; i < 1000; ++i)
    EXPECT_FALSE(limits.reached());
  EXPECT_EQ(limits.seconds_left(), std::numeric_limits<double>::infinity());
}

TEST(Limits, TimeIsNoticedAndRemembered) {
  Limits limits(0.0, 0, nullptr);
  EXPECT_TRUE(limits.reached());
  EXPECT_EQ(limits.kind(), LimitKind::time);
  EXPECT_THROW(limits.check(), LimitReached);
}

TEST(Limits, MemoryIsNoticed) {
  Limits limits(std::numeric_limits<double>::infinity(), 1, nullptr);
  EXPECT_TRUE(limits.reached());
  EXPECT_EQ(limits.kind(), LimitKind::memory);
}

TEST(Limits, InterruptIsNoticedAtOnce) {
  std::atomic<bool> interrupt{false};
  Limits limits(std::numeric_limits<double>::infinity(), 0, &interrupt);
  EXPECT_FALSE(limits.reached());
  interrupt = true;
  EXPECT_TRUE(limits.reached());
  EXPECT_EQ(limits.kind(), LimitKind::interrupt);
}

TEST(Limits, MemoryIsMeasured) {
  const std::size_t before = resident_memory();
  std::vector<char> block(64 << 20, 1);
  EXPECT_GT(resident_memory(), before + (32 << 20));
  EXPECT_GE(peak_resident_memory(), resident_memory() / 2);
  EXPECT_EQ(block[100], 1);
}

}  // namespace
}  // namespace carl
