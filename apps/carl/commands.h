// The commands of `carl`. Each adds its sub-command to the parser and returns what to run if it is
// the one given; what it returns is the exit status.
#ifndef CARL_APPS_COMMANDS_H
#define CARL_APPS_COMMANDS_H

#include <CLI/CLI.hpp>
#include <atomic>
#include <functional>

#include "carl/solution.h"

namespace carl::app {

/// Exit statuses, the same for all commands.
enum ExitStatus {
  exit_ok = 0,
  exit_internal_error = 1,
  exit_bad_input = 2,
  exit_limit = 3,
  exit_infeasible = 10,
  exit_no_proper_policy = 11,
  exit_policy_wanting = 12,
};

/// Of a command that solves.
int exit_status(Status status);

using Run = std::function<int()>;

/// `interrupt` becomes true on Ctrl-C.
Run add_solve(CLI::App& app, const std::atomic<bool>& interrupt);
Run add_check(CLI::App& app, const std::atomic<bool>& interrupt);
Run add_simulate(CLI::App& app, const std::atomic<bool>& interrupt);
Run add_sweep(CLI::App& app, const std::atomic<bool>& interrupt);
Run add_info(CLI::App& app, const std::atomic<bool>& interrupt);
Run add_convert(CLI::App& app, const std::atomic<bool>& interrupt);
Run add_report(CLI::App& app, const std::atomic<bool>& interrupt);
Run add_generate(CLI::App& app, const std::atomic<bool>& interrupt);

}  // namespace carl::app

#endif
