#include "usage.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "carl/error.h"
#include "carl/suggestion.h"

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

template <class Number>
std::optional<Number> parse(const std::string& text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace

std::string help_text(const CLI::App& app, const std::vector<std::string>& arguments) {
  if (arguments.empty()) return app.help();
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (command->get_name() == arguments[0]) return command->help("carl");
  unknown_command(app, arguments[0]);
}

void explain_usage(const CLI::App& app, const std::vector<std::string>& arguments,
                   const CLI::ParseError& error) {
  const std::vector<CLI::App*> parsed = app.get_subcommands();
  if (parsed.empty()) {
    if (arguments.empty())
      throw InputError("there is no command",
                       fmt::format("the commands are: {}; 'carl help' explains them",
                                   fmt::join(command_names(app), ", ")));
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

CLI::Validator positive_number() {
  return CLI::Validator(
      [](const std::string& text) {
        const auto value = parse<double>(text);
        if (value && *value > 0 && std::isfinite(*value)) return std::string();
        return fmt::format("'{}' is not a number above 0", text);
      },
      "POSITIVE");
}

CLI::Validator non_negative_number() {
  return CLI::Validator(
      [](const std::string& text) {
        const auto value = parse<double>(text);
        if (value && *value >= 0 && std::isfinite(*value)) return std::string();
        return fmt::format("'{}' is not a number of 0 or more", text);
      },
      "NONNEGATIVE");
}

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  const bool bounded = most != std::numeric_limits<std::uint64_t>::max();
  const std::string range =
      bounded ? fmt::format("from {} to {}", least, most) : fmt::format("of {} or more", least);
  return CLI::Validator(
      [=](const std::string& text) {
        const auto value = parse<std::uint64_t>(text);
        if (value && *value >= least && *value <= most) return std::string();
        return fmt::format("'{}' is not a whole number {}", text, range);
      },
      bounded ? fmt::format("INT in [{} - {}]", least, most) : "");
}

CLI::Validator one_of(const std::vector<std::string>& words) {
  return CLI::Validator(
      [words](const std::string& text) {
        if (std::find(words.begin(), words.end(), text) != words.end()) return std::string();
        std::string hint = suggestion(text, words);
        if (hint.empty()) hint = fmt::format("choose one of {}", fmt::join(words, ", "));
        return fmt::format("'{}' is not known\n  hint: {}", text, hint);
      },
      fmt::format("{{{}}}", fmt::join(words, ",")));
}

}  // namespace carl::app
