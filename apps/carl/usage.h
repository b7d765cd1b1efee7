// What the command line says when it is used wrongly or asked for help, in the words and the form
// of all other messages, not those of the library that parses it.
#ifndef CARL_APPS_USAGE_H
#define CARL_APPS_USAGE_H

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace carl::app {

/// The text for `carl help` and `carl help COMMAND`; `arguments` are those after "help". Throws
/// InputError if there is no such command.
std::string help_text(const CLI::App& app, const std::vector<std::string>& arguments);

/// Throws InputError: what is wrong with the arguments, and what may have been meant.
[[noreturn]] void explain_usage(const CLI::App& app, const std::vector<std::string>& arguments,
                                const CLI::ParseError& error);

/// Values of options: a number above 0, or from 0 on; neither infinity nor "nan".
CLI::Validator positive_number();
CLI::Validator non_negative_number();
CLI::Validator whole_number(std::uint64_t least = 0,
                            std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
/// One of a few words.
CLI::Validator one_of(const std::vector<std::string>& words);

/// An option whose values have names: those that `names` lists and `named` reads.
template <class Target, class Value>
CLI::Option* add_choice(CLI::App& app, const std::string& flag, Target& target,
                        const std::string& description, const std::vector<std::string>& names,
                        Value (*named)(std::string_view)) {
  return app
      .add_option_function<std::string>(
          flag, [&target, named](const std::string& name) { target = named(name); }, description)
      ->check(one_of(names));
}

}  // namespace carl::app

#endif
