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
  std::string json;
};

/// Lines of a name and what there is to say of it.
class Lines {
 public:
  void add(const std::string& name, const std::string& text) {
    text_ += fmt::format("  {:<16} {}\n", name, text);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void add_costs(const Cssp& cssp, Lines& lines) {
  lines.add(cssp.is_reward(0) ? "maximise" : "minimise", cssp.cost_names()[0]);
  for (const Bound& bound : cssp.bounds())
    lines.add("subject to",
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
  if (!others.empty()) lines.add("other costs", fmt::format("{}", fmt::join(others, ", ")));
  if (!cssp.give_up_penalty()) return;
  std::vector<std::string> penalties;
  for (std::size_t c = 0; c < cssp.num_costs(); ++c)
    penalties.push_back(
        fmt::format("{} {}", cssp.cost_label(c), number((*cssp.give_up_penalty())[c])));
  lines.add("giving up costs", fmt::format("{}{}", fmt::join(penalties, ", "),
                                           cssp.can_give_up() ? "" : "  (forbidden by a bound)"));
}

void add_state_space(const StateSpaceSize& size, Lines& lines) {
  lines.add("states",
            fmt::format("{}{} reachable, {} of them goals", size.complete ? "" : "more than ",
                        grouped(size.states), grouped(size.goals)));
  lines.add("state-actions",
            fmt::format("{}, {} transitions", grouped(size.pairs), grouped(size.outcomes)));
  if (size.forbidden > 0)
    lines.add("removed", fmt::format("{} state-actions that a bound of zero forbids",
                                     grouped(size.forbidden)));
  if (size.complete) {
    lines.add("hopeless", fmt::format("{} (the goal is not reached with certainty)",
                                      count(size.hopeless, "state")));
    lines.add("proper policy", size.proper_policy ? "exists" : "none: see --give-up");
  }
  const double per_second = static_cast<double>(size.pairs) / std::max(size.seconds, 1e-9);
  lines.add("expanded in",
            fmt::format("{} ({:.3g} state-actions/s)", duration(size.seconds), per_second));
  lines.add("memory", fmt::format("{} per state, {} per transition",
                                  bytes_each(size.state_bytes, size.states),
                                  bytes_each(size.transition_bytes, size.outcomes)));
}

int run(const InfoCommand& command, const std::atomic<bool>& interrupt) {
  Outputs outputs(command.model.paths());
  outputs.announce("--json", command.json);
  Monitor monitor = command.model.monitor(interrupt);
  LoadTimes times;
  const std::shared_ptr<Model> model = command.model.read(monitor, &times);
  const CsspOptions asked = command.model.cssp_options();
  std::vector<std::string> cvars;
  for (const Guarantee& guarantee : guarantees_of(*model, asked))
    if (guarantee.kind == Guarantee::Kind::cvar) cvars.push_back(to_string(guarantee));
  const std::vector<double> none(cvars.size(), std::numeric_limits<double>::quiet_NaN());
  Cssp cssp = make_problem(model, asked, monitor, none);
  const bool talks = !outputs.standard_output_taken();
  Lines known;
  add_costs(cssp, known);
  for (const std::string& cvar : cvars)
    known.add("subject to", cvar + "  (the states below are without it)");
  for (const auto& [name, text] : cssp.model().figures())
    known.add(name, text);
  known.add("read in",
            fmt::format("{}, grounded in {}", duration(times.parse), duration(times.ground)));
  if (talks) show("{}\n{}", command.model.title(), known.text());
  const StateSpaceSize size = explore(cssp, command.max_states, monitor, command.threads);
  outputs.write(command.json, [&](std::ostream& out) {
    write_info(cssp, {times, size, cvars}, out);
  });
  Lines counted;
  add_state_space(size, counted);
  if (talks) show("{}", counted.text());
  for (const auto& notes : {cssp.warnings(), cssp.model().notes()})
    for (const std::string& note : notes)
      if (talks) show("  note: {}\n", note);
  return outputs.finish(monitor.kind() == LimitKind::none ? exit_ok : exit_limit);
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
  sub.group("Output");
  sub.option("--json", command->json, "Write all of it as JSON ('-': standard output)")
      .type_name("FILE");
  sub.on_run([command, &interrupt] { return run(*command, interrupt); });
}

}  // namespace carl::app
