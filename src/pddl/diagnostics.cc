#include "pddl/diagnostics.h"

#include <fmt/format.h>

#include "pddl/read.h"

namespace carl::pddl {
namespace {

constexpr std::size_t longest_quote = 60;

std::string line_of(const std::string& text, std::size_t line) {
  std::size_t begin = 0;
  for (; line > 1; --line)
    begin = text.find('\n', begin) + 1;
  std::string result = text.substr(begin, text.find('\n', begin) - begin);
  if (result.ends_with('\r')) result.pop_back();
  return result;
}

}  // namespace

InputError error_at(const std::vector<SourceText>& sources, Position position, std::string message,
                    std::string hint) {
  const SourceText& source = sources[position.file];
  return {{source.name, position.line, position.column},
          position.line > 0 ? line_of(source.text, position.line) : std::string(),
          std::move(message),
          std::move(hint)};
}

std::string quoted(std::string_view text) {
  if (text.size() <= longest_quote) return fmt::format("'{}'", text);
  return fmt::format("'{}...'", text.substr(0, longest_quote));
}

}  // namespace carl::pddl
