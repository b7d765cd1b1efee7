#include "completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "carl/error.h"

namespace carl::app {
namespace {

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

/// The first clause of a text: there is little room.
std::string brief(const std::string& text) {
  std::size_t end = text.size();
  for (const char* stop : {". ", "; ", ": ", " ('-'"})
    end = std::min(end, text.find(stop));
  return text.substr(0, end);
}

bool takes_file(const OptionDescription& option) {
  return option.words.empty() && (option.value == "FILE" || option.value == "PREFIX");
}

bool takes_text(const OptionDescription& option) {
  return !option.value.empty() && option.words.empty() && !takes_file(option);
}

/// The words that the first argument of a command is one of; none if it is a file.
std::vector<std::string> first_words(const CommandDescription& command) {
  for (const OptionDescription& option : command.options)
    if (option.positional()) return option.words;
  return {};
}

std::string names_of(const ProgramDescription& program) {
  std::vector<std::string> names;
  for (const CommandDescription& command : program.commands)
    names.push_back(command.name);
  return fmt::format("{}", fmt::join(names, " "));
}

// --- bash -----------------------------------------------------------------------------------------

constexpr const char* bash_function = R"(
_carl() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command='' candidates
  # "--option=value" arrives as three words.
  if [[ $word == = ]]; then
    word=''
  elif [[ $before == = ]]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  if [[ $COMP_CWORD -gt 1 ]]; then command=${COMP_WORDS[1]}; fi

  COMPREPLY=()
  if candidates=$(_carl_values "$command" "$before"); then
    :
  elif _carl_takes_text "$command" "$before"; then
    return
  elif [[ $word == -* ]]; then
    candidates=$(_carl_options "$command")
  elif [[ -z $command ]]; then
    candidates="$_carl_commands help --help --version"
  elif [[ $COMP_CWORD -eq 2 ]] && candidates=$(_carl_first "$command"); then
    :
  else
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
    return
  fi
  mapfile -t COMPREPLY < <(compgen -W "$candidates" -- "$word")
}

complete -F _carl carl
)";

/// A function that prints what belongs to its arguments and fails if nothing does.
std::string bash_cases(const std::string& name, const std::string& key, const std::string& cases,
                       const std::string& otherwise) {
  return fmt::format("\n{}() {{\n  case {} in\n{}    *) {} ;;\n  esac\n}}\n", name, key, cases,
                     otherwise);
}

std::string bash(const ProgramDescription& program) {
  std::string options;
  std::string values;
  std::string texts;
  std::string first = fmt::format("    help) echo '{}' ;;\n", names_of(program));
  for (const CommandDescription& command : program.commands) {
    std::vector<std::string> names;
    for (const OptionDescription& option : command.options) {
      if (option.positional()) continue;
      names.push_back(option.names.front());
      for (const std::string& name : option.names)
        if (!option.words.empty())
          values += fmt::format("    '{} {}') echo '{}' ;;\n", command.name, name,
                                fmt::join(option.words, " "));
        else if (takes_text(option))
          texts += fmt::format("    '{} {}') ;;\n", command.name, name);
    }
    options += fmt::format("    {}) echo '{}' ;;\n", command.name, fmt::join(names, " "));
    if (const auto words = first_words(command); !words.empty())
      first += fmt::format("    {}) echo '{}' ;;\n", command.name, fmt::join(words, " "));
  }
  return fmt::format("# Completion of {0} for bash, made by '{0} completion bash'.\n\n",
                     program.name) +
         fmt::format("_carl_commands='{}'\n", names_of(program)) +
         bash_cases("_carl_options", "$1", options, "echo '--help --version'") +
         bash_cases("_carl_values", "\"$1 $2\"", values, "return 1") +
         bash_cases("_carl_takes_text", "\"$1 $2\"", texts, "return 1") +
         bash_cases("_carl_first", "$1", first, "return 1") + bash_function;
}

// --- zsh ------------------------------------------------------------------------------------------

std::string zsh_quoted(const std::string& text) {
  return "'" + replaced(text, "'", "'\\''") + "'";
}

/// "(-o --output)"{-o,--output}"[Where to]:FILE:_files", as _arguments wants it.
std::string zsh_option(const OptionDescription& option) {
  std::string text = brief(option.text);
  for (const char* special : {"\\", "[", "]"})
    text = replaced(text, special, std::string("\\") + special);
  std::string rest = "[" + text + "]";
  if (!option.value.empty()) {
    const std::string value = replaced(option.value, ":", "\\:");
    rest += ":" + value + ":";
    if (!option.words.empty())
      rest += fmt::format("({})", fmt::join(option.words, " "));
    else if (takes_file(option))
      rest += "_files";
    else
      rest += " ";
  }
  if (option.repeated) return zsh_quoted("*" + option.names.front() + rest);
  if (option.names.size() == 1) return zsh_quoted(option.names.front() + rest);
  return fmt::format("{}{{{}}}{}", zsh_quoted(fmt::format("({})", fmt::join(option.names, " "))),
                     fmt::join(option.names, ","), zsh_quoted(rest));
}

std::string zsh(const ProgramDescription& program) {
  std::string text = fmt::format(
      "#compdef {0}\n# Completion of {0} for zsh, made by '{0} completion zsh'.\n\n_carl() {{\n"
      "  local -a commands=(\n",
      program.name);
  for (const CommandDescription& command : program.commands)
    text += fmt::format(
        "    {}\n", zsh_quoted(command.name + ":" + replaced(brief(command.summary), ":", "\\:")));
  text +=
      "    'help:Explain a command'\n  )\n"
      "  if (( CURRENT == 2 )); then\n"
      "    if [[ $PREFIX == -* ]]; then\n"
      "      _arguments '(-h --help)'{-h,--help}'[This help]' "
      "'(-V --version)'{-V,--version}'[The version]'\n"
      "    else\n      _describe command commands\n    fi\n    return\n  fi\n"
      "  shift words\n  (( CURRENT-- ))\n  case $words[1] in\n"
      "    help) _describe command commands ;;\n";
  for (const CommandDescription& command : program.commands) {
    text += fmt::format("    {})\n      _arguments", command.name);
    for (const OptionDescription& option : command.options)
      if (!option.positional()) text += " \\\n        " + zsh_option(option);
    const std::vector<std::string> words = first_words(command);
    text += words.empty() ? " \\\n        '*:file:_files'\n"
                          : fmt::format(" \\\n        '1:name:({})'\n", fmt::join(words, " "));
    text += "      ;;\n";
  }
  return text +
         "  esac\n}\n\nif [[ $funcstack[1] == _carl ]]; then\n  _carl \"$@\"\nelse\n"
         "  compdef _carl carl\nfi\n";
}

// --- fish -----------------------------------------------------------------------------------------

std::string fish_quoted(const std::string& text) {
  return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

std::string fish(const ProgramDescription& program) {
  const std::string& name = program.name;
  std::string text =
      fmt::format("# Completion of {0} for fish, made by '{0} completion fish'.\n\n", name);
  text += fmt::format("complete -c {} -f\n", name);
  const std::string none = "-n __fish_use_subcommand";
  for (const CommandDescription& command : program.commands)
    text += fmt::format("complete -c {} {} -a {} -d {}\n", name, none, command.name,
                        fish_quoted(brief(command.summary)));
  text += fmt::format("complete -c {} {} -a help -d 'Explain a command'\n", name, none);
  text += fmt::format("complete -c {} {} -s h -l help -d 'This help'\n", name, none);
  text += fmt::format("complete -c {} {} -s V -l version -d 'The version'\n", name, none);
  text += fmt::format("complete -c {} -n '__fish_seen_subcommand_from help' -a '{}'\n", name,
                      names_of(program));
  for (const CommandDescription& command : program.commands) {
    const std::string head =
        fmt::format("complete -c {} -n '__fish_seen_subcommand_from {}'", name, command.name);
    const std::vector<std::string> words = first_words(command);
    text +=
        words.empty() ? head + " -F\n" : fmt::format("{} -a '{}'\n", head, fmt::join(words, " "));
    for (const OptionDescription& option : command.options) {
      if (option.positional()) continue;
      text += head;
      for (const std::string& one : option.names)
        text += one.starts_with("--") ? " -l " + one.substr(2) : " -s " + one.substr(1);
      if (!option.words.empty())
        text += fmt::format(" -x -a '{}'", fmt::join(option.words, " "));
      else if (takes_file(option))
        text += " -r -F";
      else if (!option.value.empty())
        text += " -x";
      text += " -d " + fish_quoted(brief(option.text)) + "\n";
    }
  }
  return text;
}

}  // namespace

std::vector<std::string> completion_shells() {
  return {"bash", "zsh", "fish"};
}

std::string completion(const ProgramDescription& program, const std::string& shell) {
  if (shell == "bash") return bash(program);
  if (shell == "zsh") return zsh(program);
  return fish(program);
}

}  // namespace carl::app
