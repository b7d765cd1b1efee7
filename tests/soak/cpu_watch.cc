#include "soak/cpu_watch.h"

#include <pthread.h>

#include <cstdio>
#include <cstdlib>

namespace carl::soak {
namespace {

/// How long an interrupted solve may go on before the program is ended.
constexpr double patience = 30;

}  // namespace

CpuWatch::CpuWatch() {
  pthread_getcpuclockid(pthread_self(), &clock_);
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  start(1e9);
  thread_ = std::thread([this] { watch(); });
}

CpuWatch::~CpuWatch() {
  done_ = true;
  thread_.join();
}

double CpuWatch::now() const {
  timespec time{};
  clock_gettime(clock_, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double CpuWatch::used() const {
  const std::lock_guard lock(mutex_);
  return now() - begin_;
}

void CpuWatch::start(double seconds) {
  const std::lock_guard lock(mutex_);
  begin_ = now();
  limit_ = seconds;
  flag_ = false;
}

void CpuWatch::watch() {
  while (!done_) {
    constexpr timespec a_moment{0, 20'000'000};
    if (sigtimedwait(&signals_, nullptr, &a_moment) > 0) stopped_ = flag_ = true;
    const std::lock_guard lock(mutex_);
    const double over = now() - begin_ - limit_;
    if (over <= 0) continue;
    flag_ = true;
    if (over <= patience) continue;
    std::fputs("soak: a solve does not end\n", stderr);
    std::_Exit(99);
  }
}

}  // namespace carl::soak
