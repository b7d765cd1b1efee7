#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "carl/error.h"
#include "carl/io.h"
#include "carl/pareto.h"
#include "carl/question.h"
#include "commands.h"
#include "model_options.h"
#include "output.h"
#include "progress_line.h"
#include "search_options.h"
#include "summary.h"
#include "table.h"

namespace carl::app {
namespace {

struct ParetoCommand {
  ModelOptions model;
  SolveOptions options;
  ParetoRequest request;
  std::string costs;
  std::string json;
  std::string csv;
  std::string plot;
  std::string policy;
  std::size_t vertex = 0;
  bool no_policies = false;
  std::string progress = "auto";
  bool quiet = false;
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> names;
  std::size_t from = 0;
  while (true) {
    const std::size_t comma = text.find(',', from);
    names.push_back(text.substr(from, comma - from));
    if (comma == text.npos) return names;
    from = comma + 1;
  }
}

/// A cost, if it is what a property speaks of.
const Objective* objective_of(const Cssp& cssp, std::size_t cost) {
  const Question* question = cssp.model().question();
  if (question == nullptr) return nullptr;
  for (const Objective& objective : question->objectives)
    if (objective.cost == cost) return &objective;
  return nullptr;
}

std::string name_of(const Cssp& cssp, std::size_t cost) {
  const Objective* objective = objective_of(cssp, cost);
  return objective != nullptr ? objective->formula : cssp.cost_names()[cost];
}

double value_of(const Cssp& cssp, std::size_t cost, double value) {
  const Objective* objective = objective_of(cssp, cost);
  return objective != nullptr ? objective->value(value) : shown_value(cssp, cost, value);
}

/// What a property is to be traded off for, unless costs were named.
std::vector<std::string> costs_of(const Cssp& cssp, const std::string& named) {
  if (!named.empty()) return split(named);
  const Question* question = cssp.model().question();
  if (question == nullptr) throw InputError("--costs is missing", "for example --costs time,fuel");
  if (question->kind != Question::Kind::front)
    throw InputError("the property does not ask for two things at once",
                     "a front is between what has min=? or max=?, two of them or more; for others "
                     "there is carl solve");
  std::vector<std::string> names;
  for (const Objective& objective : question->objectives)
    if (!objective.is_bound()) names.push_back(cssp.cost_names()[objective.cost]);
  return names;
}

/// The costs of the front, then the others.
std::vector<std::size_t> columns(const Cssp& cssp, const ParetoFront& front) {
  std::vector<std::size_t> order = front.costs;
  if (const Question* question = cssp.model().question()) {
    for (const Objective& objective : question->objectives)
      if (objective.is_bound()) order.push_back(objective.cost);
    return order;
  }
  for (std::size_t c = 0; c < cssp.num_costs(); ++c)
    if (std::find(order.begin(), order.end(), c) == order.end()) order.push_back(c);
  return order;
}

/// Between this vertex and the next, of two costs: what one more unit of the first changes in the
/// second.
std::string exchange(const Cssp& cssp, const ParetoFront& front, std::size_t i) {
  if (i + 1 == front.vertices.size()) return "";
  const auto value = [&](std::size_t vertex, std::size_t c) {
    return value_of(cssp, front.costs[c], front.vertices[vertex].costs[front.costs[c]]);
  };
  return number((value(i + 1, 1) - value(i, 1)) / (value(i + 1, 0) - value(i, 0)));
}

std::string vertices_of(const Cssp& cssp, const ParetoFront& front) {
  std::vector<std::string> header{"vertex"};
  const std::vector<std::size_t> order = columns(cssp, front);
  for (const std::size_t c : order)
    header.push_back(name_of(cssp, c));
  const bool plane = front.costs.size() == 2 && front.vertices.size() > 1;
  if (plane) header.push_back(fmt::format("{} per {}", header[2], header[1]));
  const bool coins = std::any_of(front.vertices.begin(), front.vertices.end(),
                                 [](const ParetoVertex& vertex) { return !vertex.deterministic; });
  if (coins) header.emplace_back("tosses a coin");
  Table table(std::move(header));
  for (std::size_t i = 0; i < front.vertices.size(); ++i) {
    std::vector<std::string> row{std::to_string(i + 1)};
    for (const std::size_t c : order)
      row.push_back(number(value_of(cssp, c, front.vertices[i].costs[c])));
    if (plane) row.push_back(exchange(cssp, front, i));
    if (coins) row.emplace_back(front.vertices[i].deterministic ? "" : "yes");
    table.add(std::move(row));
  }
  return table.str();
}

std::string vertex_count(const ParetoFront& front) {
  const std::size_t n = front.vertices.size();
  return fmt::format("{} {}", grouped(n), n == 1 ? "vertex" : "vertices");
}

std::string closeness(const ParetoFront& front) {
  if (*front.distance <= 1e-6) return fmt::format("{}: the exact front.", vertex_count(front));
  return fmt::format("{}: no policy is below the front by more than {}% of the range of each cost.",
                     vertex_count(front), number(100 * *front.distance));
}

std::string bounds_of(const Cssp& cssp, const ParetoFront& front) {
  std::vector<std::string> lifted;
  std::vector<std::string> kept;
  for (const Bound& bound : cssp.bounds()) {
    const bool is_lifted =
        std::find(front.costs.begin(), front.costs.end(), bound.cost) != front.costs.end();
    const Objective* objective = objective_of(cssp, bound.cost);
    (is_lifted ? lifted : kept)
        .push_back(objective != nullptr ? objective->text : bound_text(cssp, bound));
  }
  std::string text;
  if (!kept.empty()) text += fmt::format("Kept: {}.\n", fmt::join(kept, ", "));
  if (!lifted.empty())
    text +=
        fmt::format("Not kept, since the front shows all values: {}.\n", fmt::join(lifted, ", "));
  return text;
}

std::string summary(const Cssp& cssp, const ParetoFront& front) {
  if (front.status == Status::infeasible)
    return "Infeasible: no policy meets the bounds on the other costs\n" + bounds_of(cssp, front);
  if (front.status == Status::no_proper_policy && cssp.model().question() != nullptr)
    return "Infinite: no policy reaches all targets of rewards for certain with finite rewards\n";
  if (front.status == Status::no_proper_policy)
    return "No proper policy: the goal cannot be reached for certain\n"
           "  try --give-up, which puts a price on not reaching it\n";
  std::string text;
  if (front.status != Status::optimal) text = fmt::format("Not finished: {}\n\n", front.note);
  if (!front.vertices.empty()) text += vertices_of(cssp, front) + "\n" + closeness(front) + "\n";
  text += bounds_of(cssp, front);
  return text + fmt::format("\npareto: {}, {}\n",
                            count(front.statistics.scalarised_ssps, "scalarised problem"),
                            duration(front.statistics.seconds.total));
}

void check(const ParetoCommand& command) {
  if (command.policy.empty() != (command.vertex == 0))
    throw InputError("--policy and --vertex go together",
                     "for example --vertex 2 --policy second.json");
}

void check_plot(const ParetoCommand& command) {
  if (!command.plot.empty() && command.request.costs.size() > 3)
    throw InputError("--plot shows two costs or three, no more",
                     "choose fewer, or write the vertices with --csv");
}

void write_vertex(const ParetoCommand& command, const Cssp& cssp, const ParetoFront& front,
                  Outputs& outputs) {
  if (command.policy.empty() || front.vertices.empty()) return;
  if (command.vertex > front.vertices.size())
    throw InputError(
        fmt::format("--vertex {}: the front has {}", command.vertex, vertex_count(front)),
        "their numbers are in the table, from 1");
  const Policy& policy = front.vertices[command.vertex - 1].policy;
  outputs.write(command.policy, [&](std::ostream& out) { write_policy(cssp, policy, out); });
}

int run(ParetoCommand& command, const std::atomic<bool>& interrupt) {
  check(command);
  if (!command.costs.empty()) {
    command.request.costs = split(command.costs);
    check_plot(command);
  }
  Outputs outputs(command.model.paths());
  outputs.announce("--json", command.json);
  outputs.announce("--csv", command.csv);
  outputs.announce("--plot", command.plot);
  outputs.announce("--policy", command.policy);
  Monitor monitor = command.model.monitor(interrupt);
  ProgressLine line(command.progress, monitor);
  Cssp cssp = command.model.load(monitor);
  command.request.costs = costs_of(cssp, command.costs);
  check_plot(command);
  command.options.seed = command.model.seed();
  command.request.policies =
      (!command.no_policies && !command.json.empty()) || !command.policy.empty();
  const ParetoFront front = pareto(cssp, command.request, command.options, monitor);
  line.end();
  const auto write = [&](const std::string& path, const auto& writer) {
    outputs.write(path, [&](std::ostream& out) { writer(cssp, front, out); });
  };
  write(command.json, write_front);
  write(command.csv, write_front_csv);
  write(command.plot, write_front_plot);
  write_vertex(command, cssp, front, outputs);
  if (!command.quiet && !outputs.standard_output_taken()) show("{}", summary(cssp, front));
  return outputs.finish(exit_status(front.status));
}

}  // namespace

void add_pareto(CommandLine& line, const std::atomic<bool>& interrupt) {
  auto command = std::make_shared<ParetoCommand>();
  Command sub = line.add_command("pareto", "All trade-offs between some of the costs");
  command->model.add_to(sub);
  sub.group("Problem");
  sub.option("--costs", command->costs,
             "The costs to trade off, two or more of them; a property says itself which")
      .type_name("COST,COST");
  sub.group("Method");
  add_scalarised_options(sub, command->options);
  sub.option("--gap", command->request.gap,
             "How far policies may be below the front, as a share of the range of each cost")
      .type_name("NUMBER")
      .check(non_negative_number())
      .show_default("0.001; two costs: exact");
  sub.group("Output");
  sub.option("--csv", command->csv, "Write the vertices as CSV ('-': standard output)")
      .type_name("FILE");
  sub.option("--json", command->json,
             "Write all of it with policies as JSON ('-': standard output), for "
             "'carl report --front'")
      .type_name("FILE");
  sub.flag("--no-policies", command->no_policies, "Leave the policies out of the JSON");
  sub.option("--plot", command->plot,
             "Write a picture of two costs or three as SVG ('-': standard output)")
      .type_name("FILE");
  sub.option("--vertex", command->vertex, "The vertex whose policy is written by --policy")
      .check(whole_number(1))
      .type_name("NUMBER");
  sub.option("--policy", command->policy, "Write the policy of one vertex ('-': standard output)")
      .type_name("FILE");
  add_progress(sub, command->progress);
  sub.flag("--quiet,-q", command->quiet, "No table");
  sub.footer(
      "Examples:\n"
      "  carl pareto domain.pddl problem.pddl --costs time,fuel --plot front.svg\n"
      "  carl pareto model.json --costs time,fuel,risk --gap 0.01 --json front.json\n\n"
      "Bounds on other costs are kept, those on these costs are not: a front shows all values.\n\n"
      "Exit status: 0 the front is as close as it should be, 10 no policy meets the other bounds,\n"
      "11 no proper policy, 3 a limit was reached or it was interrupted, 2 bad input, 1 internal\n"
      "error.");
  sub.on_run([command, &interrupt] { return run(*command, interrupt); });
}

}  // namespace carl::app
