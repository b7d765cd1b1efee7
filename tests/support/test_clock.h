// Clocks for tests of time limits: time passes when the test says so, or by one second each time
// that somebody looks, so that a limit of n seconds ends whatever it is at after n looks, on any
// machine.
#ifndef CARL_TESTS_SUPPORT_TEST_CLOCK_H
#define CARL_TESTS_SUPPORT_TEST_CLOCK_H

#include <chrono>

#include "carl/limits.h"

namespace carl::testing {

class TestClock {
 public:
  void advance(double seconds) {
    now_ +=
        std::chrono::duration_cast<Limits::Clock::duration>(std::chrono::duration<double>(seconds));
  }
  /// Limits by this clock, which must outlive them.
  Limits limits(double seconds) {
    return Limits(seconds, 0, nullptr, [this] { return now_; });
  }

 private:
  Limits::Clock::time_point now_{};
};

/// Limits that are reached when the clock is looked at for the n-th time, which is not at every
/// question. 0: from the start.
inline Limits limits_of_looks(std::size_t n) {
  Limits::Clock::time_point now{};
  return Limits(static_cast<double>(n), 0, nullptr, [now]() mutable {
    const auto before = now;  // the first look sets the deadline
    now += std::chrono::seconds(1);
    return before;
  });
}

}  // namespace carl::testing

#endif
