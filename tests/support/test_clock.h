// Clocks for tests of time limits: time passes when the test says so, or by one second each time
// that somebody looks, so that a limit of n seconds ends whatever it is at after n looks, on any
// machine.
#ifndef CARL_TESTS_SUPPORT_TEST_CLOCK_H
#define CARL_TESTS_SUPPORT_TEST_CLOCK_H

#include <chrono>

#include "carl/monitor.h"

namespace carl::testing {

class TestClock {
 public:
  void advance(double seconds) {
    now_ += std::chrono::duration_cast<Monitor::Clock::duration>(
        std::chrono::duration<double>(seconds));
  }
  /// A monitor by this clock, which must outlive it.
  Monitor monitor(double seconds) {
    return Monitor(seconds, 0, nullptr, [this] { return now_; });
  }

 private:
  Monitor::Clock::time_point now_{};
};

/// A monitor whose limit is reached when the clock is looked at for the n-th time, which is not at every
/// question. 0: from the start.
inline Monitor monitor_of_looks(std::size_t n) {
  Monitor::Clock::time_point now{};
  return Monitor(static_cast<double>(n), 0, nullptr, [now]() mutable {
    const auto before = now;  // the first look sets the deadline
    now += std::chrono::seconds(1);
    return before;
  });
}

}  // namespace carl::testing

#endif
