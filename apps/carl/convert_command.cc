#include <fmt/format.h>

#include <memory>

#include "carl/error.h"
#include "carl/io.h"
#include "commands.h"
#include "model_options.h"
#include "output.h"

namespace carl::app {
namespace {

struct ConvertCommand {
  ModelOptions model;
  std::string output;
  std::string format;
};

std::string format_of(const ConvertCommand& command) {
  if (!command.format.empty()) return command.format;
  if (command.output.ends_with(".json")) return "json";
  if (command.output.ends_with(".lp")) return "lp";
  throw InputError(fmt::format("cannot tell the format of '{}'", command.output),
                   "name it .json (explicit model) or .lp (linear program), or give --format");
}

int run(const ConvertCommand& command, const std::atomic<bool>& interrupt) {
  const std::string format = format_of(command);
  Outputs outputs(command.model.paths());
  outputs.announce("--output", command.output);
  Monitor monitor = command.model.monitor(interrupt);
  Cssp cssp = command.model.load(monitor);
  outputs.write(command.output, [&](std::ostream& out) {
    if (format == "json")
      write_explicit(cssp, out, monitor);
    else
      write_lp(cssp, out, monitor);
  });
  return outputs.finish(exit_ok);
}

}  // namespace

void add_convert(CommandLine& line, const std::atomic<bool>& interrupt) {
  auto command = std::make_shared<ConvertCommand>();
  Command sub = line.add_command(
      "convert", "Write a problem as an explicit model (.json) or as a linear program (.lp)");
  command->model.add_to(sub);
  sub.option("--output,-o", command->output, "Where to ('-': standard output)")
      .required()
      .type_name("FILE");
  sub.option("--format", command->format, "If the file's name does not tell")
      .check(one_of({"json", "lp"}));
  sub.on_run([command, &interrupt] { return run(*command, interrupt); });
}

}  // namespace carl::app
