// Time limit, memory limit and interruption, polled in one place. An algorithm that can return a
// partial result asks reached() and ends in an orderly way; one that cannot calls check().
#ifndef CARL_LIMITS_H
#define CARL_LIMITS_H

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>

namespace carl {

enum class LimitKind { none, time, memory, interrupt };

/// Thrown by Limits::check(): there is no result to return yet.
class LimitReached : public std::exception {
 public:
  explicit LimitReached(LimitKind kind) : kind_(kind) {}
  LimitKind kind() const { return kind_; }
  const char* what() const noexcept override;

 private:
  LimitKind kind_;
};

class Limits {
 public:
  using Clock = std::chrono::steady_clock;
  /// What time it is.
  using Now = std::function<Clock::time_point()>;

  /// No limits at all.
  Limits() = default;
  /// `seconds` counts from now (infinite: no limit), `bytes` is resident memory of the process
  /// (0: no limit); `interrupt`, if given, is watched (a signal handler sets it). `now` is asked
  /// instead of the clock, so that tests decide when time is up.
  Limits(double seconds, std::size_t bytes, const std::atomic<bool>* interrupt,
         Now now = Clock::now);

  /// True once a limit is reached; stays true. Cheap enough for every expanded state.
  bool reached();
  /// The same with a look at the clock each time, for loops whose every round takes long.
  bool reached_now();
  /// Whether so many bytes more stay within the memory limit. If not, it counts as reached.
  bool has_room_for(std::size_t bytes);
  /// Throws LimitReached once a limit is reached.
  void check();
  LimitKind kind() const { return kind_; }
  double seconds_left() const;
  /// Resident memory now, as a share of the limit; 0 if there is none.
  double share_of_memory_used() const;

 private:
  void poll();

  Now now_ = Clock::now;
  Clock::time_point deadline_ = Clock::time_point::max();
  std::size_t bytes_ = 0;
  const std::atomic<bool>* interrupt_ = nullptr;
  unsigned countdown_ = 0;
  Clock::time_point next_memory_poll_{};
  LimitKind kind_ = LimitKind::none;
};

/// Resident memory of this process now, and its peak, in bytes.
std::size_t resident_memory();
std::size_t peak_resident_memory();

}  // namespace carl

#endif
