// The command line: picks the command, catches errors once, turns them into exit statuses.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <utility>
#include <vector>

#include "carl/error.h"
#include "carl/limits.h"
#include "commands.h"

namespace {

using namespace carl::app;

// Signal handlers can reach nothing but globals.
std::atomic<bool> interrupted{false};

extern "C" void on_interrupt(int signal) {
  interrupted.store(true, std::memory_order_relaxed);
  std::signal(signal, SIG_DFL);  // a second Ctrl-C ends the program at once
}

int run(int argc, char** argv) {
  CLI::App app{
      "Optimal policies for constrained stochastic shortest path problems: reach the goal at the\n"
      "least expected primary cost while expected secondary costs stay within bounds."};
  app.name("carl");
  app.set_version_flag("--version", "carl " CARL_VERSION);
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::simple);
  app.footer("carl COMMAND --help explains each command.");

  std::vector<std::pair<CLI::App*, Run>> commands;
  for (const auto& add : {add_solve, add_check, add_simulate, add_sweep, add_report, add_info,
                          add_convert, add_generate}) {
    Run command = add(app, interrupted);
    commands.emplace_back(app.get_subcommands({}).back(), std::move(command));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? exit_ok : exit_bad_input;
  }
  for (const auto& [subcommand, command] : commands)
    if (subcommand->parsed()) return command();
  return exit_bad_input;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  try {
    return run(argc, argv);
  } catch (const carl::InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return exit_bad_input;
  } catch (const carl::LimitReached& limit) {
    fmt::print(stderr, "carl: {} before there was anything to report\n", limit.what());
    return exit_limit;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "carl: out of memory\n");
    return exit_limit;
  } catch (const std::exception& error) {
    fmt::print(stderr, "carl: internal error: {}\n", error.what());
    return exit_internal_error;
  }
}
