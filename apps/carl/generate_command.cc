#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "carl/error.h"
#include "carl/generate.h"
#include "carl/io.h"
#include "commands.h"
#include "help_text.h"
#include "model_formats.h"
#include "output.h"

namespace carl::app {
namespace {

struct GenerateCommand {
  std::string domain;
  std::string size;  // the first parameter
  std::vector<std::string> parameters;
  std::uint64_t seed = 1;
  std::string output = "-";
  std::string domain_output;
  std::string format;
  std::string compression = "none";
};

using Parameters = std::vector<std::pair<std::string, std::string>>;

/// The family of models or domain of this name, if there is one.
const BenchmarkDomain* find(const std::vector<BenchmarkDomain>& all, const std::string& name) {
  const auto found = std::find_if(
      all.begin(), all.end(), [&](const BenchmarkDomain& domain) { return domain.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::pair<std::string, std::string> parse_parameter(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos)
    throw InputError(fmt::format("--param {}: expected NAME=VALUE", text));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

Parameters parameters_of(const GenerateCommand& command, const BenchmarkDomain* domain) {
  Parameters parameters;
  if (!command.size.empty() && domain != nullptr)
    parameters.emplace_back(domain->parameters.front().name, command.size);
  for (const std::string& text : command.parameters)
    parameters.push_back(parse_parameter(text));
  return parameters;
}

int write_model(const GenerateCommand& command, const Parameters& parameters, Outputs& outputs,
                const std::atomic<bool>& interrupt) {
  if (!command.domain_output.empty())
    throw InputError(fmt::format("--domain: '{}' is no PPDDL domain", command.domain));
  std::string format = command.format;
  if (format.empty()) format = model_format_of(command.output);
  if (format.empty()) format = "json";
  if (command.compression != "none" && format != "umb")
    throw InputError(
        fmt::format("--compression {}: only UMB files are compressed", command.compression));
  const std::shared_ptr<Model> model = generate_model(command.domain, parameters, command.seed);
  Monitor monitor(std::numeric_limits<double>::infinity(), 0, &interrupt);
  outputs.write(command.output, [&](std::ostream& out) {
    if (format == "umb") return write_umb(model, out, monitor, compression_of(command.compression));
    if (format == "drn") return write_drn(model, out, monitor);
    Cssp cssp(model);
    write_explicit(cssp, out, monitor);
  });
  return outputs.finish(exit_ok);
}

int run(const GenerateCommand& command, const std::atomic<bool>& interrupt) {
  Outputs outputs({});
  outputs.announce("--output", command.output);
  outputs.announce("--domain", command.domain_output);
  const std::vector<BenchmarkDomain> families = benchmark_models();
  if (const BenchmarkDomain* const family = find(families, command.domain))
    return write_model(command, parameters_of(command, family), outputs, interrupt);
  if (!command.format.empty() || command.compression != "none")
    throw InputError(fmt::format("'{}' is written as PPDDL", command.domain),
                     "--format and --compression are for explicit models");
  const std::vector<BenchmarkDomain> domains = benchmark_domains();
  const Parameters parameters = parameters_of(command, find(domains, command.domain));
  const GeneratedInstance instance = generate_instance(command.domain, parameters, command.seed);
  outputs.write(command.domain_output, [&](std::ostream& out) { out << instance.domain_text; });
  outputs.write(command.output, [&](std::ostream& out) {
    if (command.domain_output.empty()) out << instance.domain_text << '\n';
    out << instance.problem_text;
  });
  return outputs.finish(exit_ok);
}

void add_to_list(const std::vector<BenchmarkDomain>& domains, std::string& text) {
  constexpr std::size_t column = 14;
  const auto entry = [=](const std::string& name, const std::string& help) {
    return fmt::format("  {:<11} {}\n", name,
                       wrapped(help, column, std::max(column, name.size() + 3)));
  };
  for (const BenchmarkDomain& domain : domains) {
    text += entry(std::string(domain.name), std::string(domain.summary));
    for (const BenchmarkParameter& parameter : domain.parameters)
      text += entry(
          "  " + std::string(parameter.name),
          std::string(parameter.help) + (parameter.default_value.empty()
                                             ? ""
                                             : fmt::format(" [{}]", parameter.default_value)));
  }
}

std::string list_of_domains() {
  std::string text = "Domains and their parameters:\n";
  add_to_list(benchmark_domains(), text);
  add_to_list(benchmark_models(), text);
  return text +
         "\nExamples:\n"
         "  carl generate sar --param n=3 --param d=2 --seed 1 | carl solve -\n"
         "  carl generate grid 1000 -o grid.umb";
}

}  // namespace

void add_generate(CommandLine& line, const std::atomic<bool>& interrupt) {
  auto command = std::make_shared<GenerateCommand>();
  Command sub =
      line.add_command("generate", "Write a benchmark instance as PPDDL, or an explicit model");
  std::vector<std::string> names;
  for (const auto& domains : {benchmark_domains(), benchmark_models()})
    for (const BenchmarkDomain& domain : domains)
      names.emplace_back(domain.name);
  sub.option("DOMAIN", command->domain, "What to generate; see below").required().words(names);
  sub.option("SIZE", command->size, "Its first parameter").type_name("NUMBER");
  sub.option("--param,-p", command->parameters, "A parameter of the domain; may be repeated")
      .type_name("NAME=VALUE")
      .one_value_each();
  sub.option("--seed", command->seed, "Names the instance, where instances are random")
      .check(whole_number())
      .type_name("NUMBER")
      .show_default();
  sub.option("--output,-o", command->output, "Where to ('-': standard output)")
      .type_name("FILE")
      .show_default();
  sub.option("--domain", command->domain_output,
             "Write the domain here, not in front of the problem")
      .type_name("FILE");
  sub.option("--format", command->format, "Of an explicit model, if the file's name does not tell")
      .type_name("NAME")
      .check(one_of({"json", "umb", "drn"}));
  add_compression(sub, command->compression);
  sub.footer(list_of_domains());
  sub.on_run([command, &interrupt] { return run(*command, interrupt); });
}

}  // namespace carl::app
