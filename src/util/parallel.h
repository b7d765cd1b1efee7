// Work that falls into independent blocks, done on several threads. Chance decides who does which
// block, so what is done must not depend on it: each block has places of its own to write to, and
// what they hold is put together afterwards, in order.
#ifndef CARL_UTIL_PARALLEL_H
#define CARL_UTIL_PARALLEL_H

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace carl {

/// What a user asks for: 0 stands for all that the machine has.
inline std::size_t num_threads(std::size_t asked) {
  return asked != 0 ? asked : std::max(1U, std::thread::hardware_concurrency());
}

/// Calls work(block, thread) for the blocks 0 to num_blocks - 1, on the caller's thread, number 0,
/// and others. The caller's calls first() to begin with, and stop() before each of its blocks: once
/// that is true no more are begun. Returns how many were begun; they are finished, and the first
/// ones. An exception ends it, too, and arrives at the caller.
template <class First, class Stop, class Work>
std::size_t do_blocks(std::size_t threads, std::size_t num_blocks, const First& first,
                      const Stop& stop, const Work& work) {
  std::atomic<std::size_t> next{0};
  std::atomic<bool> stopped{false};
  std::atomic<bool> failed{false};
  std::exception_ptr error;
  const auto guarded = [&](const auto& task) {
    try {
      task();
    } catch (...) {
      if (!failed.exchange(true)) error = std::current_exception();
      stopped = true;
    }
  };
  const auto take_blocks = [&](std::size_t thread, const auto& may_go_on) {
    while (!stopped && may_go_on()) {
      const std::size_t block = next++;
      if (block >= num_blocks) return;
      work(block, thread);
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t t = 1; t < std::min(threads, num_blocks); ++t) {
      try {
        others.emplace_back([&, t] { guarded([&] { take_blocks(t, [] { return true; }); }); });
      } catch (const std::system_error&) {
        break;  // the system has no more threads: then it takes longer
      }
    }
    guarded([&] {
      first();
      take_blocks(0, [&] { return !stop(); });
      if (next < num_blocks) stopped = true;
    });
  }
  if (error) std::rethrow_exception(error);
  return std::min(num_blocks, next.load());
}

}  // namespace carl

#endif
