// The command line: picks the command and runs it.

#include <unistd.h>

#include <atomic>
#include <string>
#include <vector>

#include "command_line.h"
#include "commands.h"
#include "output.h"
#include "program.h"

namespace {

using namespace carl::app;

// Signal handlers can reach nothing but globals.
std::atomic<bool> interrupted{false};

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

}  // namespace

int main(int argc, char** argv) {
  begin_program(interrupted);
  try {
    return run({argv + (argc > 0 ? 1 : 0), argv + argc});
  } catch (...) {
    return report_exception();
  }
}
