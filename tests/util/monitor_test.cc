#include "carl/monitor.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "support/test_clock.h"

namespace carl {
namespace {

TEST(Monitor, NoneByDefault) {
  Monitor monitor;
  for (int i = 0; i < 1000; ++i)
    EXPECT_FALSE(monitor.reached());
  EXPECT_EQ(monitor.seconds_left(), std::numeric_limits<double>::infinity());
}

TEST(Monitor, TimeIsNoticedAndRemembered) {
  Monitor monitor(0.0, 0, nullptr);
  EXPECT_TRUE(monitor.reached());
  EXPECT_EQ(monitor.kind(), LimitKind::time);
  EXPECT_THROW(monitor.check(), LimitReached);
}

TEST(Monitor, TimeIsUpAtTheDeadlineNotBefore) {
  testing::TestClock clock;
  Monitor monitor = clock.monitor(10);
  EXPECT_EQ(monitor.seconds_left(), 10);
  clock.advance(9.5);
  EXPECT_FALSE(monitor.reached_now());
  EXPECT_EQ(monitor.seconds_left(), 0.5);
  clock.advance(0.5);
  EXPECT_TRUE(monitor.reached_now());
  EXPECT_EQ(monitor.seconds_left(), 0);
}

/// Looking at the clock takes long, but a limit must not be noticed much too late either.
TEST(Monitor, TheClockIsLookedAtNowAndThen) {
  testing::TestClock clock;
  Monitor monitor = clock.monitor(1);
  EXPECT_FALSE(monitor.reached());
  clock.advance(1);
  int questions = 1;
  while (!monitor.reached())
    ++questions;
  EXPECT_GT(questions, 10);
  EXPECT_LT(questions, 100);
}

TEST(Monitor, EndAfterSoManyLooksAtTheClock) {
  for (const std::size_t looks : {std::size_t{0}, std::size_t{1}, std::size_t{5}}) {
    Monitor monitor = testing::monitor_of_looks(looks);
    for (std::size_t i = 1; i < looks; ++i)
      EXPECT_FALSE(monitor.reached_now());
    EXPECT_TRUE(monitor.reached_now()) << looks;
  }
}

TEST(Monitor, MemoryIsNoticed) {
  Monitor monitor(std::numeric_limits<double>::infinity(), 1, nullptr);
  EXPECT_TRUE(monitor.reached());
  EXPECT_EQ(monitor.kind(), LimitKind::memory);
}

TEST(Monitor, RoomInMemory) {
  Monitor none;
  EXPECT_TRUE(none.has_room_for(std::numeric_limits<std::size_t>::max()));
  Monitor monitor(std::numeric_limits<double>::infinity(), resident_memory() + 100'000'000,
                  nullptr);
  EXPECT_TRUE(monitor.has_room_for(1'000'000));
  EXPECT_EQ(monitor.kind(), LimitKind::none);
  EXPECT_FALSE(monitor.has_room_for(200'000'000));
  EXPECT_EQ(monitor.kind(), LimitKind::memory);
  EXPECT_TRUE(monitor.reached());
  EXPECT_FALSE(monitor.has_room_for(0));
}

TEST(Monitor, LongRoundsLookAtTheClockEachTime) {
  testing::TestClock clock;
  Monitor monitor = clock.monitor(10);
  EXPECT_FALSE(monitor.reached());
  clock.advance(10);
  EXPECT_FALSE(monitor.reached());  // one of those that do without
  EXPECT_TRUE(monitor.reached_now());
  EXPECT_EQ(monitor.kind(), LimitKind::time);
}

TEST(Monitor, InterruptIsNoticedAtOnce) {
  std::atomic<bool> interrupt{false};
  Monitor monitor(std::numeric_limits<double>::infinity(), 0, &interrupt);
  EXPECT_FALSE(monitor.reached());
  interrupt = true;
  EXPECT_TRUE(monitor.reached());
  EXPECT_EQ(monitor.kind(), LimitKind::interrupt);
}

TEST(Monitor, MemoryIsMeasured) {
  const std::size_t before = resident_memory();
  std::vector<char> block(64 << 20, 1);
  EXPECT_GT(resident_memory(), before + (32 << 20));
  EXPECT_GE(peak_resident_memory(), resident_memory() / 2);
  EXPECT_EQ(block[100], 1);
}

#ifdef __GLIBC__
/// The C library may keep what is freed for the next array.
TEST(Monitor, FreedMemoryDoesNotCount) {
  if (mallopt(M_MMAP_THRESHOLD, 32 << 20) == 0 || mallopt(M_TRIM_THRESHOLD, 1 << 30) == 0)
    GTEST_SKIP() << "another one, of a sanitizer";
  constexpr std::size_t some = 200 << 20;
  Monitor monitor(std::numeric_limits<double>::infinity(), resident_memory() + some / 2, nullptr);
  {
    std::vector<std::vector<char>> blocks;
    while (blocks.size() * (8 << 20) < some)
      blocks.emplace_back(8 << 20, 1);
  }
  ASSERT_GT(resident_memory(), some / 2) << "nothing was kept";
  EXPECT_TRUE(monitor.has_room_for(1 << 20));
  EXPECT_FALSE(monitor.reached_now());
}
#endif

}  // namespace
}  // namespace carl
