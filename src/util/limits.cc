#include "carl/limits.h"

#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

namespace carl {
namespace {

// Reading the clock costs as much as a small expansion, reading /proc as much as a hundred.
constexpr unsigned polls_per_clock = 32;
constexpr auto memory_interval = std::chrono::milliseconds(50);

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

Limits::Limits(double seconds, std::size_t bytes, const std::atomic<bool>* interrupt, Now now)
    : now_(std::move(now)), bytes_(bytes), interrupt_(interrupt) {
  // Beyond a century the clock's own range would overflow.
  constexpr double century = 3e9;
  if (seconds < century)
    deadline_ = now_() +
                std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

bool Limits::reached() {
  if (kind_ != LimitKind::none) return true;
  if (interrupt_ != nullptr && interrupt_->load(std::memory_order_relaxed)) {
    kind_ = LimitKind::interrupt;
    return true;
  }
  if (countdown_-- == 0) {
    countdown_ = polls_per_clock;
    poll();
  }
  return kind_ != LimitKind::none;
}

bool Limits::reached_now() {
  countdown_ = 0;
  return reached();
}

bool Limits::has_room_for(std::size_t bytes) {
  if (bytes_ == 0 || kind_ != LimitKind::none) return kind_ == LimitKind::none;
  const std::size_t used = resident_memory();
  if (used > bytes_ || bytes > bytes_ - used) kind_ = LimitKind::memory;
  return kind_ == LimitKind::none;
}

void Limits::check() {
  if (reached()) throw LimitReached(kind_);
}

double Limits::seconds_left() const {
  if (deadline_ == Clock::time_point::max()) return std::numeric_limits<double>::infinity();
  return std::chrono::duration<double>(deadline_ - now_()).count();
}

double Limits::share_of_memory_used() const {
  if (bytes_ == 0) return 0;
  return static_cast<double>(resident_memory()) / static_cast<double>(bytes_);
}

void Limits::poll() {
  if (deadline_ == Clock::time_point::max() && bytes_ == 0) return;
  const Clock::time_point now = now_();
  if (now >= deadline_) {
    kind_ = LimitKind::time;
  } else if (bytes_ != 0 && now >= next_memory_poll_) {
    next_memory_poll_ = now + memory_interval;
    if (resident_memory() > bytes_) kind_ = LimitKind::memory;
  }
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
