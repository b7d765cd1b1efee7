#include "util/parallel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "carl/monitor.h"
#include "util/random.h"

namespace carl {
namespace {

const std::vector<std::size_t> counts{1, 2, 3, 8};

TEST(Threads, OfZeroAreThoseOfTheMachine) {
  EXPECT_GE(num_threads(0), 1U);
  EXPECT_EQ(num_threads(0), Threads(0).count());
  EXPECT_EQ(num_threads(7), 7U);
  EXPECT_EQ(Threads(7).count(), 7U);
  EXPECT_EQ(Threads().count(), 1U);
}

TEST(Threads, DoEveryBlockOnce) {
  for (const std::size_t count : counts) {
    const Threads threads(count);
    for (const std::size_t blocks : {0U, 1U, 2U, 7U, 1000U}) {
      std::vector<int> done(blocks, 0);  // each of its own place
      threads.for_each_block(blocks, [&](std::size_t block, std::size_t thread) {
        EXPECT_LT(thread, count);
        ++done[block];
      });
      EXPECT_EQ(done, std::vector<int>(blocks, 1));
    }
  }
}

/// What belongs to a thread needs no lock.
TEST(Threads, HaveOneUserForEachNumberAtATime) {
  for (const std::size_t count : counts) {
    const Threads threads(count);
    std::vector<std::size_t> done(count, 0);
    for (int round = 0; round < 20; ++round)
      threads.for_each_block(200, [&](std::size_t, std::size_t thread) { ++done[thread]; });
    EXPECT_EQ(std::accumulate(done.begin(), done.end(), std::size_t{0}), 20U * 200U);
  }
}

TEST(Threads, WorkAtTheSameTime) {
  const Threads threads(4);
  const auto end = Monitor::Clock::now() + std::chrono::seconds(20);
  std::atomic<int> here{0};
  threads.for_each_block(4, [&](std::size_t, std::size_t) {
    ++here;
    while (here < 4 && Monitor::Clock::now() < end)
      std::this_thread::yield();
    EXPECT_EQ(here, 4);
  });
}

TEST(Threads, OfOneAreTheCallers) {
  std::set<std::thread::id> who;
  Threads(1).for_each_block(
      50, [&](std::size_t, std::size_t) { who.insert(std::this_thread::get_id()); });
  EXPECT_EQ(who, std::set{std::this_thread::get_id()});
}

TEST(Threads, TellTheirCallerOfExceptions) {
  for (const std::size_t count : counts) {
    const Threads threads(count);
    for (std::size_t bad = 0; bad < 40; ++bad) {
      std::atomic<std::size_t> begun{0};
      const auto work = [&](std::size_t block, std::size_t) {
        ++begun;
        if (block == bad) throw std::runtime_error("block " + std::to_string(block));
      };
      try {
        threads.for_each_block(10'000, work);
        ADD_FAILURE() << "no exception";
      } catch (const std::runtime_error& error) {
        EXPECT_EQ(error.what(), "block " + std::to_string(bad));
      }
      EXPECT_LE(bad + 1, begun);
      // Afterwards they go on with other things.
      std::atomic<std::size_t> done{0};
      threads.for_each_block(9, [&](std::size_t, std::size_t) { ++done; });
      EXPECT_EQ(done, 9U);
    }
  }
}

TEST(Threads, EndWhereALimitDoes) {
  for (const std::size_t count : counts) {
    Monitor monitor;
    std::atomic<std::size_t> done{0};
    const auto work = [&](std::size_t block, std::size_t) {
      if (block == 100) monitor.interrupt();
      monitor.check();
      ++done;
    };
    EXPECT_THROW(Threads(count).for_each_block(1'000'000, work), LimitReached);
    EXPECT_GE(done + count, 100U);
    EXPECT_LT(done, 1'000'000U);
  }
}

TEST(Threads, MayHaveOthersInTheirBlocks) {
  const Threads outer(3);
  const Threads inner(2);
  std::vector<double> sums(20);
  outer.for_each_block(sums.size(), [&](std::size_t block, std::size_t) {
    sums[block] = inner.reduce(
        100, 0.0,
        [](std::size_t begin, std::size_t end) { return static_cast<double>(end - begin); },
        std::plus<>(), 7);
  });
  EXPECT_EQ(sums, std::vector<double>(sums.size(), 100.0));
}

TEST(Threads, MayHaveSeveralCallers) {
  const Threads threads(3);
  std::atomic<std::size_t> done{0};
  {
    std::vector<std::jthread> callers;
    for (int i = 0; i < 4; ++i)
      callers.emplace_back([&] {
        for (int round = 0; round < 50; ++round)
          threads.for_each_block(10, [&](std::size_t, std::size_t) { ++done; });
      });
  }
  EXPECT_EQ(done, 4U * 50U * 10U);
}

TEST(Threads, CutARangeByItsSizeAlone) {
  for (const std::size_t count : counts)
    for (const std::size_t size : {0U, 1U, 9U, 10U, 11U, 1003U}) {
      std::vector<std::size_t> ends(size, 0);
      Threads(count).for_each_range(
          size,
          [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
              ends[i] = end;
          },
          10);
      for (std::size_t i = 0; i < size; ++i)
        EXPECT_EQ(ends[i], std::min(size, (i / 10 + 1) * 10));
    }
}

/// Numbers of very different sizes, so that another order of adding them shows.
TEST(Threads, AddInTheSameOrder) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SplitMix64 random(seed);
    std::vector<double> numbers(seed * 997);
    for (double& x : numbers)
      x = std::ldexp(static_cast<double>(random.next() >> 11), static_cast<int>(random.below(80)));
    const auto sum = [&](std::size_t begin, std::size_t end) {
      return std::accumulate(numbers.begin() + static_cast<std::ptrdiff_t>(begin),
                             numbers.begin() + static_cast<std::ptrdiff_t>(end), 0.0);
    };
    const std::size_t block_size = 1 + seed * seed;
    const double one = Threads(1).reduce(numbers.size(), 0.0, sum, std::plus<>(), block_size);
    for (const std::size_t count : counts) {
      const Threads threads(count);
      EXPECT_EQ(one, threads.reduce(numbers.size(), 0.0, sum, std::plus<>(), block_size));
    }
  }
}

TEST(Threads, ReduceTruthValues) {
  for (const std::size_t count : counts)
    for (const std::size_t bad : {0U, 5U, 99U, 100U}) {
      const bool all = Threads(count).reduce(
          100, true, [&](std::size_t begin, std::size_t end) { return bad < begin || bad >= end; },
          std::logical_and<>(), 3);
      EXPECT_EQ(all, bad == 100);
    }
}

TEST(Threads, AscendingByKeyThenNumber) {
  for (const std::size_t size : {0U, 1U, 1000U, 200'000U, 700'001U}) {
    SplitMix64 random(size);
    std::vector<double> keys;
    for (std::size_t i = 0; i < size; ++i)
      keys.push_back(0.25 * static_cast<double>(random.below(size / 2 + 1)));
    std::vector<std::uint32_t> sorted(size);
    std::iota(sorted.begin(), sorted.end(), 0U);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
    for (const std::size_t count : counts)
      EXPECT_EQ(Threads(count).ascending(keys), sorted) << size << " on " << count;
  }
}

TEST(Threads, AscendingTakesWhatIsBelowZeroForZero) {
  const std::vector<double> keys{1e-300, 3, -2, -0.0, 1, 0};
  EXPECT_EQ(Threads(1).ascending(keys), (std::vector<std::uint32_t>{0, 2, 3, 5, 4, 1}));
  const std::vector<double> none{0, 0, 0};
  EXPECT_EQ(Threads(1).ascending(none), (std::vector<std::uint32_t>{0, 1, 2}));
}

}  // namespace
}  // namespace carl
