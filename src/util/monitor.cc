#include "carl/monitor.h"

#include <sys/resource.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

namespace carl {
namespace {

// Reading the clock costs as much as a small expansion, reading /proc as much as a hundred.
constexpr unsigned polls_per_clock = 32;
constexpr auto memory_interval =
    std::chrono::duration_cast<Monitor::Clock::duration>(std::chrono::milliseconds(50));

/// Whether more memory is in use. What was freed, and is kept for what may come, does not count.
bool exceeds(std::size_t bytes) {
  if (resident_memory() <= bytes) return false;
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  return resident_memory() > bytes;
}

}  // namespace

const char* LimitReached::what() const noexcept {
  switch (kind_) {
    case LimitKind::time:
      return "the time limit was reached";
    case LimitKind::memory:
      return "the memory limit was reached";
    case LimitKind::interrupt:
      return "interrupted";
    case LimitKind::none:
      break;
  }
  return "no limit was reached";
}

Monitor::Monitor(double seconds, std::size_t bytes, const std::atomic<bool>* interrupt, Now now)
    : now_(std::move(now)), bytes_(bytes), interrupt_(interrupt) {
  // Beyond a century the clock's own range would overflow.
  constexpr double century = 3e9;
  if (seconds < century)
    deadline_ = now_() +
                std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

bool Monitor::reached_now() {
  countdown_.store(0, std::memory_order_relaxed);
  return reached();
}

bool Monitor::has_room_for(std::size_t bytes) {
  if (bytes_ == 0 || kind() != LimitKind::none) return kind() == LimitKind::none;
  if (bytes > bytes_ || exceeds(bytes_ - bytes)) end_by(LimitKind::memory);
  return kind() == LimitKind::none;
}

double Monitor::seconds_left() const {
  if (deadline_ == Clock::time_point::max()) return std::numeric_limits<double>::infinity();
  return std::chrono::duration<double>(deadline_ - now_()).count();
}

double Monitor::share_of_memory_used() const {
  if (bytes_ == 0) return 0;
  return static_cast<double>(resident_memory()) / static_cast<double>(bytes_);
}

bool Monitor::look() {
  countdown_.store(polls_per_clock, std::memory_order_relaxed);
  if (deadline_ == Clock::time_point::max() && bytes_ == 0) return false;
  const Clock::time_point now = now_();
  const Clock::rep ticks = now.time_since_epoch().count();
  if (now >= deadline_) {
    end_by(LimitKind::time);
  } else if (bytes_ != 0 && ticks >= next_memory_look_.load(std::memory_order_relaxed)) {
    next_memory_look_.store(ticks + memory_interval.count(), std::memory_order_relaxed);
    if (exceeds(bytes_)) end_by(LimitKind::memory);
  }
  return kind() != LimitKind::none;
}

std::size_t resident_memory() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  unsigned long total = 0;
  unsigned long resident = 0;
  const int fields = std::fscanf(file, "%lu %lu", &total, &resident);
  std::fclose(file);
  return fields == 2 ? resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) : 0;
}

std::size_t peak_resident_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

}  // namespace carl
