// The blocks are handed out in order, so that what is done when a limit ends it are mostly the first
// ones, and neighbours in memory are worked on at about the same time.

#include "util/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "util/task_pool.h"

#ifdef __SANITIZE_THREAD__
extern "C" void __tsan_acquire(void* address);  // NOLINT: not ours to name
extern "C" void __tsan_release(void* address);  // NOLINT
/// What libtbb.so clears of its own memory, it does not see either.
extern "C" const char* __tsan_default_suppressions() {  // NOLINT
  return "called_from_lib:libtbb.so";
}
#endif

namespace carl {
namespace {

/// That what was done before hand_over() is known after take_over() is oneTBB's doing, which the
/// thread sanitizer does not see.
void hand_over([[maybe_unused]] void* what) {
#ifdef __SANITIZE_THREAD__
  __tsan_release(what);
#endif
}
void take_over([[maybe_unused]] void* what) {
#ifdef __SANITIZE_THREAD__
  __tsan_acquire(what);
#endif
}

/// How many threads, of `asked`, the system lets us have beside the caller's.
std::size_t startable_threads(std::size_t asked) {
  std::atomic<bool> counted{false};
  std::vector<std::jthread> threads;
  threads.reserve(asked);
  try {
    while (threads.size() < asked)
      threads.emplace_back([&] { counted.wait(false); });
  } catch (const std::exception&) {
    // there are no more: then it takes longer
  }
  const std::size_t started = threads.size();
  counted = true;
  counted.notify_all();
  return started;
}

/// What all threads of one call take their blocks from.
class Job {
 public:
  using Call = void (*)(const void* what, std::size_t block, std::size_t thread);

  Job(std::size_t num_blocks, Call call, const void* what)
      : num_blocks_(num_blocks), call_(call), what_(what) {
    hand_over(this);
  }

  /// What each thread does.
  void join() {
    take_over(this);
    take_blocks(next_thread_.fetch_add(1, std::memory_order_relaxed));
    hand_over(this);
  }
  /// When everybody has ended.
  void end() {
    take_over(this);
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void take_blocks(std::size_t thread) {
    try {
      for (;;) {
        const std::size_t block = next_.fetch_add(1, std::memory_order_relaxed);
        if (block >= num_blocks_) return;
        call_(what_, block, thread);
      }
    } catch (...) {
      if (!failed_.exchange(true)) error_ = std::current_exception();
      next_.fetch_add(num_blocks_, std::memory_order_relaxed);
    }
  }

  std::size_t num_blocks_;
  Call call_;
  const void* what_;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> next_thread_{0};
  std::atomic<bool> failed_{false};
  std::exception_ptr error_;
};

}  // namespace

struct Threads::Pool {
  std::once_flag started;
  std::size_t count = 1;  // threads that there are
  TaskPool tasks;

  void start(std::size_t asked) {
    count = 1 + startable_threads(asked - 1);
    tasks.start(count);
  }
};

std::size_t num_threads(std::size_t asked) {
  return asked != 0 ? asked : TaskPool::machine_threads();
}

Threads::Threads(std::size_t asked)
    : count_(std::min(num_threads(asked), TaskPool::most_threads())) {
  if (count_ > 1) pool_ = std::make_unique<Pool>();
}
Threads::Threads(Threads&&) noexcept = default;
Threads& Threads::operator=(Threads&&) noexcept = default;
Threads::~Threads() = default;

void Threads::run(std::size_t num_blocks, Call call, const void* what) const {
  std::call_once(pool_->started, [&] { pool_->start(count_); });
  Job job(num_blocks, call, what);
  const std::size_t others = std::min(pool_->count, num_blocks) - 1;
  pool_->tasks.run(
      others, [](void* begun) { static_cast<Job*>(begun)->join(); }, &job);
  job.end();
}

/// Blocks are sorted, then merged two by two.
void Threads::sort(std::span<std::pair<double, std::uint32_t>> keys) const {
  constexpr std::size_t least_block = 16 * elements_per_block;
  std::size_t width = std::max(least_block, keys.size() / 8 + 1);
  if (count_ == 1) width = keys.size() + 1;
  const auto place = [&](std::size_t i) {
    return keys.begin() + static_cast<std::ptrdiff_t>(std::min(i, keys.size()));
  };
  for_each_range(
      keys.size(), [&](std::size_t begin, std::size_t end) { std::sort(place(begin), place(end)); },
      width);
  for (; width < keys.size(); width *= 2)
    for_each_range(
        keys.size(),
        [&](std::size_t begin, std::size_t end) {
          std::inplace_merge(place(begin), place(begin + width), place(end));
        },
        2 * width);
}

}  // namespace carl
