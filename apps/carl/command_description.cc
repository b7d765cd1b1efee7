#include "command_description.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace carl::app {

std::string synopsis_of(const OptionDescription& option) {
  std::vector<std::string> names = option.names;
  std::stable_sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    return !a.starts_with("--") && b.starts_with("--");
  });
  const std::string text = fmt::format("{}", fmt::join(names, ", "));
  return option.value.empty() || option.positional() ? text : text + " " + option.value;
}

std::string usage_of(const ProgramDescription& program, const CommandDescription& command) {
  std::string text = fmt::format("{} {} [OPTION]…", program.name, command.name);
  for (const OptionDescription& option : command.options) {
    if (!option.positional()) {
      if (option.required) text += fmt::format(" {} {}", option.names.front(), option.value);
      continue;
    }
    const std::string& name = option.names.front();
    // A model is one file or two; what comes after it is one.
    const std::size_t end = option.repeated ? std::min(name.find(' '), name.size()) : name.size();
    text += " " + name.substr(0, end) + (option.repeated ? "…" : "") + name.substr(end);
  }
  return text;
}

std::string full_text(const OptionDescription& option) {
  std::string text = option.text;
  if (!option.words.empty()) text += fmt::format(": {}", fmt::join(option.words, ", "));
  if (!option.default_text.empty()) text += fmt::format(" [default: {}]", option.default_text);
  return text;
}

std::vector<std::pair<std::string, std::vector<const OptionDescription*>>> groups_of(
    const CommandDescription& command) {
  std::vector<std::pair<std::string, std::vector<const OptionDescription*>>> groups;
  const OptionDescription* help = nullptr;  // which is there in any case, and so the last
  for (const OptionDescription& option : command.options) {
    if (option.positional()) continue;
    if (option.names.front() == "--help") {
      help = &option;
      continue;
    }
    const auto found = std::find_if(groups.begin(), groups.end(),
                                    [&](const auto& group) { return group.first == option.group; });
    if (found == groups.end())
      groups.push_back({option.group, {&option}});
    else
      found->second.push_back(&option);
  }
  if (groups.empty()) groups.push_back({"Options", {}});
  if (help != nullptr) groups.back().second.push_back(help);
  return groups;
}

}  // namespace carl::app
