// The threads that work is done on: those of oneTBB, which keeps them from one piece of work to the
// next and shares them among all callers in the process. See parallel.h for what they are given.
#ifndef CARL_UTIL_TASK_POOL_H
#define CARL_UTIL_TASK_POOL_H

#include <cstddef>
#include <memory>

namespace carl {

class TaskPool {
 public:
  /// What the machine has, as far as this process may use it.
  static std::size_t machine_threads();
  /// More are never started, unless the machine has more.
  static std::size_t most_threads();

  TaskPool();
  ~TaskPool();

  /// Before anything is run. The system must be able to start threads - 1 more: oneTBB ends the
  /// process where it gets fewer than it wants.
  void start(std::size_t threads);
  /// Calls task(argument) once, mostly on the caller's thread, and up to `others` times on others;
  /// returns when all calls have ended. They may not throw.
  void run(std::size_t others, void (*task)(void*), void* argument);

 private:
  struct Arena;  // defined where it is used, since its headers take long to compile
  std::unique_ptr<Arena> arena_;
};

}  // namespace carl

#endif
