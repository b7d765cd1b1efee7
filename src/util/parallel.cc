// The blocks are handed out in order, so that what is done when a limit ends it are mostly the first
// ones, and neighbours in memory are worked on at about the same time.

#include "util/parallel.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
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

namespace {

/// A number of 32 bits above the number of the key that it was made of.
using Entry = std::uint64_t;

/// One pass of a radix sort: stable, by some bits of the entries. Blocks count how many of each kind they
/// have, and know then where theirs are to go.
class RadixPass {
 public:
  static constexpr unsigned num_bits = 11;

  RadixPass(const Threads& threads, std::span<const Entry> from, std::span<Entry> to,
            unsigned first_bit)
      : threads_(threads),
        from_(from),
        to_(to),
        first_bit_(first_bit),
        block_size_(std::max(least_block, from.size() / most_blocks + 1)),
        next_(Threads::num_blocks(from.size(), block_size_)) {}

  void run() {
    for_blocks([&](std::size_t begin, std::size_t end, Places& places) {
      places.fill(0);
      for (std::size_t i = begin; i < end; ++i)
        ++places[digit(from_[i])];
    });
    std::size_t place = 0;
    for (std::size_t d = 0; d < num_digits; ++d)
      for (Places& places : next_)
        place += std::exchange(places[d], place);
    for_blocks([&](std::size_t begin, std::size_t end, Places& places) {
      for (std::size_t i = begin; i < end; ++i)
        to_[places[digit(from_[i])]++] = from_[i];
    });
  }

 private:
  static constexpr std::size_t num_digits = std::size_t{1} << num_bits;
  static constexpr std::size_t least_block = 16 * Threads::elements_per_block;
  static constexpr std::size_t most_blocks = 16;
  using Places = std::array<std::size_t, num_digits>;

  std::size_t digit(Entry entry) const { return (entry >> first_bit_) % num_digits; }
  template <class Work>
  void for_blocks(const Work& work) {
    threads_.for_each_range(
        from_.size(),
        [&](std::size_t begin, std::size_t end) { work(begin, end, next_[begin / block_size_]); },
        block_size_);
  }

  const Threads& threads_;
  std::span<const Entry> from_;
  std::span<Entry> to_;
  unsigned first_bit_;
  std::size_t block_size_;
  std::vector<Places> next_;  // per block: where the next entry of each kind goes
};

}  // namespace

std::vector<std::uint32_t> Threads::ascending(std::span<const double> keys) const {
  const auto largest_of = [&](std::size_t begin, std::size_t end) {
    return *std::max_element(keys.begin() + static_cast<std::ptrdiff_t>(begin),
                             keys.begin() + static_cast<std::ptrdiff_t>(end));
  };
  const double largest =
      reduce(keys.size(), 0.0, largest_of, [](double a, double b) { return std::max(a, b); });
  constexpr double most = 0xffffffff;
  std::vector<Entry> entries(keys.size());
  for_each(keys.size(), [&](std::size_t i) {
    const double share = keys[i] > 0 ? std::min(1.0, keys[i] / largest) : 0.0;
    entries[i] = static_cast<Entry>(share * most) << 32 | i;
  });
  std::vector<Entry> others(keys.size());
  for (unsigned bit = 32; bit < 64; bit += RadixPass::num_bits) {
    RadixPass(*this, entries, others, bit).run();
    std::swap(entries, others);
  }
  std::vector<std::uint32_t> order(keys.size());
  for_each(keys.size(), [&](std::size_t i) { order[i] = static_cast<std::uint32_t>(entries[i]); });
  return order;
}

}  // namespace carl
