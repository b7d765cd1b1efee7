// What a computation that may take long asks now and then: whether it may go on, and whether
// somebody wants to know how far it is. Time limit, memory limit, interruption and progress in one
// object, which may be used by several threads at once. An algorithm that can return a partial
// result asks reached() and ends in an orderly way; one that cannot calls check().
#ifndef CARL_MONITOR_H
#define CARL_MONITOR_H

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace carl {

enum class LimitKind { none, time, memory, interrupt };

/// Thrown by Monitor::check(): there is no result to return yet.
class LimitReached : public std::exception {
 public:
  explicit LimitReached(LimitKind kind) : kind_(kind) {}
  LimitKind kind() const { return kind_; }
  const char* what() const noexcept override;

 private:
  LimitKind kind_;
};

/// What a solve is at, for a live progress line.
struct Progress {
  std::string phase;
  std::size_t states = 0;
  std::size_t iterations = 0;  // of an outer search or a linear program
  std::size_t backups = 0;     // Bellman backups of the search at hand
  std::optional<double> lower_bound;
  std::optional<double> upper_bound;
  std::vector<double> multipliers;  // one per constraint: where a λ search is looking
};

class Monitor {
 public:
  using Clock = std::chrono::steady_clock;
  /// What time it is.
  using Now = std::function<Clock::time_point()>;
  using Listener = std::function<void(const Progress&)>;

  /// No limits at all.
  Monitor() = default;
  /// `seconds` counts from now (infinite: no limit), `bytes` is resident memory of the process
  /// (0: no limit); `interrupt`, if given, is watched (a signal handler sets it). `now` is asked
  /// instead of the clock, so that tests decide when time is up.
  Monitor(double seconds, std::size_t bytes, const std::atomic<bool>* interrupt = nullptr,
          Now now = Clock::now);
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;

  /// True once a limit is reached; stays true. Cheap enough for every expanded state.
  bool reached() {
    if (kind() != LimitKind::none) return true;
    if (interrupt_ != nullptr && interrupt_->load(std::memory_order_relaxed)) {
      interrupt();
      return true;
    }
    // Threads may miss each other's counts; then the clock is looked at a little later.
    const unsigned countdown = countdown_.load(std::memory_order_relaxed);
    countdown_.store(countdown - 1, std::memory_order_relaxed);
    return countdown == 0 && look();
  }
  /// The same with a look at the clock each time, for loops whose every round takes long.
  bool reached_now();
  /// Whether so many bytes more stay within the memory limit. If not, it counts as reached.
  bool has_room_for(std::size_t bytes);
  /// Throws LimitReached once a limit is reached.
  void check() {
    if (reached()) throw LimitReached(kind());
  }
  LimitKind kind() const { return kind_.load(std::memory_order_relaxed); }
  double seconds_left() const;
  /// Resident memory now, as a share of the limit; 0 if there is none.
  double share_of_memory_used() const;

  /// Ends what this watches over, from any thread.
  void interrupt() { end_by(LimitKind::interrupt); }

  /// Who wants to know about progress; before anything begins. Called often: throttling is the
  /// listener's business. By one thread at a time, though not always the same.
  void set_listener(Listener listener) { listener_ = std::move(listener); }
  /// Tells the listener. `update` changes what is known to have been reached so far; it is called
  /// only if there is a listener.
  template <class Update>
  void report(Update update) {
    if (!listener_) return;
    const std::lock_guard lock(reporting_);
    update(progress_);
    listener_(progress_);
  }

 private:
  /// At the clock and the memory. Returns reached().
  bool look();
  /// What came first stays.
  void end_by(LimitKind kind) {
    LimitKind none = LimitKind::none;
    kind_.compare_exchange_strong(none, kind, std::memory_order_relaxed);
  }

  Now now_ = Clock::now;
  Clock::time_point deadline_ = Clock::time_point::max();
  std::size_t bytes_ = 0;
  const std::atomic<bool>* interrupt_ = nullptr;
  std::atomic<unsigned> countdown_ = 0;
  std::atomic<Clock::rep> next_memory_look_ = 0;
  std::atomic<LimitKind> kind_ = LimitKind::none;
  Listener listener_;
  std::mutex reporting_;
  Progress progress_;
};

/// Resident memory of this process now, and its peak, in bytes.
std::size_t resident_memory();
std::size_t peak_resident_memory();

}  // namespace carl

#endif
