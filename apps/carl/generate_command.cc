#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "carl/error.h"
#include "carl/generate.h"
#include "commands.h"
#include "help_text.h"
#include "output.h"

namespace carl::app {
namespace {

struct GenerateCommand {
  std::string domain;
  std::vector<std::string> parameters;
  std::uint64_t seed = 1;
  std::string output = "-";
  std::string domain_output;
};

std::pair<std::string, std::string> parse_parameter(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos)
    throw InputError(fmt::format("--param {}: expected NAME=VALUE", text));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

int run(const GenerateCommand& command) {
  Outputs outputs({});
  outputs.announce("--output", command.output);
  outputs.announce("--domain", command.domain_output);
  std::vector<std::pair<std::string, std::string>> parameters;
  for (const std::string& text : command.parameters)
    parameters.push_back(parse_parameter(text));
  const GeneratedInstance instance = generate_instance(command.domain, parameters, command.seed);
  outputs.write(command.domain_output, [&](std::ostream& out) { out << instance.domain_text; });
  outputs.write(command.output, [&](std::ostream& out) {
    if (command.domain_output.empty()) out << instance.domain_text << '\n';
    out << instance.problem_text;
  });
  return outputs.finish(exit_ok);
}

std::string list_of_domains() {
  constexpr std::size_t column = 14;
  const auto entry = [=](const std::string& name, const std::string& text) {
    return fmt::format("  {:<11} {}\n", name,
                       wrapped(text, column, std::max(column, name.size() + 3)));
  };
  std::string text = "Domains and their parameters:\n";
  for (const BenchmarkDomain& domain : benchmark_domains()) {
    text += entry(std::string(domain.name), std::string(domain.summary));
    for (const BenchmarkParameter& parameter : domain.parameters)
      text += entry(
          "  " + std::string(parameter.name),
          std::string(parameter.help) + (parameter.default_value.empty()
                                             ? ""
                                             : fmt::format(" [{}]", parameter.default_value)));
  }
  return text + "\nExample:\n  carl generate sar --param n=3 --param d=2 --seed 1 | carl solve -";
}

}  // namespace

void add_generate(CommandLine& line, const std::atomic<bool>& /*interrupt*/) {
  auto command = std::make_shared<GenerateCommand>();
  Command sub = line.add_command("generate", "Write a benchmark instance as PPDDL");
  std::vector<std::string> names;
  for (const BenchmarkDomain& domain : benchmark_domains())
    names.emplace_back(domain.name);
  sub.option("DOMAIN", command->domain, "What to generate; see below").required().words(names);
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
  sub.footer(list_of_domains());
  sub.on_run([command] { return run(*command); });
}

}  // namespace carl::app
