// On oneTBB, which keeps threads from one call to the next and shares them among all callers. The
// blocks are handed out here: in order, so that what is done when a limit ends it are mostly the
// first ones, and neighbours in memory are worked on at about the same time.

#include "util/parallel.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace carl {
namespace {

// Without being told so by the machine nobody has more, and oneTBB's own limit is not far.
constexpr std::size_t most_threads = 128;

std::size_t machine_threads() {
  return static_cast<std::size_t>(std::max(1, tbb::info::default_concurrency()));
}

/// oneTBB starts no more threads than the machine has unless it is told to, and then says so.
void allow_more_than_the_machine_has(std::size_t count) {
  if (count <= machine_threads()) return;
  static const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                         std::max(most_threads, machine_threads()));
}

/// How many threads of `asked` the system lets us have beside the caller's. oneTBB ends the process
/// where it gets fewer than it wants, so this is found out before.
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

/// What all threads of one call take their blocks from. Taking one is also what tells a thread of
/// all that others have written before it began, and the caller in the end of what they wrote.
class Job {
 public:
  Job(std::size_t num_blocks, void (*call)(const void*, std::size_t, std::size_t), const void* what)
      : num_blocks_(num_blocks), call_(call), what_(what) {
    next_thread_.store(1, std::memory_order_release);
  }

  void join() { take_blocks(next_thread_.fetch_add(1, std::memory_order_acq_rel)); }
  void begin() { take_blocks(0); }
  /// When everybody has ended.
  void end() {
    next_.fetch_add(1, std::memory_order_acq_rel);
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void take_blocks(std::size_t thread) {
    try {
      for (;;) {
        const std::size_t block = next_.fetch_add(1, std::memory_order_acq_rel);
        if (block >= num_blocks_) return;
        call_(what_, block, thread);
      }
    } catch (...) {
      if (!failed_.exchange(true)) error_ = std::current_exception();
      next_.fetch_add(num_blocks_, std::memory_order_acq_rel);
    }
  }

  std::size_t num_blocks_;
  void (*call_)(const void*, std::size_t, std::size_t);
  const void* what_;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> next_thread_{1};
  std::atomic<bool> failed_{false};
  std::exception_ptr error_;
};

}  // namespace

struct Threads::Pool {
  std::once_flag started;
  std::size_t count = 1;  // threads that there are
  tbb::task_arena arena;

  void start(std::size_t asked) {
    allow_more_than_the_machine_has(asked);
    count = 1 + startable_threads(asked - 1);
    arena.initialize(static_cast<int>(count));
  }
};

std::size_t num_threads(std::size_t asked) {
  return asked != 0 ? asked : machine_threads();
}

Threads::Threads(std::size_t asked)
    : count_(std::min(num_threads(asked), std::max(most_threads, machine_threads()))) {
  if (count_ > 1) pool_ = std::make_unique<Pool>();
}
Threads::Threads(Threads&&) noexcept = default;
Threads& Threads::operator=(Threads&&) noexcept = default;
Threads::~Threads() = default;

void Threads::run(std::size_t num_blocks, Call call, const void* what) const {
  Pool& pool = *pool_;
  std::call_once(pool.started, [&] { pool.start(count_); });
  Job job(num_blocks, call, what);
  pool.arena.execute([&] {
    tbb::task_group others;
    try {
      for (std::size_t i = 1; i < std::min(pool.count, num_blocks); ++i)
        others.run([&job] { job.join(); });
    } catch (const std::runtime_error&) {
      // the threads that could be started before are gone: those that there are do it all
    }
    job.begin();
    others.wait();
  });
  job.end();
}

}  // namespace carl
