#include "man_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "help_text.h"

namespace carl::app {
namespace {

/// Text that troff takes for nothing else.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text)
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  // A line that begins with one of these would be a request.
  return result.starts_with('.') || result.starts_with('\'') ? "\\&" + result : result;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string title(const ProgramDescription& program, const std::string& name) {
  return fmt::format(".TH \"{}\" 1 \"\" \"{} {}\" \"User commands\"\n", upper(name), program.name,
                     program.version);
}

std::string heading(const std::string& text) {
  return fmt::format(".SH {}\n", upper(text));
}

std::string entry(const std::string& name, const std::string& text) {
  return fmt::format(".TP\n.B {}\n{}\n", escaped(name), escaped(text));
}

/// "Examples:" and "Exit status:" become sections, all else notes.
std::string footer_sections(const std::string& footer) {
  std::string notes;
  std::string sections;
  for (const std::string& paragraph : paragraphs_of(footer)) {
    const std::size_t colon = paragraph.find(':');
    const bool examples = paragraph.starts_with("Example");
    const bool status = paragraph.starts_with("Exit status:");
    std::string& out = examples || status ? sections : notes;
    std::string rest = paragraph;
    if (examples || status) {
      out += heading(examples ? "examples" : "exit status");
      rest = paragraph.substr(std::min(paragraph.size(), colon + 1));
      rest.erase(0, rest.find_first_not_of(" \n"));
      if (examples) rest.insert(0, "  ");
    } else {
      out += ".PP\n";
    }
    std::istringstream lines(rest);
    bool verbatim = false;
    for (std::string line; std::getline(lines, line); out += escaped(line) + "\n") {
      if (line.starts_with("  ") == verbatim) continue;
      verbatim = !verbatim;
      out += verbatim ? ".nf\n" : ".fi\n";
    }
    if (verbatim) out += ".fi\n";
  }
  return (notes.empty() ? "" : heading("notes") + notes) + sections;
}

}  // namespace

std::string man_page(const ProgramDescription& program) {
  std::string text = title(program, program.name) + heading("name") +
                     fmt::format("{} \\- plan under uncertainty within budgets\n", program.name) +
                     heading("synopsis") +
                     fmt::format(".B {}\nCOMMAND [OPTION]… [FILE]…\n", program.name) +
                     heading("description") + escaped(program.summary) + "\n" + heading("commands");
  for (const CommandDescription& command : program.commands)
    text += entry(fmt::format("{}-{}(1)", program.name, command.name), command.summary);
  text += heading("options") + entry("-h, --help", "Shows the help.") +
          entry("-V, --version", "Shows the version.") + heading("environment") +
          entry("NO_COLOR", "If it is set, no colours are used.");
  return text + footer_sections(program.footer);
}

std::string man_page(const ProgramDescription& program, const CommandDescription& command) {
  const std::string name = program.name + "-" + command.name;
  std::string text = title(program, name) + heading("name") +
                     fmt::format("{} \\- {}\n", escaped(name), escaped(command.summary)) +
                     heading("synopsis") + escaped(usage_of(program, command)) + "\n" +
                     heading("arguments");
  for (const OptionDescription& option : command.options)
    if (option.positional()) text += entry(option.names.front(), full_text(option));
  for (const auto& [group, options] : groups_of(command)) {
    text += heading(group);
    for (const OptionDescription* option : options)
      text += entry(synopsis_of(*option), full_text(*option));
  }
  text += footer_sections(command.footer) + heading("see also");
  return text + fmt::format(".BR {} (1)\n", program.name);
}

}  // namespace carl::app
