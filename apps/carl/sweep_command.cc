#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "carl/error.h"
#include "carl/io.h"
#include "carl/sweep.h"
#include "commands.h"
#include "model_options.h"
#include "output.h"
#include "progress_line.h"
#include "search_options.h"
#include "summary.h"
#include "table.h"

namespace carl::app {
namespace {

struct SweepCommand {
  ModelOptions model;
  SolveOptions options;
  std::string json;
  std::string csv;
  std::string plot;
  std::string progress = "auto";
  bool quiet = false;
};

std::string optional_number(const std::optional<double>& value) {
  return value ? number(*value) : "";
}

std::string label_of(const Cssp& cssp, const std::string& cost) {
  const auto& names = cssp.cost_names();
  return cssp.cost_label(
      static_cast<std::size_t>(std::find(names.begin(), names.end(), cost) - names.begin()));
}

/// An unsettled point has its optimum somewhere in between.
std::string objective_of(const Cssp& cssp, const SweepPoint& point) {
  if (!point.objective) return "";
  const double found = shown_value(cssp, 0, *point.objective);
  if (point.status == Status::optimal) return number(found);
  const double limit = shown_value(cssp, 0, *point.lower_bound);
  return fmt::format("{} … {}", number(std::min(found, limit)), number(std::max(found, limit)));
}

std::string points_of(const Cssp& cssp, const Sweep& sweep, const SweepCurve& curve) {
  Table table(
      {label_of(cssp, sweep.cost) + " ≤", "status", cssp.cost_names()[0], "shadow price", "piece"});
  for (const SweepPoint& point : curve.points)
    table.add({number(point.bound), std::string(to_string(point.status)), objective_of(cssp, point),
               optional_number(point.multiplier),
               point.piece ? std::to_string(*point.piece + 1) : ""});
  return table.str();
}

std::string breakpoints_of(const Cssp& cssp, const Sweep& sweep, const SweepCurve& curve) {
  if (curve.breakpoints.empty()) return "";
  Table table({label_of(cssp, sweep.cost) + " =", cssp.cost_names()[0], "slope before", "after"});
  for (const SweepBreakpoint& breakpoint : curve.breakpoints)
    table.add({number(breakpoint.bound), number(shown_value(cssp, 0, breakpoint.objective)),
               breakpoint.slope_before ? number(shown_value(cssp, 0, *breakpoint.slope_before))
                                       : "infeasible",
               number(shown_value(cssp, 0, breakpoint.slope))});
  return "\nBreakpoints:\n" + table.str();
}

std::string ends_of(const SweepCurve& curve) {
  std::string text;
  if (curve.infeasible_below)
    text = fmt::format("Below {} there is no policy", number(*curve.infeasible_below));
  if (curve.slack_above)
    text += fmt::format("{} {} the bound does not matter", text.empty() ? "From" : "; from",
                        number(*curve.slack_above));
  return text.empty() ? "" : "\n" + text + ".\n";
}

std::string effort_of(const Sweep& sweep) {
  std::string text = fmt::format("\nsweep: {}, {} for all of it",
                                 count(sweep.statistics.scalarised_ssps, "scalarised problem"),
                                 duration(sweep.statistics.seconds.total));
  if (sweep.first_point)
    text += fmt::format("; {}, {} for the first point alone",
                        count(sweep.first_point->scalarised_ssps, "scalarised problem"),
                        duration(sweep.first_point->seconds));
  return text + "\n";
}

std::string headline(const Sweep& sweep) {
  switch (sweep.status) {
    case Status::infeasible:
      return "Infeasible: no policy meets the bounds at any of the points\n\n";
    case Status::no_proper_policy:
      return "No proper policy: the goal cannot be reached for certain\n"
             "  try --give-up, which puts a price on not reaching it\n\n";
    case Status::limit:
    case Status::interrupted:
      return fmt::format("Not finished: {}\n\n", sweep.note);
    case Status::optimal:
      break;
  }
  return "";
}

std::string summary(const Cssp& cssp, const Sweep& sweep) {
  std::string text = headline(sweep);
  if (sweep.status == Status::no_proper_policy) return text;
  for (const SweepCurve& curve : sweep.curves) {
    if (&curve != &sweep.curves.front()) text += "\n";
    if (curve.second)
      text += fmt::format("{} ≤ {}:\n", label_of(cssp, *sweep.second_cost), number(*curve.second));
    text += points_of(cssp, sweep, curve) + breakpoints_of(cssp, sweep, curve) + ends_of(curve);
  }
  return text + effort_of(sweep);
}

int run(SweepCommand& command, const std::atomic<bool>& interrupt) {
  const std::vector<SweepRange> ranges = command.model.take_ranges();
  if (ranges.empty() || ranges.size() > 2)
    throw InputError(fmt::format("sweep varies one bound or two, not {}", ranges.size()),
                     "give a range as --bound COST=FROM:TO:STEP, for example --bound fuel=5:20:1");
  std::optional<SweepRange> second;
  if (ranges.size() == 2) second = ranges[1];
  Outputs outputs(command.model.paths());
  outputs.announce("--json", command.json);
  outputs.announce("--csv", command.csv);
  outputs.announce("--plot", command.plot);
  Monitor monitor = command.model.monitor(interrupt);
  ProgressLine line(command.progress, monitor);
  Cssp cssp = command.model.load(monitor);
  command.options.seed = command.model.seed();
  const Sweep sweep = carl::sweep(cssp, ranges[0], second, command.options, monitor);
  line.end();
  const auto write = [&](const std::string& path, const auto& writer) {
    outputs.write(path, [&](std::ostream& out) { writer(cssp, sweep, out); });
  };
  write(command.json, write_sweep);
  write(command.csv, write_sweep_csv);
  write(command.plot, write_sweep_plot);
  if (command.quiet || outputs.standard_output_taken())
    return outputs.finish(exit_status(sweep.status));
  show("{}", summary(cssp, sweep));
  return outputs.finish(exit_status(sweep.status));
}

}  // namespace

void add_sweep(CommandLine& line, const std::atomic<bool>& interrupt) {
  auto command = std::make_shared<SweepCommand>();
  Command sub = line.add_command("sweep", "The optimal cost as a bound varies");
  command->model.add_to(sub);
  sub.existing("--bound")
      .description(
          "A range of values for the bound to vary, one or two of them (without STEP: "
          "ten steps); or one value, as for solve")
      .type_name("COST=FROM:TO:STEP");
  sub.group("Method");
  add_scalarised_options(sub, command->options);
  sub.option("--gap", command->options.gap,
             "Relative gap within which a point is optimal; 1e-9 is aimed at")
      .type_name("NUMBER")
      .check(non_negative_number())
      .show_default();
  sub.group("Output");
  sub.option("--csv", command->csv, "Write the points as CSV ('-': standard output)")
      .type_name("FILE");
  sub.option("--json", command->json,
             "Write points and breakpoints as JSON ('-': standard output), for "
             "'carl report --sweep'")
      .type_name("FILE");
  sub.option("--plot", command->plot, "Write a picture as SVG ('-': standard output)")
      .type_name("FILE");
  add_progress(sub, command->progress);
  sub.flag("--quiet,-q", command->quiet, "No table");
  sub.footer(
      "Examples:\n"
      "  carl sweep domain.pddl problem.pddl --bound fuel=5:20:1 --plot fuel.svg\n"
      "  carl sweep model.json --bound fuel=5:20 --bound risk=1:5:1 --csv points.csv\n\n"
      "Exit status: 0 all points are settled, 10 all of them are infeasible, 11 no proper policy,\n"
      "3 a limit was reached or it was interrupted, 2 bad input, 1 internal error.");
  sub.on_run([command, &interrupt] { return run(*command, interrupt); });
}

}  // namespace carl::app
