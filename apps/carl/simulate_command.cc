#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "carl/error.h"
#include "carl/io.h"
#include "carl/simulate.h"
#include "commands.h"
#include "histogram.h"
#include "model_options.h"
#include "output.h"
#include "table.h"

namespace carl::app {
namespace {

struct SimulateCommand {
  ModelOptions model;
  SimulateOptions options;
  std::size_t runs = 0;  // 0: not given
  std::vector<std::string> histograms;
  std::string json;
  bool trace = false;
  bool quiet = false;
};

std::string percent(std::size_t part, std::size_t whole) {
  const double share =
      static_cast<double>(part) / static_cast<double>(std::max<std::size_t>(1, whole));
  return fmt::format("{:.1f}%", 100 * share);
}

/// Two digits of it are enough.
std::string half_width(double value) {
  return value < 100 ? fmt::format("± {:.2g}", value) : fmt::format("± {:.0f}", value);
}

std::vector<std::string> row_of(const std::string& name, const Sample& sample) {
  return {name,
          number(sample.exact),
          number(sample.mean),
          half_width(sample.half_width),
          number(sample.median),
          number(sample.percentile_95),
          number(sample.percentile_99),
          number(sample.greatest)};
}

std::string rounding(const Simulation& simulation) {
  double error = simulation.steps.quantile_error;
  for (const Sample& sample : simulation.costs)
    error = std::max(error, sample.quantile_error);
  if (error == 0) return "";
  return fmt::format("  median, p95 and p99 up to {:.1g}%: too many different values to keep all\n",
                     100 * error);
}

std::string samples(const Cssp& cssp, const Simulation& simulation) {
  Table table({"", "exact", "mean", "95%", "median", "p95", "p99", "most"});
  for (std::size_t c = 0; c < cssp.num_costs(); ++c)
    table.add(row_of(cssp.cost_label(c), simulation.costs[c]));
  table.add(row_of("steps", simulation.steps));
  return table.str() + rounding(simulation);
}

std::string budgets(const Cssp& cssp, const Simulation& simulation) {
  if (cssp.bounds().empty()) return "";
  Table table({"bound kept", "by the average", "by a single run"});
  bool all_kept = true;
  for (std::size_t b = 0; b < cssp.bounds().size(); ++b) {
    const Bound& bound = cssp.bounds()[b];
    const bool kept = simulation.costs[bound.cost].exact <= bound.upper + bound_tolerance(bound);
    all_kept = all_kept && kept;
    table.add({fmt::format("{} ≤ {}", cssp.cost_label(bound.cost), number(bound.upper)),
               kept ? "yes" : "no", percent(simulation.within[b], simulation.runs)});
  }
  if (cssp.bounds().size() > 1)
    table.add({"all", all_kept ? "yes" : "no", percent(simulation.within_all, simulation.runs)});
  return "\n" + table.str();
}

std::string histograms(const SimulateCommand& command, const Cssp& cssp,
                       const Simulation& simulation) {
  std::vector<std::string> names = command.histograms;
  if (names.empty()) names.push_back(cssp.cost_names()[0]);
  std::string text;
  for (const std::string& name : names) {
    const auto found = std::find(cssp.cost_names().begin(), cssp.cost_names().end(), name);
    if (found == cssp.cost_names().end())
      throw InputError(fmt::format("--histogram: there is no cost named '{}'", name),
                       fmt::format("the costs are: {}", fmt::join(cssp.cost_names(), ", ")));
    const auto cost = static_cast<std::size_t>(found - cssp.cost_names().begin());
    std::optional<Bound> bound;
    for (const Bound& b : cssp.bounds())
      if (b.cost == cost) bound = b;
    text += fmt::format("\n  {} of single runs\n{}", cssp.cost_label(cost),
                        histogram(simulation.distributions[cost], bound));
  }
  return text;
}

std::string summary(const SimulateCommand& command, const Cssp& cssp,
                    const Simulation& simulation) {
  std::string text =
      fmt::format("{}, seed {}\n\n", count(simulation.runs, "run"), command.options.seed);
  text += samples(cssp, simulation) + budgets(cssp, simulation);
  if (simulation.runs > 1) text += histograms(command, cssp, simulation);
  if (simulation.given_up > 0)
    text +=
        fmt::format("\n  {} of all runs gave up\n", percent(simulation.given_up, simulation.runs));
  if (simulation.runs < command.options.runs)
    text += fmt::format("\n  a limit was reached after {} of {} runs\n", grouped(simulation.runs),
                        grouped(command.options.runs));
  if (simulation.cut_off > 0)
    text += fmt::format("\n  {} cut off after {} steps (--max-steps): the averages are too low\n",
                        count(simulation.cut_off, "run"), grouped(command.options.max_steps));
  return text;
}

/// What the successor has that the state has not, and the other way round.
std::string change(const Cssp& cssp, StateId from, StateId to) {
  const std::vector<std::string> before = cssp.state_facts(from);
  const std::vector<std::string> after = cssp.state_facts(to);
  if (!cssp.model().factored()) return after.front();
  std::vector<std::string> changes;
  for (const std::string& fact : after)
    if (!std::binary_search(before.begin(), before.end(), fact)) changes.push_back("+" + fact);
  for (const std::string& fact : before)
    if (!std::binary_search(after.begin(), after.end(), fact) && !cssp.is_given_up(to))
      changes.push_back("-" + fact);
  return changes.empty() ? "nothing changes" : fmt::format("{}", fmt::join(changes, " "));
}

std::string chance(double probability) {
  return probability < 1 ? fmt::format("  (probability {})", number(probability)) : "";
}

void print_step(const Cssp& cssp, std::size_t number_of_step, const TraceStep& step) {
  show("  {:>4}  {}{}\n", number_of_step, cssp.action_name(step.action),
       chance(step.action_probability));
  show("        {}{}\n", change(cssp, step.state, step.successor),
       chance(step.outcome_probability));
  std::vector<std::string> costs;
  for (std::size_t c = 0; c < step.costs.size(); ++c)
    costs.push_back(fmt::format("{} {}", cssp.cost_label(c), number(step.costs[c])));
  show("        {}\n", fmt::join(costs, ", "));
}

void print_trace(const SimulateCommand& command, Cssp& cssp, const Simulator& simulator,
                 std::size_t run, Monitor& monitor) {
  StateId state = cssp.initial_state();
  show("Run {}\n  in {}\n", run + 1, cssp.state_name(state));
  std::size_t steps = 0;
  simulator.trace(run, command.options, [&](const TraceStep& step) {
    if (!cssp.model().draws_initial_state(step.action)) ++steps;
    print_step(cssp, steps, step);
    state = step.successor;
    return !monitor.reached();
  });
  show("  {} after {}\n\n",
       cssp.is_given_up(state) ? "gave up"
       : cssp.is_goal(state)   ? "goal reached"
                               : "cut off",
       count(steps, "step"));
}

int run(SimulateCommand& command, const std::atomic<bool>& interrupt) {
  Outputs outputs(command.model.paths());
  outputs.announce("--json", command.json);
  Monitor monitor = command.model.monitor(interrupt);
  const std::shared_ptr<Model> model = command.model.read(monitor);
  const PolicyFile policy = command.model.load_policy(monitor);
  Cssp cssp = command.model.problem_of(model, policy.costs, monitor);
  const Simulator simulator(cssp, policy, monitor);
  for (const Finding& finding : simulator.findings()) {
    remark(fmt::format(
        "error: this policy cannot be executed: {}: {}{}\n"
        "  hint: carl check tells all that is wrong with it\n",
        to_string(finding.kind), finding.state.empty() ? "" : finding.state + ": ", finding.what));
    return exit_policy_wanting;
  }
  if (command.runs > 0)
    command.options.runs = command.runs;
  else if (command.trace)
    command.options.runs = 1;
  const bool talks = !command.quiet && !outputs.standard_output_taken();
  if (command.trace && talks)
    for (std::size_t r = 0; r < command.options.runs && !monitor.reached(); ++r) {
      if (!standard_output_has_reader()) break;
      print_trace(command, cssp, simulator, r, monitor);
    }
  const Simulation simulation = simulator.run(command.options, monitor);
  outputs.write(command.json, [&](std::ostream& out) {
    write_simulation(cssp, simulation, command.options, out);
  });
  // There are no averages of a single run, and its trace tells all.
  if (talks && (!command.trace || command.options.runs > 1))
    show("{}", summary(command, cssp, simulation));
  const bool complete = simulation.runs == command.options.runs && simulation.cut_off == 0;
  return outputs.finish(complete ? exit_ok : exit_limit);
}

}  // namespace

void add_simulate(CommandLine& line, const std::atomic<bool>& interrupt) {
  auto command = std::make_shared<SimulateCommand>();
  SimulateOptions& options = command->options;
  Command sub = line.add_command("simulate", "Execute a policy many times");
  command->model.add_to(sub, ModelOptions::Files::model_and_policy);
  sub.option("--runs", command->runs, "How many; 10000 if not given, 1 with --trace")
      .check(whole_number(1, 1'000'000'000))
      .type_name("NUMBER");
  sub.option("--seed", options.seed, "Other numbers, other runs")
      .check(whole_number())
      .type_name("NUMBER")
      .show_default();
  add_threads(sub, options.threads);
  sub.option("--max-steps", options.max_steps, "Cut a run off after so many")
      .check(whole_number(1, 2'000'000'000))
      .type_name("NUMBER")
      .show_default();
  sub.flag("--trace", command->trace, "Print every run step by step");
  sub.option("--histogram", command->histograms,
             "Show how this cost is distributed over the runs; the primary one if not given")
      .type_name("COST")
      .one_value_each();
  sub.option("--json", command->json, "Write the figures as JSON ('-': standard output)")
      .type_name("FILE");
  sub.flag("--quiet,-q", command->quiet, "No summary");
  sub.footer(
      "Bounds are kept on average; a single run may exceed them. This shows how often.\n\n"
      "Examples:\n"
      "  carl simulate domain.pddl problem.pddl policy.json --runs 100000 --seed 7\n"
      "  carl simulate model.json policy.json --trace --runs 3\n"
      "  carl simulate model.json policy.json --histogram fuel\n\n"
      "Exit status: 0 done, 3 a limit was reached or a run cut off, 12 the policy cannot be\n"
      "executed (see carl check), 2 bad input.");
  sub.on_run([command, &interrupt] { return run(*command, interrupt); });
}

}  // namespace carl::app
