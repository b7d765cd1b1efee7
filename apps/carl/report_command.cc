#include <fmt/format.h>

#include <memory>
#include <optional>
#include <sstream>

#include "carl/error.h"
#include "carl/io.h"
#include "carl/problem.h"
#include "carl/solve.h"
#include "commands.h"
#include "model_options.h"
#include "output.h"
#include "progress_line.h"
#include "search_options.h"

namespace carl::app {
namespace {

struct ReportCommand {
  ModelOptions model;
  SolveOptions options;
  std::string output;
  std::string policy;
  std::string result;
  std::string sweep;
  std::string front;
  std::string explanation;
  std::size_t max_states = Report{}.max_states;
  std::size_t runs = Report{}.runs;
  std::string progress = "auto";
};

/// Solves the problem for the report.
Cssp solve_for(const ReportCommand& command, const std::shared_ptr<Model>& model,
               const LoadTimes& times, Monitor& monitor, Report& report, Status& status) {
  SolveOptions options = command.options;
  options.seed = command.model.seed();
  options.mixture_policies = true;
  SolvedProblem solved = solve_problem(model, command.model.cssp_options(), options, monitor);
  Solution& solution = solved.solution;
  solution.statistics.seconds.parse = times.parse;
  solution.statistics.seconds.ground = times.ground;
  solution.statistics.seconds.total += times.parse + times.ground;
  std::ostringstream result;
  write_result(solved.problem, solution, result);
  report.result = {"the result", result.str()};
  if (solution.costs) report.policy = std::move(solution.policy);
  if (solution.mixture.size() > 1) report.mixture = std::move(solution.mixture);
  status = solution.status;
  return std::move(solved.problem);
}

int run(const ReportCommand& command, const std::atomic<bool>& interrupt) {
  if (command.policy.empty() && !command.result.empty())
    throw InputError("--result needs --policy as well",
                     "leave out both, and the problem is solved for the report");
  if (!command.policy.empty() && command.result.empty())
    throw InputError("--policy needs --result as well",
                     "'carl solve --policy FILE --json FILE' writes both");
  std::vector<std::string> inputs = command.model.paths();
  inputs.insert(inputs.end(), {command.policy, command.result, command.sweep, command.front,
                               command.explanation});
  Outputs outputs(inputs);
  outputs.announce("--output", command.output);
  Monitor monitor = command.model.monitor(interrupt);
  ProgressLine line(command.progress, monitor);
  LoadTimes times;
  const std::shared_ptr<Model> model = command.model.read(monitor, &times);
  std::optional<Cssp> cssp;
  Report report;
  report.title = times.title.empty() ? command.model.short_title() : times.title;
  report.generator = "carl " CARL_VERSION;
  report.max_states = command.max_states;
  report.runs = command.runs;
  if (!command.sweep.empty()) report.sweep = {command.sweep, read_text(command.sweep, monitor)};
  if (!command.front.empty()) report.front = {command.front, read_text(command.front, monitor)};
  if (!command.explanation.empty())
    report.explanation = {command.explanation, read_text(command.explanation, monitor)};
  int status = exit_ok;
  if (command.policy.empty()) {
    Status of_solution = Status::limit;
    cssp = solve_for(command, model, times, monitor, report, of_solution);
    status = exit_status(of_solution);
  } else {
    const PolicyFile policy = read_policy(command.policy, monitor);
    cssp = command.model.problem_of(model, policy.costs, monitor);
    report.policy = resolve_policy(*cssp, policy, monitor);
    report.result = {command.result, read_text(command.result, monitor)};
  }
  line.end();
  // A limit that ended the solve must not keep what it found from being shown.
  Monitor none;
  outputs.write(command.output, [&](std::ostream& out) { write_report(*cssp, report, out, none); });
  return outputs.finish(status);
}

}  // namespace

void add_report(CommandLine& line, const std::atomic<bool>& interrupt) {
  auto command = std::make_shared<ReportCommand>();
  Command sub =
      line.add_command("report", "Write a page that shows a solution in any browser (.html)");
  command->model.add_to(sub);
  const std::vector<Option> search_options = add_search_options(sub, command->options);
  sub.group("Output");
  sub.option("--output,-o", command->output, "Where to ('-': standard output)")
      .required()
      .type_name("FILE");
  Option policy =
      sub.option("--policy", command->policy, "Show this policy instead of solving the problem")
          .type_name("FILE");
  for (const Option& option : search_options)
    policy.excludes(option);
  sub.option("--result", command->result, "The result that belongs to that policy")
      .type_name("FILE");
  sub.option("--sweep", command->sweep, "Add the trade-off curve that 'carl sweep' has written")
      .type_name("FILE");
  sub.option("--front", command->front, "Add the front that 'carl pareto --json' has written")
      .type_name("FILE");
  sub.option("--explanation", command->explanation,
             "Add what 'carl explain --json' has written to the details of its states")
      .type_name("FILE");
  sub.option("--max-states", command->max_states,
             "Of larger policies only the most visited states are in the page")
      .check(whole_number(1))
      .type_name("NUMBER")
      .show_default();
  sub.option("--runs", command->runs,
             "Runs to make, to show how often one exceeds its budgets; 0: none")
      .check(whole_number(0, 1'000'000))
      .type_name("NUMBER")
      .show_default();
  add_progress(sub, command->progress);
  sub.footer("Exit status: as of 'carl solve'; 0 if --policy is given.");
  sub.on_run([command, &interrupt] { return run(*command, interrupt); });
}

}  // namespace carl::app
