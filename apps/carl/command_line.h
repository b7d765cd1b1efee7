// The command line as commands describe it: their options, what these accept, their help. CLI11
// reads it, and takes seconds to compile: command_line.cc alone includes it. Texts for users are
// in the words and the form of all other messages, not in those of CLI11.
#ifndef CARL_APPS_COMMAND_LINE_H
#define CARL_APPS_COMMAND_LINE_H

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command_description.h"
#include "style.h"
#include "value_check.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace carl::app {

/// Returns the exit status.
using Run = std::function<int()>;

/// An option or positional argument of a command, to be described further.
class Option {
 public:
  Option(CLI::Option& option, OptionDescription& description)
      : option_(&option), description_(&description) {}

  /// What the help calls its value.
  Option& type_name(const std::string& name);
  /// What the value is one of, for help and completion; check() rejects all else.
  Option& words(const std::vector<std::string>& words);
  Option& description(const std::string& text);
  Option& required();
  /// How many values a positional argument has.
  Option& expected(int least, int most);
  /// Takes one value each time it is given, and so no file that follows it.
  Option& one_value_each();
  Option& check(const ValueCheck& check);
  Option& transform(const ValueTransform& transform);
  /// What the help shows as the default: the value that the variable has now, or a text.
  Option& show_default();
  Option& show_default(std::string_view text);
  Option& excludes(const Option& other);

 private:
  CLI::Option* option_;
  OptionDescription* description_;
};

class Command {
 public:
  Command(CLI::App& command, CommandDescription& description, Run& run)
      : command_(&command), description_(&description), run_(&run) {}

  /// The heading in the help of the options that are added from now on.
  void group(const std::string& name) { description_->group = name; }

  /// `names` as in "--output,-o", or of a positional argument as in "MODEL". The value is kept in
  /// a variable that must outlive parsing: a string, a list of them, a number or an optional one.
  template <class Value>
  Option option(const std::string& names, Value& value, const std::string& description);
  Option option(const std::string& names, std::function<void(const std::string&)> take,
                const std::string& description);
  Option flag(const std::string& names, bool& value, const std::string& description);
  /// An option whose values have names: those that `values` lists and `named` reads.
  template <class Target, class Value>
  Option choice(const std::string& names, Target& target, const std::string& description,
                const std::vector<std::string>& values, Value (*named)(std::string_view)) {
    return option(
               names, [&target, named](const std::string& name) { target = named(name); },
               description)
        .type_name("NAME")
        .check(one_of(values));
  }
  /// An option that was added before.
  Option existing(const std::string& name);
  /// What the help ends with.
  void footer(const std::string& text);
  /// What to do if this is the command given.
  void on_run(Run run) { *run_ = std::move(run); }

 private:
  Option described(CLI::Option& option, const std::string& names, const std::string& value,
                   const std::string& text);

  CLI::App* command_;
  CommandDescription* description_;
  Run* run_;
};

class CommandLine {
 public:
  CommandLine(const std::string& description, const std::string& version,
              const std::string& footer);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  Command add_command(const std::string& name, const std::string& description);
  /// All of it in words; complete once all commands have been added.
  const ProgramDescription& description() const;
  /// The text that the arguments ask for: help, a manual page or the version. None if they are a
  /// command. Throws InputError if they are neither: what is wrong, and what may have been meant.
  std::optional<std::string> parse(const std::vector<std::string>& arguments, const Style& style);
  /// Runs the command that was parsed.
  int run();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace carl::app

#endif
