// The only file that includes oneTBB. It is built without the thread sanitizer: libtbb.so is, too, so
// that the sanitizer would not see how tasks get from one thread to the other, and take what the
// inline parts of oneTBB's headers do for races.

#include "util/task_pool.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <algorithm>
#include <stdexcept>

namespace carl {
namespace {

/// oneTBB starts no more threads than the machine has unless it is told to, and complains.
void allow_more_than_the_machine_has(std::size_t threads) {
  if (threads <= TaskPool::machine_threads()) return;
  static const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                         TaskPool::most_threads());
}

}  // namespace

struct TaskPool::Arena {
  tbb::task_arena arena;
};

std::size_t TaskPool::machine_threads() {
  return static_cast<std::size_t>(std::max(1, tbb::info::default_concurrency()));
}

std::size_t TaskPool::most_threads() {
  constexpr std::size_t most = 128;  // oneTBB's own limit is 256
  return std::max(most, machine_threads());
}

TaskPool::TaskPool() : arena_(std::make_unique<Arena>()) {}
TaskPool::~TaskPool() = default;

void TaskPool::start(std::size_t threads) {
  allow_more_than_the_machine_has(threads);
  arena_->arena.initialize(static_cast<int>(threads));
}

void TaskPool::run(std::size_t others, void (*task)(void*), void* argument) {
  arena_->arena.execute([=] {
    tbb::task_group group;
    try {
      for (std::size_t i = 0; i < others; ++i)
        group.run([=] { task(argument); });
    } catch (const std::runtime_error&) {
      // No thread could be started, although they could before: those that there are do it all.
    }
    task(argument);
    group.wait();
  });
}

}  // namespace carl
