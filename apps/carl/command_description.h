// What a command is and which options it has, in words: the one source of the help, the manual
// pages and the completions of shells.
#ifndef CARL_APPS_COMMAND_DESCRIPTION_H
#define CARL_APPS_COMMAND_DESCRIPTION_H

#include <deque>
#include <string>
#include <vector>

namespace carl::app {

struct OptionDescription {
  /// With their dashes, the long one first; of a positional argument its name alone, as in "MODEL".
  std::vector<std::string> names;
  std::string value;               // what the help calls its value; empty: it is a flag
  std::vector<std::string> words;  // that the value is one of; empty: it is none of a few
  std::string text;
  std::string default_text;  // empty: none to mention
  std::string group;
  bool repeated = false;
  bool required = false;

  bool positional() const { return names.front().front() != '-'; }
};

struct CommandDescription {
  std::string name;
  std::string summary;
  /// Paragraphs; lines that begin with two spaces stay as they are. Those that begin with
  /// "Example…:" and "Exit status:" have a place of their own in a manual.
  std::string footer;
  std::deque<OptionDescription> options;  // whose places do not change
  std::string group = "Options";          // of the options that are added next
};

struct ProgramDescription {
  std::string name;
  std::string version;
  std::string summary;
  std::string footer;
  std::deque<CommandDescription> commands;  // likewise
};

/// "-o, --output FILE"; of a positional argument its name.
std::string synopsis_of(const OptionDescription& option);
/// "carl solve [OPTION]… MODEL…": how to call it.
std::string usage_of(const ProgramDescription& program, const CommandDescription& command);
/// What the option does, its values and its default.
std::string full_text(const OptionDescription& option);
/// The options in the order of their groups, each group once.
std::vector<std::pair<std::string, std::vector<const OptionDescription*>>> groups_of(
    const CommandDescription& command);

}  // namespace carl::app

#endif
