#include "help_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "table.h"

namespace carl::app {
namespace {

constexpr std::size_t screen = 80;
constexpr std::size_t text_column = 28;

std::string spaces(std::size_t n) {
  return std::string(n, ' ');
}

/// A name, and beside it what it means.
std::string entry(const std::string& name, const std::string& text) {
  const std::size_t end = 2 + width(name);
  std::string line = "  " + name;
  line += end + 2 <= text_column ? spaces(text_column - end) : "\n" + spaces(text_column);
  return line + wrapped(text, text_column, text_column) + "\n";
}

/// Options without a short name stand below the long names of the others.
std::string aligned(const OptionDescription& option) {
  const std::string text = synopsis_of(option);
  return text.starts_with("--") ? "    " + text : text;
}

std::string footer_text(const std::string& footer) {
  std::string text;
  for (const std::string& paragraph : paragraphs_of(footer)) {
    text += "\n";
    std::istringstream lines(paragraph);
    for (std::string line; std::getline(lines, line);)
      text += (line.starts_with("  ") ? line : wrapped(line, 0, 0)) + "\n";
  }
  return text;
}

}  // namespace

std::string wrapped(const std::string& text, std::size_t indent, std::size_t at) {
  std::istringstream words(text);
  std::string result;
  bool first = true;
  for (std::string word; words >> word; first = false) {
    if (!first && at + 1 + width(word) > screen) {
      result += "\n" + spaces(indent);
      at = indent;
    } else if (!first) {
      result += " ";
      ++at;
    }
    result += word;
    at += width(word);
  }
  return result;
}

std::vector<std::string> paragraphs_of(const std::string& text) {
  std::vector<std::string> paragraphs;
  std::istringstream lines(text);
  bool begins = true;
  bool verbatim = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) {
      begins = true;
      continue;
    }
    const bool as_it_is = line.starts_with("  ");
    if (begins)
      paragraphs.push_back(line);
    else
      paragraphs.back() += (as_it_is || verbatim ? "\n" : " ") + line;
    begins = false;
    verbatim = as_it_is;
  }
  return paragraphs;
}

std::string help_text(const ProgramDescription& program, const Style& style) {
  std::string text = wrapped(program.summary, 0, 0) + "\n\n";
  text += fmt::format("{} {} COMMAND [OPTION]… [FILE]…\n\n", style.bold("Usage:"), program.name);
  text += style.bold("Commands:") + "\n";
  std::size_t longest = 0;
  for (const CommandDescription& command : program.commands)
    longest = std::max(longest, command.name.size());
  for (const CommandDescription& command : program.commands) {
    const std::string name = command.name + spaces(longest - command.name.size());
    text += fmt::format("  {}  {}\n", name, wrapped(command.summary, longest + 4, longest + 4));
  }
  text += fmt::format("\n{}\n", style.bold("Options:"));
  text += "  -h, --help     This help\n  -V, --version  The version\n";
  return text + footer_text(program.footer);
}

std::string help_text(const ProgramDescription& program, const CommandDescription& command,
                      const Style& style) {
  std::string text = wrapped(command.summary, 0, 0) + "\n\n";
  text += style.bold("Usage:") + " " + wrapped(usage_of(program, command), 7, 7) + "\n";
  bool any = false;
  for (const OptionDescription& option : command.options) {
    if (!option.positional()) continue;
    text += any ? "" : "\n";
    text += entry(option.names.front(), full_text(option));
    any = true;
  }
  for (const auto& [group, options] : groups_of(command)) {
    text += fmt::format("\n{}\n", style.bold(group + ":"));
    for (const OptionDescription* option : options)
      text += entry(aligned(*option), full_text(*option));
  }
  return text + footer_text(command.footer);
}

}  // namespace carl::app
