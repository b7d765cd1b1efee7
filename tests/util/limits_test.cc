#include "carl/limits.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "support/test_clock.h"

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

TEST(Limits, TimeIsUpAtTheDeadlineNotBefore) {
  testing::TestClock clock;
  Limits limits = clock.limits(10);
  EXPECT_EQ(limits.seconds_left(), 10);
  clock.advance(9.5);
  EXPECT_FALSE(limits.reached_now());
  EXPECT_EQ(limits.seconds_left(), 0.5);
  clock.advance(0.5);
  EXPECT_TRUE(limits.reached_now());
  EXPECT_EQ(limits.seconds_left(), 0);
}

/// Looking at the clock takes long, but a limit must not be noticed much too late either.
TEST(Limits, TheClockIsLookedAtNowAndThen) {
  testing::TestClock clock;
  Limits limits = clock.limits(1);
  EXPECT_FALSE(limits.reached());
  clock.advance(1);
  int questions = 1;
  while (!limits.reached())
    ++questions;
  EXPECT_GT(questions, 10);
  EXPECT_LT(questions, 100);
}

TEST(Limits, EndAfterSoManyLooksAtTheClock) {
  for (const std::size_t looks : {std::size_t{0}, std::size_t{1}, std::size_t{5}}) {
    Limits limits = testing::limits_of_looks(looks);
    for (std::size_t i = 1; i < looks; ++i)
      EXPECT_FALSE(limits.reached_now());
    EXPECT_TRUE(limits.reached_now()) << looks;
  }
}

TEST(Limits, MemoryIsNoticed) {
  Limits limits(std::numeric_limits<double>::infinity(), 1, nullptr);
  EXPECT_TRUE(limits.reached());
  EXPECT_EQ(limits.kind(), LimitKind::memory);
}

TEST(Limits, RoomInMemory) {
  Limits none;
  EXPECT_TRUE(none.has_room_for(std::numeric_limits<std::size_t>::max()));
  Limits limits(std::numeric_limits<double>::infinity(), resident_memory() + 100'000'000, nullptr);
  EXPECT_TRUE(limits.has_room_for(1'000'000));
  EXPECT_EQ(limits.kind(), LimitKind::none);
  EXPECT_FALSE(limits.has_room_for(200'000'000));
  EXPECT_EQ(limits.kind(), LimitKind::memory);
  EXPECT_TRUE(limits.reached());
  EXPECT_FALSE(limits.has_room_for(0));
}

TEST(Limits, LongRoundsLookAtTheClockEachTime) {
  testing::TestClock clock;
  Limits limits = clock.limits(10);
  EXPECT_FALSE(limits.reached());
  clock.advance(10);
  EXPECT_FALSE(limits.reached());  // one of those that do without
  EXPECT_TRUE(limits.reached_now());
  EXPECT_EQ(limits.kind(), LimitKind::time);
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
