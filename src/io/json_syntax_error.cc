#include "io/json_syntax_error.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>

namespace carl::io {
namespace {

/// The first byte at which the text stops being UTF-8. Line by line, because no character of
/// several bytes contains a line break.
std::size_t find_invalid_utf8(std::string_view text) {
  std::size_t line = 0;
  while (line < text.size()) {
    const std::size_t next = std::min(text.find('\n', line), text.size() - 1) + 1;
    if (!simdjson::validate_utf8(text.data() + line, next - line)) break;
    line = next;
  }
  // Within the line by bisection over the beginnings of characters.
  std::size_t good = line;
  std::size_t bad = std::min(text.find('\n', line), text.size());
  const auto is_continuation = [&](std::size_t i) {
    return i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U;
  };
  while (bad - good > 1) {
    std::size_t middle = good + (bad - good) / 2;
    while (middle > good && is_continuation(middle))
      --middle;
    if (middle == good) break;
    (simdjson::validate_utf8(text.data() + line, middle - line) ? good : bad) = middle;
  }
  return good;
}

std::optional<SyntaxError> outside_string(std::size_t offset, char c) {
  switch (c) {
    case '/':
    case '#':
      return SyntaxError{offset, "JSON has no comments", "remove the comment"};
    case '\'':
      return SyntaxError{offset, "JSON has no single quotes", "write names in double quotes"};
    default:
      return std::nullopt;
  }
}

std::optional<SyntaxError> inside_string(std::size_t start, std::size_t offset, char c) {
  if (c == '\n' || c == '\r')
    return SyntaxError{start, "this string is not closed on its line",
                       "a quote is missing, or a line break must be written as \\n"};
  return SyntaxError{offset, fmt::format("a string contains the control character 0x{:02x}", c),
                     fmt::format("write it as \\u{:04x}", c)};
}

std::optional<SyntaxError> find_wrong_character(std::string_view text) {
  bool in_string = false;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (!in_string) {
      if (auto error = outside_string(i, c)) return error;
      in_string = c == '"';
      start = i;
    } else if (c == '\\') {
      ++i;
    } else if (c == '"') {
      in_string = false;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      return inside_string(start, i, c);
    }
  }
  if (in_string) return SyntaxError{start, "this string is not closed", {}};
  return std::nullopt;
}

}  // namespace

bool is_utf8(std::string_view text) {
  return simdjson::validate_utf8(text.data(), text.size());
}

std::optional<SyntaxError> find_lexical_error(std::string_view text) {
  std::optional<SyntaxError> error = find_wrong_character(text);
  if (!simdjson::validate_utf8(text.data(), text.size())) {
    const std::size_t offset = find_invalid_utf8(text);
    if (!error || offset <= error->offset)
      error = SyntaxError{offset, "this is not UTF-8 text", {}};
  }
  return error;
}

SyntaxError describe_syntax_error(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) {
    const std::size_t last = text.find_last_not_of(" \t\r\n");
    return {last, "the text does not end with the '}' that closes the '{' at its beginning",
            "is the file cut off, or a bracket not closed?"};
  }
  const char c = text[offset];
  const bool printable = c >= 0x20 && c < 0x7f;
  const std::string message =
      fmt::format("{} cannot stand here", printable ? fmt::format("'{}'", c) : "this character");
  switch (c) {
    case '}':
    case ']':
      return {offset, message, "is there a comma too many before it, or does a bracket not match?"};
    case '{':
    case '[':
    case '"':
      return {offset, message, "is a comma or a colon missing before it?"};
    default:
      break;
  }
  if ((c >= '0' && c <= '9') || c == '-')
    return {offset, message, "is a comma or a colon missing before it?"};
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
    return {offset, message, "names are written in double quotes"};
  return {offset, message, {}};
}

}  // namespace carl::io
