// Reads any bytes as the options of a command, one argument per line. They are either rejected,
// with an InputError, or they mean something. Likewise as the name of an algorithm or a heuristic,
// if it is one word.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "../apps/carl/command_line.h"
#include "../apps/carl/model_options.h"
#include "carl/error.h"
#include "carl/options.h"

namespace {

/// A name is one that is listed, or it is rejected.
template <class Value>
void read_name(const std::string& name, Value (*named)(std::string_view)) {
  try {
    if (to_string(named(name)) != name) std::abort();
  } catch (const carl::OptionError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream input(std::string(reinterpret_cast<const char*>(data), size));
  std::vector<std::string> arguments;
  for (std::string argument; std::getline(input, argument);)
    arguments.push_back(argument);
  if (arguments.size() == 1) {  // a word alone: throwing for each of several takes long
    read_name(arguments[0], carl::algorithm_named);
    read_name(arguments[0], carl::outer_named);
    read_name(arguments[0], carl::inner_named);
    read_name(arguments[0], carl::heuristic_named);
    read_name(arguments[0], carl::heuristic_mode_named);
  }
  arguments.insert(arguments.begin(), "solve");
  carl::app::CommandLine line("", "", "");
  carl::app::Command command = line.add_command("solve", "");
  carl::app::ModelOptions options;
  options.add_to(command);
  const std::atomic<bool> interrupt = false;
  try {
    if (line.parse(arguments, carl::app::Style())) return 0;  // they ask for help
    options.monitor(interrupt);
    options.take_ranges();
    options.cssp_options();
  } catch (const carl::InputError&) {
  }
  return 0;
}
