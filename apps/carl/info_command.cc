#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>
#include <memory>

#include "carl/explore.h"
#include "carl/io.h"
#include "carl/problem.h"
#include "commands.h"
#include "model_options.h"
#include "output.h"
#include "summary.h"
#include "table.h"

namespace carl::app {
namespace {

struct InfoCommand {
  ModelOptions model;
  std::size_t max_states = 10'000'000;
  std::size_t threads = 1;
};

void print_line(const std::string& name, const std::string& text) {
  show("  {:<16} {}\n", name, text);
}

void print_costs(const Cssp& cssp) {
  print_line(cssp.is_reward(0) ? "maximise" : "minimise", cssp.cost_names()[0]);
  for (const Bound& bound : cssp.bounds())
    print_line("subject to",
               bound_text(cssp, bound) + (bound.upper == 0 ? "  (forbids its actions)" : ""));
  std::vector<std::string> others;
  for (std::size_t c = 1; c < cssp.num_costs(); ++c) {
    const auto bounds = [&] {
      for (const Bound& bound : cssp.bounds())
        if (bound.cost == c) return true;
      return false;
    }();
    if (!bounds) others.push_back(cssp.cost_names()[c]);
  }
  if (!others.empty()) print_line("other costs", fmt::format("{}", fmt::join(others, ", ")));
  if (!cssp.give_up_penalty()) return;
  std::vector<std::string> penalties;
  for (std::size_t c = 0; c < cssp.num_costs(); ++c)
    penalties.push_back(
        fmt::format("{} {}", cssp.cost_label(c), number((*cssp.give_up_penalty())[c])));
  print_line("giving up costs", fmt::format("{}{}", fmt::join(penalties, ", "),
                                            cssp.can_give_up() ? "" : "  (forbidden by a bound)"));
}

void print_state_space(const StateSpaceSize& size) {
  print_line("states",
             fmt::format("{}{} reachable, {} of them goals", size.complete ? "" : "more than ",
                         grouped(size.states), grouped(size.goals)));
  print_line("state-actions",
             fmt::format("{}, {} transitions", grouped(size.pairs), grouped(size.outcomes)));
  if (size.forbidden > 0)
    print_line("removed", fmt::format("{} state-actions that a bound of zero forbids",
                                      grouped(size.forbidden)));
  if (size.complete) {
    print_line("hopeless", fmt::format("{} (the goal is not reached with certainty)",
                                       count(size.hopeless, "state")));
    print_line("proper policy", size.proper_policy ? "exists" : "none: see --give-up");
  }
  const double per_second = static_cast<double>(size.pairs) / std::max(size.seconds, 1e-9);
  print_line("expanded in",
             fmt::format("{} ({:.3g} state-actions/s)", duration(size.seconds), per_second));
  print_line("memory", fmt::format("{} per state, {} per transition",
                                   bytes_each(size.state_bytes, size.states),
                                   bytes_each(size.transition_bytes, size.outcomes)));
}

int run(const InfoCommand& command, const std::atomic<bool>& interrupt) {
  Monitor monitor = command.model.monitor(interrupt);
  LoadTimes times;
  const std::shared_ptr<Model> model = command.model.read(monitor, &times);
  const CsspOptions asked = command.model.cssp_options();
  std::vector<std::string> cvars;
  for (const Guarantee& guarantee : guarantees_of(*model, asked))
    if (guarantee.kind == Guarantee::Kind::cvar) cvars.push_back(to_string(guarantee));
  const std::vector<double> none(cvars.size(), std::numeric_limits<double>::quiet_NaN());
  Cssp cssp = make_problem(model, asked, monitor, none);
  show("{}\n", command.model.title());
  print_costs(cssp);
  for (const std::string& cvar : cvars)
    print_line("subject to", cvar + "  (the states below are without it)");
  for (const auto& [name, text] : cssp.model().figures())
    print_line(name, text);
  print_line("read in",
             fmt::format("{}, grounded in {}", duration(times.parse), duration(times.ground)));
  const StateSpaceSize size = explore(cssp, command.max_states, monitor, command.threads);
  print_state_space(size);
  for (const auto& notes : {cssp.warnings(), cssp.model().notes()})
    for (const std::string& note : notes)
      show("  note: {}\n", note);
  return monitor.kind() == LimitKind::none ? exit_ok : exit_limit;
}

}  // namespace

void add_info(CommandLine& line, const std::atomic<bool>& interrupt) {
  auto command = std::make_shared<InfoCommand>();
  Command sub = line.add_command("info", "Sizes of a problem: variables, actions, states");
  command->model.add_to(sub);
  sub.option("--max-states", command->max_states, "Stop counting states here")
      .check(whole_number(1))
      .type_name("NUMBER")
      .show_default();
  add_threads(sub, command->threads);
  sub.on_run([command, &interrupt] { return run(*command, interrupt); });
}

}  // namespace carl::app
