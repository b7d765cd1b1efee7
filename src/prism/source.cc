#include "prism/source.h"

#include <fmt/format.h>

#include "util/shown.h"

namespace carl::prism {
namespace {

std::string line_of(const std::string& text, std::size_t line) {
  std::size_t begin = 0;
  for (; line > 1; --line)
    begin = text.find('\n', begin) + 1;
  std::string result = text.substr(begin, text.find('\n', begin) - begin);
  if (result.ends_with('\r')) result.pop_back();
  return result;
}

template <class Error>
Error error_of(const Position& position, std::string message, std::string hint) {
  if (position.source == nullptr) return Error(std::move(message), std::move(hint));
  return Error({position.source->name, position.line, position.column},
               position.line > 0 ? line_of(position.source->text, position.line) : std::string(),
               std::move(message), std::move(hint));
}

}  // namespace

InputError error_at(const Position& position, std::string message, std::string hint) {
  return error_of<InputError>(position, std::move(message), std::move(hint));
}

OptionError option_error_at(const Position& position, std::string message, std::string hint) {
  return error_of<OptionError>(position, std::move(message), std::move(hint));
}

std::string quoted(std::string_view text) {
  return fmt::format("'{}'", shown(text));
}

std::string place_of(const Position& position) {
  if (position.source == nullptr) return {};
  return fmt::format("{}:{}", position.source->name, position.line);
}

}  // namespace carl::prism
