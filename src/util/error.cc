#include "carl/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace carl {
namespace {

constexpr std::size_t shown_columns = 100;

/// The source line with a caret below the column; long lines are cut around it.
std::string excerpt(const std::string& line, std::size_t column) {
  const std::size_t caret = std::min(column == 0 ? 0 : column - 1, line.size());
  const std::size_t begin = caret > shown_columns - 20 ? caret - (shown_columns - 20) : 0;
  std::string shown = line.substr(begin, shown_columns);
  // Tabs and unprintable bytes would move the caret away from its column.
  for (char& c : shown)
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f)
      c = c == '\t' ? ' ' : '?';
  return fmt::format("\n  {}\n  {}^", shown, std::string(caret - begin, ' '));
}

std::string render(const SourcePosition& position, const std::string& line,
                   const std::string& message, const std::string& hint) {
  std::string text;
  if (!position.file.empty()) text += position.file + ":";
  if (position.line > 0) text += fmt::format("{}:{}:", position.line, position.column);
  text += (text.empty() ? "error: " : " error: ") + message;
  if (position.line > 0) text += excerpt(line, position.column);
  if (!hint.empty()) text += "\n  hint: " + hint;
  return text;
}

}  // namespace

InputError::InputError(std::string message, std::string hint)
    : InputError(SourcePosition{}, {}, std::move(message), std::move(hint)) {}

InputError::InputError(SourcePosition position, const std::string& source_line, std::string message,
                       std::string hint)
    : std::runtime_error(render(position, source_line, message, hint)),
      position_(std::move(position)),
      message_(std::move(message)),
      hint_(std::move(hint)) {}

}  // namespace carl
