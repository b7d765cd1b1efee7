#include "command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <deque>
#include <sstream>
#include <utility>

#include "carl/error.h"
#include "carl/suggestion.h"
#include "help_text.h"
#include "man_page.h"

namespace carl::app {
namespace {

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

/// The long names and the short ones, with their dashes.
std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames())
      names.push_back("--" + name);
    for (const std::string& name : option->get_snames())
      names.push_back("-" + name);
  }
  return names;
}

std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
  const std::vector<std::string_view> candidates(known.begin(), known.end());
  return did_you_mean(word, candidates);
}

[[noreturn]] void unknown_command(const CLI::App& app, const std::string& word) {
  const std::vector<std::string> names = command_names(app);
  std::string hint = suggestion(word, names);
  if (hint.empty()) hint = fmt::format("the commands are: {}", fmt::join(names, ", "));
  throw InputError(fmt::format("there is no command '{}'", word), hint);
}

[[noreturn]] void unknown_option(const CLI::App& command, const std::string& argument) {
  const std::string option = argument.substr(0, argument.find('='));
  std::string hint = suggestion(option, option_names(command));
  const bool is_command = command.get_parent() != nullptr;
  if (hint.empty())
    hint =
        fmt::format("'carl help{}' lists the options", is_command ? " " + command.get_name() : "");
  throw InputError(
      fmt::format("carl{} has no option '{}'", is_command ? " " + command.get_name() : "", option),
      hint);
}

bool is_option(const std::string& argument) {
  return argument.size() > 1 && argument[0] == '-';
}

bool is(const CLI::ParseError& error, CLI::ExitCodes code) {
  return error.get_exit_code() == static_cast<int>(code);
}

/// What the library says of a command's arguments, without its capital letters and shouting.
std::string message_of(const CLI::App& command, const CLI::ParseError& error) {
  const std::string text = error.what();
  const std::string name = "carl " + command.get_name();
  if (is(error, CLI::ExitCodes::RequiredError))
    return fmt::format("{}: {} is missing", name, text.substr(0, text.find(" is required")));
  if (is(error, CLI::ExitCodes::ArgumentMismatch)) {
    const std::string option = text.substr(0, text.find(':'));
    if (is_option(option)) return fmt::format("{}: {} needs a value", name, option);
    const bool too_many = text.find("At Most") != std::string::npos;
    return name + (too_many ? ": more arguments than " : " needs ") + option;
  }
  return text;
}

const CommandDescription* find(const ProgramDescription& program, const std::string& name) {
  for (const CommandDescription& command : program.commands)
    if (command.name == name) return &command;
  return nullptr;
}

/// For `carl help`, `carl help COMMAND` and, to make manual pages, `carl help --man [COMMAND]`;
/// `arguments` are those after "help".
std::string explain(const CLI::App& app, const ProgramDescription& program,
                    std::vector<std::string> arguments, const Style& style) {
  const bool manual = !arguments.empty() && arguments[0] == "--man";
  if (manual) arguments.erase(arguments.begin());
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h")
    return manual ? man_page(program) : help_text(program, style);
  const CommandDescription* command = find(program, arguments[0]);
  if (command == nullptr) unknown_command(app, arguments[0]);
  return manual ? man_page(program, *command) : help_text(program, *command, style);
}

/// Throws InputError: what is wrong with the arguments, and what may have been meant.
[[noreturn]] void explain_usage(const CLI::App& app, const std::vector<std::string>& arguments,
                                const CLI::ParseError& error) {
  const std::vector<CLI::App*> parsed = app.get_subcommands();
  if (parsed.empty()) {
    if (is_option(arguments[0])) unknown_option(app, arguments[0]);
    unknown_command(app, arguments[0]);
  }
  const CLI::App& command = *parsed.front();
  std::vector<std::string> rest = command.remaining();
  for (const std::string& argument : app.remaining())
    rest.push_back(argument);
  // A mistyped option turns its value into a file: it is to blame before anything else.
  const auto option = std::find_if(rest.begin(), rest.end(), is_option);
  if (option != rest.end()) unknown_option(command, *option);
  const std::string hint = fmt::format("see 'carl help {}'", command.get_name());
  if (is(error, CLI::ExitCodes::ExtrasError) && !rest.empty())
    throw InputError(
        fmt::format("carl {} does not expect the argument '{}'", command.get_name(), rest.front()),
        hint);
  if (is(error, CLI::ExitCodes::ValidationError))
    throw InputError(error.what());  // has its own hint
  throw InputError(message_of(command, error), hint);
}

}  // namespace

Option& Option::type_name(const std::string& name) {
  option_->type_name(name);
  description_->value = name;
  return *this;
}

Option& Option::words(const std::vector<std::string>& words) {
  description_->words = words;
  return *this;
}

Option& Option::description(const std::string& text) {
  option_->description(text);
  description_->text = text;
  return *this;
}

Option& Option::required() {
  option_->required();
  description_->required = true;
  return *this;
}

Option& Option::expected(int least, int most) {
  option_->expected(least, most);
  description_->repeated = true;
  return *this;
}

Option& Option::one_value_each() {
  option_->allow_extra_args(false);
  description_->repeated = true;
  return *this;
}

Option& Option::check(const ValueCheck& check) {
  option_->check(CLI::Validator(check.fault, ""));
  if (!check.words.empty()) description_->words = check.words;
  return *this;
}

Option& Option::transform(const ValueTransform& transform) {
  option_->transform(CLI::Validator(transform, ""));
  return *this;
}

Option& Option::show_default() {
  option_->capture_default_str();
  description_->default_text = option_->get_default_str();
  return *this;
}

Option& Option::show_default(std::string_view text) {
  option_->default_str(std::string(text));
  description_->default_text = text;
  return *this;
}

Option& Option::excludes(const Option& other) {
  option_->excludes(other.option_);
  return *this;
}

template <class Value>
Option Command::option(const std::string& names, Value& value, const std::string& description) {
  return described(*command_->add_option(names, value, description), names, "VALUE", description);
}
template Option Command::option(const std::string&, std::string&, const std::string&);
template Option Command::option(const std::string&, std::vector<std::string>&, const std::string&);
template Option Command::option(const std::string&, double&, const std::string&);
template Option Command::option(const std::string&, std::optional<double>&, const std::string&);
template Option Command::option(const std::string&, std::uint64_t&, const std::string&);

Option Command::option(const std::string& names, std::function<void(const std::string&)> take,
                       const std::string& description) {
  return described(*command_->add_option_function<std::string>(names, std::move(take), description),
                   names, "VALUE", description);
}

Option Command::flag(const std::string& names, bool& value, const std::string& description) {
  return described(*command_->add_flag(names, value, description), names, "", description);
}

Option Command::described(CLI::Option& option, const std::string& names, const std::string& value,
                          const std::string& text) {
  OptionDescription& description = description_->options.emplace_back();
  std::istringstream list(names);
  for (std::string name; std::getline(list, name, ',');)
    description.names.push_back(name);
  description.value = value;
  description.text = text;
  description.group = description_->group;
  return {option, description};
}

Option Command::existing(const std::string& name) {
  for (OptionDescription& description : description_->options)
    if (description.names.front() == name) return {*command_->get_option(name), description};
  throw std::logic_error("no such option: " + name);
}

void Command::footer(const std::string& text) {
  description_->footer = text;
}

struct CommandLine::Implementation {
  explicit Implementation(const std::string& text) : app(text) {}

  CLI::App app;
  ProgramDescription description;
  std::deque<std::pair<CLI::App*, Run>> commands;  // whose places do not change
};

CommandLine::CommandLine(const std::string& description, const std::string& version,
                         const std::string& footer)
    : implementation_(std::make_unique<Implementation>(description)) {
  CLI::App& app = implementation_->app;
  app.name("carl");
  app.set_version_flag("-V,--version", version);
  app.require_subcommand(1);
  const std::size_t space = version.find(' ');
  implementation_->description = {
      version.substr(0, space), version.substr(space + 1), description, footer, {}};
}

CommandLine::~CommandLine() = default;

Command CommandLine::add_command(const std::string& name, const std::string& description) {
  CLI::App& command = *implementation_->app.add_subcommand(name, description);
  CommandDescription& words = implementation_->description.commands.emplace_back();
  words.name = name;
  words.summary = description;
  words.options.push_back({{"--help", "-h"}, "", {}, "This help", "", "Options", false, false});
  return {command, words, implementation_->commands.emplace_back(&command, Run()).second};
}

const ProgramDescription& CommandLine::description() const {
  return implementation_->description;
}

std::optional<std::string> CommandLine::parse(const std::vector<std::string>& arguments,
                                              const Style& style) {
  CLI::App& app = implementation_->app;
  const ProgramDescription& program = implementation_->description;
  if (arguments.empty()) return help_text(program, style);
  if (arguments[0] == "help")
    return explain(app, program, {arguments.begin() + 1, arguments.end()}, style);
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) explain_usage(app, arguments, error);
    if (error.get_name() == "CallForVersion") return app.version() + "\n";
    const std::vector<CLI::App*> parsed = app.get_subcommands();
    return parsed.empty() ? help_text(program, style)
                          : help_text(program, *find(program, parsed.front()->get_name()), style);
  }
  return std::nullopt;
}

int CommandLine::run() {
  for (const auto& [command, run] : implementation_->commands)
    if (command->parsed()) return run();
  throw std::logic_error("no command was parsed");
}

}  // namespace carl::app
