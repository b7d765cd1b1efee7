// `carl studio`: a page in the browser in which budgets can be moved. This file starts the server,
// says where it is, and waits for Ctrl-C.

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "carl/error.h"
#include "carl/io.h"
#include "commands.h"
#include "model_options.h"
#include "output.h"
#include "studio_api.h"
#include "studio_files.h"
#include "studio_http.h"

namespace carl::app {
namespace {

struct StudioCommand {
  ModelOptions model;
  bool no_browser = false;
  std::size_t port = 0;
};

StudioExample example(std::string name, std::string about, const std::vector<std::string>& files) {
  StudioExample result{std::move(name), std::move(about), {}};
  for (const std::string& file : files)
    result.texts.push_back({file, std::string(studio_file("examples/" + file))});
  return result;
}

std::vector<StudioExample> examples() {
  return {
      example("Getting to work", "Run, take a taxi, or hope for the train: a first problem",
              {"getting-to-work/domain.pddl", "getting-to-work/problem.pddl"}),
      example("Drone delivery", "Three parcels, battery and risk, with wind",
              {"drone-delivery/domain.pddl", "drone-delivery/problem.pddl"}),
      example("Drone delivery in a city", "The same in a larger place: some thousand states",
              {"drone-delivery/domain.pddl", "drone-delivery/city.pddl"}),
      example("Catching a flight", "Money against the risk of being late",
              {"catching-a-flight/domain.pddl", "catching-a-flight/problem.pddl"}),
      example("Tireworld with two currencies", "Two budgets that can stand in for each other",
              {"tireworld-two-currencies/domain.pddl", "tireworld-two-currencies/problem.pddl"}),
      example("Frozen lake", "Slippery ice, holes, and a limit on falling in: an explicit model",
              {"frozen-lake/model.json"}),
      example("Treatment", "A course of therapy with bounded side effects: an explicit model",
              {"treatment/model.json"}),
  };
}

/// The policy that the page itself names, so that both say the same.
std::string policy_of(std::string_view page) {
  constexpr std::string_view before = "http-equiv=\"Content-Security-Policy\" content=\"";
  const std::size_t begin = page.find(before);
  if (begin == std::string_view::npos) return "default-src 'none'";
  const std::size_t first = begin + before.size();
  return std::string(page.substr(first, page.find('"', first) - first));
}

/// By whatever the desktop opens addresses with; nothing happens if there is no desktop.
void open_browser(const std::string& address) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0);
  std::string program = "xdg-open";
  std::string argument = address;
  char* const arguments[] = {program.data(), argument.data(), nullptr};
  pid_t process = 0;
  posix_spawnp(&process, program.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
}

StudioLimits limits_of(const ModelOptions& options) {
  StudioLimits limits;
  if (std::isfinite(options.time_limit())) limits.seconds = options.time_limit();
  if (options.memory_limit() > 0) limits.bytes = options.memory_limit();
  return limits;
}

void open_named(const ModelOptions& options, StudioApi& api, const std::atomic<bool>& interrupt) {
  if (options.paths().empty()) return;
  Monitor monitor = options.monitor(interrupt);
  StudioProblem problem;
  problem.options = options.cssp_options();
  problem.load = options.load_options();
  problem.property = options.property(monitor);
  for (const std::string& path : options.paths())
    problem.texts.push_back({path, read_text(path, monitor)});
  api.open(problem, monitor);
}

int run(const StudioCommand& command, const std::atomic<bool>& interrupt) {
  const StudioLimits limits = limits_of(command.model);
  StudioApi api(limits, examples(), interrupt);
  open_named(command.model, api, interrupt);
  const std::string_view page = studio_file("web/dist/studio.html");
  StudioServer server(random_token(), policy_of(page), limits.body,
                      [&](const StudioRequest& request) -> StudioReply {
                        if (!request.is_post && request.path.empty())
                          return {200, "text/html; charset=utf-8", std::string(page), {}};
                        return api.answer(request);
                      });
  server.bind(static_cast<int>(command.port));
  show("Studio is at {}\nCtrl-C ends it.\n", server.address());
  std::thread serving([&] { server.serve(); });
  if (!command.no_browser) open_browser(server.address());
  while (!interrupt.load(std::memory_order_relaxed))
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  server.stop();
  serving.join();
  return exit_ok;
}

}  // namespace

void add_studio(CommandLine& line, const std::atomic<bool>& interrupt) {
  auto command = std::make_shared<StudioCommand>();
  Command sub =
      line.add_command("studio", "A page in the browser: move a budget and see the plan change");
  command->model.add_to(sub, ModelOptions::Files::optional_model);
  sub.flag("--no-browser", command->no_browser, "Only print the address");
  sub.option("--port", command->port, "Of the loopback interface; 0: any that is free")
      .check(whole_number(0, 65535))
      .type_name("NUMBER")
      .show_default();
  sub.footer(
      "Without a model there are examples to choose from. --time-limit and --memory-limit are for\n"
      "one question, 10 minutes, and for the whole program, 2 GB, if they are not given.\n\n"
      "Exit status: 0 when it is ended by Ctrl-C, 2 bad input or a port that is taken.");
  sub.on_run([command, &interrupt] { return run(*command, interrupt); });
}

}  // namespace carl::app
