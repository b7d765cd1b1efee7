// The commands of `carl`. Each adds itself to the command line, with what to run if it is the one
// given.
#ifndef CARL_APPS_COMMANDS_H
#define CARL_APPS_COMMANDS_H

#include <atomic>
#include <functional>
#include <string>

#include "carl/io.h"
#include "carl/solve.h"
#include "command_line.h"

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

/// Who answers `carl solve`, where it is not the library alone.
struct SolveEngine {
  /// If the model was read in shares the policy is written here, to the file named, in parts; see
  /// policy_parts.h.
  std::function<Solution(Cssp&, const SolveOptions&, Monitor&, const std::string& policy)> solve;
  /// For what this engine cannot do: calls the function given, where there is somebody to show it.
  std::function<Solution(const std::function<Solution()>&)> leave_to_library;
  /// False if this process only takes part, and another one shows the answer.
  bool shows = true;
  LoadShare share = {};
};

/// `interrupt` becomes true on Ctrl-C.
void add_solve_by(const SolveEngine& engine, CommandLine& line, const std::atomic<bool>& interrupt);
void add_solve(CommandLine& line, const std::atomic<bool>& interrupt);
void add_act(CommandLine& line, const std::atomic<bool>& interrupt);
void add_check(CommandLine& line, const std::atomic<bool>& interrupt);
void add_simulate(CommandLine& line, const std::atomic<bool>& interrupt);
void add_sweep(CommandLine& line, const std::atomic<bool>& interrupt);
void add_pareto(CommandLine& line, const std::atomic<bool>& interrupt);
void add_explain(CommandLine& line, const std::atomic<bool>& interrupt);
void add_info(CommandLine& line, const std::atomic<bool>& interrupt);
void add_convert(CommandLine& line, const std::atomic<bool>& interrupt);
void add_report(CommandLine& line, const std::atomic<bool>& interrupt);
void add_studio(CommandLine& line, const std::atomic<bool>& interrupt);
void add_completion(CommandLine& line, const std::atomic<bool>& interrupt);
void add_generate(CommandLine& line, const std::atomic<bool>& interrupt);

}  // namespace carl::app

#endif
