// The command line: picks the command, catches errors once, turns them into exit statuses.

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "carl/error.h"
#include "carl/monitor.h"
#include "carl/options.h"
#include "command_line.h"
#include "commands.h"
#include "flags.h"
#include "output.h"

namespace {

using namespace carl::app;

// Signal handlers can reach nothing but globals.
std::atomic<bool> interrupted{false};

extern "C" void on_interrupt(int /*signal*/) {
  interrupted.store(true, std::memory_order_relaxed);
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

int run(const std::vector<std::string>& arguments) {
  CommandLine line(
      "Optimal policies for constrained stochastic shortest path problems: reach the goal at the "
      "least expected primary cost while expected secondary costs stay within bounds.",
      "carl " CARL_VERSION, "carl help COMMAND, or carl COMMAND --help, explains each command.");
  for (const auto& add :
       {add_solve, add_check, add_simulate, add_act, add_sweep, add_pareto, add_explain, add_report,
        add_studio, add_info, add_convert, add_generate, add_completion})
    add(line, interrupted);
  if (const auto text = line.parse(arguments, Style::of(STDOUT_FILENO))) {
    show("{}", *text);
    return exit_ok;
  }
  return line.run();
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

int out_of_memory() {
  return fail(exit_limit, "error: ", "out of memory",
              "\n  hint: --memory-limit ends a search earlier, with the best policy so far\n");
}

/// Called where memory runs out. Not all libraries survive an exception at any such point (hash
/// tables and destructors among them), so this is the end; files are whole or not there.
[[noreturn]] void on_no_memory() {
  std::_Exit(out_of_memory());
}

}  // namespace

int main(int argc, char** argv) {
  watch_signals();
  std::set_new_handler(on_no_memory);
  occupy_standard_descriptors();
  try {
    return run({argv + (argc > 0 ? 1 : 0), argv + argc});
  } catch (const carl::OptionError& error) {
    return fail(exit_bad_input, "", with_flags(error.what()).c_str(), "\n");
  } catch (const carl::InputError& error) {
    return fail(exit_bad_input, "", error.what(), "\n");
  } catch (const carl::LimitReached& limit) {
    return fail(exit_limit, "carl: ", limit.what(), " before there was anything to report\n");
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  } catch (const std::exception& error) {
    return fail(exit_internal_error, "carl: internal error: ", error.what(), "\n");
  }
}
