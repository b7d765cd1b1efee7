#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "carl/error.h"
#include "carl/explain.h"
#include "carl/io.h"
#include "commands.h"
#include "model_options.h"
#include "output.h"
#include "progress_line.h"
#include "search_options.h"
#include "summary.h"
#include "table.h"

namespace carl::app {
namespace {

struct ExplainCommand {
  ModelOptions model;
  SolveOptions options;
  std::string policy;
  std::string json;
  std::size_t spenders = ExplainRequest{}.spenders;
  std::size_t most_visited = 0;
  bool no_ranges = false;
  std::string progress = "auto";
  bool quiet = false;
};

/// "(b) (a)" -> "(a) (b)": facts in the order in which states have them.
std::string normalised(const std::string& state) {
  if (!state.starts_with('(')) return state;
  std::vector<std::string> facts;
  for (std::size_t open = state.find('('); open != state.npos; open = state.find('(', open + 1)) {
    const std::size_t close = state.find(')', open);
    facts.push_back(state.substr(open, close == state.npos ? close : close - open + 1));
  }
  std::sort(facts.begin(), facts.end());
  return fmt::format("{}", fmt::join(facts, " "));
}

/// The problem is the one that was solved: with the bounds of the result.
void apply_bounds(const ResultFile& result, Cssp& cssp) {
  for (const std::string& cost : cssp.cost_names()) {
    const auto bound = std::find_if(result.constraints.begin(), result.constraints.end(),
                                    [&](const auto& one) { return one.cost == cost; });
    cssp.set_bound(cost, bound == result.constraints.end() ? std::numeric_limits<double>::infinity()
                                                           : bound->bound);
  }
}

/// As far as they are exact.
std::vector<double> multipliers_of(const ResultFile& result, const Cssp& cssp) {
  std::vector<double> multipliers;
  if (!result.gap || *result.gap > 1e-6) return multipliers;
  for (const Bound& bound : cssp.bounds())
    for (const ResultFile::Constraint& constraint : result.constraints)
      if (constraint.cost == cssp.cost_names()[bound.cost] && constraint.multiplier)
        multipliers.push_back(*constraint.multiplier);
  return multipliers;
}

void compare(const ResultFile& result, const std::string& name, const Explanation& explanation) {
  if (!result.objective || explanation.costs.empty()) return;
  const double gap = std::max(1e-6, result.gap.value_or(1.0));
  if (std::abs(*result.objective - explanation.costs[0]) <=
      1.01 * gap * std::max(*result.objective, explanation.costs[0]) + 1e-12)
    return;
  throw InputError(fmt::format("'{}' is the result of another problem: it says {}, not {}", name,
                               number(*result.objective), number(explanation.costs[0])),
                   "give the same model and penalties as when it was solved");
}

// --- text -----------------------------------------------------------------------------------------

std::string optional_number(const std::optional<double>& value) {
  return value ? number(*value) : "–";
}

std::string actions_of(const Cssp& cssp, const StateExplanation& state) {
  std::vector<std::string> header{"action", "policy", "loss"};
  for (std::size_t c = 0; c < cssp.num_costs(); ++c)
    header.push_back(cssp.cost_names()[c]);
  Table table(std::move(header));
  for (const Alternative& action : state.actions) {
    std::vector<std::string> row{
        cssp.action_name(action.action),
        action.probability > 0 ? fmt::format("{}%", number(100 * action.probability)) : "",
        optional_number(action.loss)};
    for (std::size_t c = 0; c < cssp.num_costs(); ++c)
      row.push_back(action.costs ? number(shown_value(cssp, c, (*action.costs)[c])) : "–");
    table.add(std::move(row));
  }
  return table.str();
}

std::string reasons_of(const Cssp& cssp, const StateExplanation& state) {
  if (!state.without_bounds || cssp.bounds().empty()) return "";
  const std::string free = cssp.action_name(*state.without_bounds);
  const bool same =
      std::any_of(state.actions.begin(), state.actions.end(), [&](const Alternative& action) {
        return action.action == *state.without_bounds && action.loss && *action.loss == 0;
      });
  std::string text = same ? fmt::format("Without any bound {} would be best, too.\n", free)
                          : fmt::format("Without any bound {} would be best.\n", free);
  for (const auto& [bound, action] : state.decisive)
    text += fmt::format("The bound on {} makes the difference: without it {} would be best.\n",
                        cssp.cost_label(cssp.bounds()[bound].cost), cssp.action_name(action));
  return text;
}

std::string state_text(const Cssp& cssp, const StateExplanation& state) {
  const std::string visits = state.visits > 0
                                 ? fmt::format("expected visits {}", number(state.visits))
                                 : "which the policy does not get to";
  return fmt::format("In {}, {}:\n", cssp.state_name(state.state), visits) +
         actions_of(cssp, state) + reasons_of(cssp, state);
}

std::string prices_of(const Cssp& cssp, const Explanation& explanation) {
  if (explanation.ranges.empty()) return "";
  Table table({"bound", "price", "holds from", "to"});
  for (const PriceRange& range : explanation.ranges)
    table.add({bound_text(cssp, cssp.bounds()[range.bound]), number(range.price),
               number(range.from),
               range.to < std::numeric_limits<double>::infinity() ? number(range.to) : "∞"});
  return fmt::format("\nWhat one more unit of a bound saves ({}):\n", cssp.cost_names()[0]) +
         table.str();
}

std::string spending_of(const Cssp& cssp, const Explanation& explanation) {
  std::string text;
  for (const Bound& bound : cssp.bounds()) {
    const std::vector<Spending>& spent = explanation.spending[bound.cost];
    if (spent.empty()) continue;
    Table table({"state", "visits", cssp.cost_label(bound.cost), "share"});
    for (const Spending& one : spent)
      table.add({cssp.state_name(one.state), number(one.visits), number(one.amount),
                 fmt::format("{:.1f}%", 100 * one.amount / explanation.costs[bound.cost])});
    text += fmt::format("\nWhere {} goes:\n", cssp.cost_label(bound.cost)) + table.str();
  }
  return text;
}

std::string summary(const Cssp& cssp, const Explanation& explanation) {
  if (explanation.status != Status::optimal)
    return fmt::format("There is no optimal policy to explain: {}{}\n",
                       to_string(explanation.status),
                       explanation.note.empty() ? "" : " (" + explanation.note + ")");
  std::string text;
  for (const StateExplanation& state : explanation.states)
    text += (text.empty() ? "" : "\n") + state_text(cssp, state);
  return text + prices_of(cssp, explanation) + spending_of(cssp, explanation);
}

int run(ExplainCommand& command, const std::atomic<bool>& interrupt) {
  std::vector<std::string> inputs = command.model.paths();
  inputs.push_back(command.policy);
  Outputs outputs(inputs);
  outputs.announce("--json", command.json);
  Monitor monitor = command.model.monitor(interrupt);
  ProgressLine line(command.progress, monitor);
  Cssp cssp = command.model.load(monitor);
  const ResultFile result = read_result(command.model.result(), monitor);
  apply_bounds(result, cssp);
  ExplainRequest request;
  if (const auto state = command.model.state()) request.states.push_back(normalised(*state));
  if (!command.policy.empty())
    request.policy = resolve_policy(cssp, read_policy(command.policy, monitor), monitor);
  request.multipliers = multipliers_of(result, cssp);
  request.most_visited = command.most_visited;
  request.ranges = !command.no_ranges;
  request.spenders = command.spenders;
  const Explanation explanation = explain(cssp, request, command.options, monitor);
  line.end();
  compare(result, command.model.result(), explanation);
  outputs.write(command.json,
                [&](std::ostream& out) { write_explanation(cssp, explanation, out); });
  if (!command.quiet && !outputs.standard_output_taken()) show("{}", summary(cssp, explanation));
  return outputs.finish(exit_status(explanation.status));
}

}  // namespace

void add_explain(CommandLine& line, const std::atomic<bool>& interrupt) {
  auto command = std::make_shared<ExplainCommand>();
  Command sub = line.add_command("explain", "Why a policy does what it does");
  command->model.add_to(sub, ModelOptions::Files::model_result_and_state);
  sub.group("Method");
  add_scalarised_options(sub, command->options);
  sub.group("Options");
  sub.option("--policy", command->policy,
             "The policy that belongs to the result; without it an optimal one is found")
      .type_name("FILE");
  sub.option("--most-visited", command->most_visited,
             "Explain so many of the states that are visited most")
      .check(whole_number(1))
      .type_name("NUMBER");
  sub.option("--spenders", command->spenders, "How many states to name that cost most")
      .check(whole_number(0))
      .type_name("NUMBER")
      .show_default();
  sub.flag("--no-ranges", command->no_ranges, "Do not find out over which range prices hold");
  sub.option("--json", command->json,
             "Write the explanation as JSON ('-': standard output), for 'carl report "
             "--explanation'")
      .type_name("FILE");
  add_progress(sub, command->progress);
  sub.flag("--quiet,-q", command->quiet, "No text");
  sub.footer(
      "Examples:\n"
      "  carl explain domain.pddl problem.pddl result.json\n"
      "  carl explain model.json result.json s3 --policy policy.json\n\n"
      "The loss of an action is what is lost by taking it once, in units of the cost that is\n"
      "minimised, where each bounded cost counts by its shadow price.\n\n"
      "Exit status: as of 'carl solve'.");
  sub.on_run([command, &interrupt] { return run(*command, interrupt); });
}

}  // namespace carl::app
