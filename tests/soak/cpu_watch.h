// A limit in processor time, which a busy machine does not change: a thread of its own watches how
// much the thread that made it has used, and interrupts it like a user would. If that is of no use
// the program ends; the run that goes on after it counts that. The same thread waits for signals.
#ifndef CARL_TESTS_SOAK_CPU_WATCH_H
#define CARL_TESTS_SOAK_CPU_WATCH_H

#include <atomic>
#include <csignal>
#include <ctime>
#include <mutex>
#include <thread>

namespace carl::soak {

class CpuWatch {
 public:
  CpuWatch();
  ~CpuWatch();
  CpuWatch(const CpuWatch&) = delete;
  CpuWatch& operator=(const CpuWatch&) = delete;

  /// From now on the flag is set after so many seconds.
  void start(double seconds);
  const std::atomic<bool>& flag() const { return flag_; }
  /// Since the start.
  double used() const;
  /// Somebody wants the program to end.
  bool stopped() const { return stopped_; }

 private:
  double now() const;
  void watch();

  clockid_t clock_{};
  sigset_t signals_{};
  mutable std::mutex mutex_;
  double begin_ = 0;
  double limit_ = 0;
  std::atomic<bool> flag_ = false;
  std::atomic<bool> done_ = false;
  std::atomic<bool> stopped_ = false;
  std::thread thread_;
};

}  // namespace carl::soak

#endif
