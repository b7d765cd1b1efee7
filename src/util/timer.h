// Wall-clock time of a phase.
#ifndef CARL_UTIL_TIMER_H
#define CARL_UTIL_TIMER_H

#include <chrono>

namespace carl {

class Timer {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Adds the time of its own life to a sum.
class PhaseTimer {
 public:
  explicit PhaseTimer(double& sum) : sum_(sum) {}
  ~PhaseTimer() { sum_ += timer_.seconds(); }
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

 private:
  double& sum_;
  Timer timer_;
};

}  // namespace carl

#endif
