#include <fmt/format.h>

#include <memory>
#include <sstream>

#include "carl/error.h"
#include "carl/io.h"
#include "carl/solve.h"
#include "commands.h"
#include "model_options.h"
#include "output.h"
#include "progress_line.h"

namespace carl::app {
namespace {

struct ReportCommand {
  ModelOptions model;
  std::string output;
  std::string policy;
  std::string result;
  std::string sweep;
  std::size_t max_states = Report{}.max_states;
  std::string progress = "auto";
};

/// Solves the problem for the report.
Status solve_for(const ReportCommand& command, Cssp& cssp, const LoadTimes& times, Monitor& monitor,
                 Report& report) {
  SolveOptions options;
  options.seed = command.model.seed();
  ProgressLine line(command.progress);
  monitor.set_listener([&](const Progress& progress) { line.show(progress); });
  Solution solution = solve(cssp, options, monitor);
  monitor.set_listener({});
  line.clear();
  solution.statistics.seconds.parse = times.parse;
  solution.statistics.seconds.ground = times.ground;
  solution.statistics.seconds.total += times.parse + times.ground;
  std::ostringstream result;
  write_result(cssp, solution, result);
  report.result = {"the result", result.str()};
  if (solution.costs) report.policy = std::move(solution.policy);
  return solution.status;
}

int run(const ReportCommand& command, const std::atomic<bool>& interrupt) {
  if (command.policy.empty() && !command.result.empty())
    throw InputError("--result needs --policy as well",
                     "leave out both, and the problem is solved for the report");
  if (!command.policy.empty() && command.result.empty())
    throw InputError("--policy needs --result as well",
                     "'carl solve --policy FILE --json FILE' writes both");
  std::vector<std::string> inputs = command.model.paths();
  inputs.insert(inputs.end(), {command.policy, command.result, command.sweep});
  Outputs outputs(inputs);
  outputs.announce("--output", command.output);
  Monitor monitor = command.model.monitor(interrupt);
  LoadTimes times;
  Cssp cssp = command.model.load(monitor, &times);
  Report report;
  report.title = command.model.title();
  report.generator = "carl " CARL_VERSION;
  report.max_states = command.max_states;
  if (!command.sweep.empty()) report.sweep = {command.sweep, read_text(command.sweep, monitor)};
  int status = exit_ok;
  if (command.policy.empty()) {
    status = exit_status(solve_for(command, cssp, times, monitor, report));
  } else {
    report.policy = resolve_policy(cssp, read_policy(command.policy, monitor), monitor);
    report.result = {command.result, read_text(command.result, monitor)};
  }
  // A limit that ended the solve must not keep what it found from being shown.
  Monitor none;
  outputs.write(command.output, [&](std::ostream& out) { write_report(cssp, report, out, none); });
  return outputs.finish(status);
}

}  // namespace

void add_report(CommandLine& line, const std::atomic<bool>& interrupt) {
  auto command = std::make_shared<ReportCommand>();
  Command sub =
      line.add_command("report", "Write a page that shows a solution in any browser (.html)");
  command->model.add_to(sub);
  sub.option("--output,-o", command->output, "Where to ('-': standard output)")
      .required()
      .type_name("FILE");
  sub.option("--policy", command->policy, "Show this policy instead of solving the problem")
      .type_name("FILE");
  sub.option("--result", command->result, "The result that belongs to that policy")
      .type_name("FILE");
  sub.option("--sweep", command->sweep, "Add the trade-off curve that 'carl sweep' has written")
      .type_name("FILE");
  sub.option("--max-states", command->max_states,
             "Of larger policies only the most visited states are in the page")
      .check(whole_number(1))
      .type_name("NUMBER")
      .show_default();
  sub.option("--progress", command->progress, "A live line on the terminal")
      .check(one_of({"auto", "always", "never"}))
      .show_default();
  sub.footer("Exit status: as of 'carl solve'; 0 if --policy is given.");
  sub.on_run([command, &interrupt] { return run(*command, interrupt); });
}

}  // namespace carl::app
