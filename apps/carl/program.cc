#include "program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include "carl/error.h"
#include "carl/monitor.h"
#include "carl/options.h"
#include "commands.h"
#include "flags.h"
#include "style.h"

namespace carl::app {
namespace {

// Signal handlers can reach nothing but globals.
std::atomic<bool>* interrupted = nullptr;

extern "C" void on_interrupt(int /*signal*/) {
  interrupted->store(true, std::memory_order_relaxed);
}

/// A second Ctrl-C ends the program at once. Calls that wait, for input say, end at the first.
void watch_signals() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // A reader that has seen enough is no reason to lose the files that are yet to be written.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file too large for its limits is an error like others
}

/// A file that is opened must not become standard output because that was closed. Writing to what
/// stands in for it fails.
void occupy_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(descriptor, F_GETFD) == -1)
      static_cast<void>(open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY));
}

/// Nothing here may need memory: there may be none.
int fail(int status, const char* before, const char* what, const char* after) {
  std::fputs(before, stderr);
  // "error:" is what the eye looks for, wherever a position stands before it.
  const char* word = "error:";
  const char* found = Style::of(STDERR_FILENO).coloured() ? std::strstr(what, word) : nullptr;
  if (found != nullptr) {
    std::fwrite(what, 1, static_cast<std::size_t>(found - what), stderr);
    std::fputs("\033[1;31merror:\033[0m", stderr);
    what = found + std::strlen(word);
  }
  std::fputs(what, stderr);
  std::fputs(after, stderr);
  return status;
}

/// Called where memory runs out. Not all libraries survive an exception at any such point (hash
/// tables and destructors among them), so this is the end; files are whole or not there.
[[noreturn]] void on_no_memory() {
  std::_Exit(report_no_memory());
}

/// Solving makes and frees the same large arrays many times. The C library would return each to the
/// system, which then clears its pages when they are asked for again.
void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int largest_allowed = 32 << 20;
  constexpr int most_kept = 1 << 30;  // what else is running on the machine may need it
  mallopt(M_MMAP_THRESHOLD, largest_allowed);
  mallopt(M_TRIM_THRESHOLD, most_kept);
#endif
}

}  // namespace

void begin_program(std::atomic<bool>& flag) {
  interrupted = &flag;
  watch_signals();
  std::set_new_handler(on_no_memory);
  keep_freed_memory();
  occupy_standard_descriptors();
}

int report_no_memory() {
  return fail(exit_limit, "error: ", "out of memory",
              "\n  hint: --memory-limit ends a search earlier, with the best policy so far\n");
}

int status_of_exception() {
  try {
    throw;
  } catch (const InputError&) {
    return exit_bad_input;
  } catch (const LimitReached&) {
    return exit_limit;
  } catch (const std::bad_alloc&) {
    return exit_limit;
  } catch (...) {
    return exit_internal_error;
  }
}

int report_exception() {
  const int status = status_of_exception();
  try {
    throw;
  } catch (const OptionError& error) {
    return fail(status, "", with_flags(error.what()).c_str(), "\n");
  } catch (const InputError& error) {
    return fail(status, "", error.what(), "\n");
  } catch (const LimitReached& limit) {
    return fail(status, "carl: ", limit.what(), " before there was anything to report\n");
  } catch (const std::bad_alloc&) {
    return report_no_memory();
  } catch (const std::exception& error) {
    return fail(status, "carl: internal error: ", error.what(), "\n");
  }
}

}  // namespace carl::app
