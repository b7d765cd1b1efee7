#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "carl/cover.h"
#include "carl/error.h"
#include "carl/io.h"
#include "commands.h"
#include "model_formats.h"
#include "model_options.h"
#include "output.h"
#include "policy_output.h"

namespace carl::app {
namespace {

struct ConvertCommand {
  ModelOptions model;
  std::string output;
  std::string format;
  std::string compression = "none";
};

/// What becomes of a model, or of a policy.
std::string format_of(const ConvertCommand& command) {
  const bool policy = command.model.has_policy();
  std::string format = command.format;
  if (format.empty()) format = policy_format_of(command.output);
  if (format.empty()) format = model_format_of(command.output);
  if (format.empty() && command.output.ends_with(".lp")) format = "lp";
  if (format.empty())
    throw InputError(fmt::format("cannot tell the format of '{}'", command.output),
                     policy ? "name it .csv, .dot, .json, .umb or .drn, or give --format"
                            : "name it .json (explicit model), .umb, .drn or .lp (linear program), "
                              "or give --format");
  if (command.compression != "none" && format != "umb")
    throw InputError(
        fmt::format("--compression {}: only UMB files are compressed", command.compression));
  if (!policy && (format == "csv" || format == "dot"))
    throw InputError(fmt::format("only a policy can be written as {}", format),
                     "give the policy after the model: carl convert MODEL POLICY -o FILE");
  if (policy && format == "lp")
    throw InputError("a policy cannot be written as lp", "leave it out to convert the model");
  return format;
}

void write_policy(const std::string& format, const ConvertCommand& command, Cssp& cssp,
                  Outputs& outputs, Monitor& monitor) {
  const PolicyFile file = command.model.load_policy(monitor);
  const Policy policy =
      resolve_policy(cssp, file, monitor, file.covers_all ? Entries::all : Entries::met);
  if (format == "umb" || format == "drn") {
    outputs.write(command.output, [&](std::ostream& out) {
      if (format == "umb")
        write_chain_umb(cssp, policy, out, monitor, compression_of(command.compression));
      else
        write_chain_drn(cssp, policy, out, monitor);
    });
    return;
  }
  PolicyDetails details;
  details.covers_all = file.covers_all;
  if (std::any_of(file.states.begin(), file.states.end(),
                  [](const PolicyFile::Entry& entry) { return !entry.values.empty(); }))
    details.values = policy_values(cssp, policy, monitor);
  outputs.write(command.output, [&](std::ostream& out) {
    write_policy_as(format, cssp, policy, details, out, monitor);
  });
}

int run(const ConvertCommand& command, const std::atomic<bool>& interrupt) {
  const std::string format = format_of(command);
  Outputs outputs(command.model.paths());
  outputs.announce("--output", command.output);
  Monitor monitor = command.model.monitor(interrupt);
  Cssp cssp = command.model.load(monitor);
  if (command.model.has_policy()) {
    write_policy(format, command, cssp, outputs, monitor);
    return outputs.finish(exit_ok);
  }
  cssp.remove_forbidden_actions(true);
  outputs.write(command.output, [&](std::ostream& out) {
    if (format == "json")
      write_explicit(cssp, out, monitor);
    else if (format == "umb")
      write_umb(cssp, out, monitor, compression_of(command.compression));
    else if (format == "drn")
      write_drn(cssp, out, monitor);
    else
      write_lp(cssp, out, monitor);
  });
  return outputs.finish(exit_ok);
}

}  // namespace

void add_convert(CommandLine& line, const std::atomic<bool>& interrupt) {
  auto command = std::make_shared<ConvertCommand>();
  Command sub = line.add_command("convert",
                                 "Write a problem as an explicit model (.json, .umb, .drn) or as a "
                                 "linear program (.lp), or a policy of it "
                                 "as a table (.csv), a graph (.dot) or a Markov chain (.umb, "
                                 ".drn)");
  command->model.add_to(sub, ModelOptions::Files::model_and_optional_policy);
  command->model.add_seed(sub);
  sub.group("Output");
  sub.option("--output,-o", command->output, "Where to ('-': standard output)")
      .required()
      .type_name("FILE");
  sub.option("--format", command->format, "If the file's name does not tell")
      .type_name("FORMAT")
      .check(one_of({"json", "umb", "drn", "lp", "csv", "dot"}));
  add_compression(sub, command->compression);
  sub.footer(
      "Examples:\n"
      "  carl convert domain.pddl problem.pddl -o model.json\n"
      "  carl convert model.json -o model.umb\n"
      "  carl convert model.json policy.json -o policy.dot\n"
      "  carl convert model.json policy.json -o chain.drn\n");
  sub.on_run([command, &interrupt] { return run(*command, interrupt); });
}

}  // namespace carl::app
