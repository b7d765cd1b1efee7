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
  Limits limits(0.01, 0, nullptr);
  static_cast<void>(limits.reached());  // the next ones do without
  while (limits.seconds_left() > 0) {
  }
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
