#include "io/text_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "carl/error.h"
#include "io/json_syntax_error.h"
#include "io/labelled_model.h"
#include "util/shown.h"

namespace carl::io {
namespace {

constexpr std::string_view blanks = " \t\r\v\f";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return text.substr(text.size());
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace

void TextLines::require_utf8() const {
  if (!is_utf8(rest_)) throw InputError(SourcePosition{name_, 0, 0}, "", "this is not UTF-8 text");
}

bool TextLines::next() {
  if (rest_.empty()) return false;
  const std::size_t end = std::min(rest_.find('\n'), rest_.size());
  full_ = rest_.substr(0, end);
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  line_ = trimmed(full_);
  words_ = line_;
  ++number_;
  return true;
}

bool TextLines::next_but(std::string_view comment) {
  while (next())
    if (!line_.empty() && !line_.starts_with(comment)) return true;
  return false;
}

std::string_view TextLines::rest() {
  words_ = trimmed(words_);
  return words_;
}

std::string_view TextLines::take(std::size_t length) {
  const std::string_view taken = words_.substr(0, length);
  words_.remove_prefix(taken.size());
  return taken;
}

std::string_view TextLines::word() {
  rest();
  return take(std::min(words_.find_first_of(blanks), words_.size()));
}

std::uint64_t TextLines::index(const char* what, std::uint64_t end) {
  const std::string_view text = word();
  if (text.empty()) fail_at(text, fmt::format("the {} is missing", what));
  const auto number = parse_index(text, end);
  if (!number)
    fail_at(text, fmt::format("the {} is '{}', but must be a whole number below {}", what,
                              shown(text), end));
  return *number;
}

double TextLines::value(const char* what) {
  const std::string_view text = word();
  if (text.empty()) fail_at(text, fmt::format("the {} is missing", what));
  return value_of(text, what);
}

double TextLines::value_of(std::string_view text, const char* what) const {
  if (text.starts_with("["))
    fail_at(text, fmt::format("the {} is an interval: such models are not solved", what));
  const auto number = parse_value(text);
  if (!number) fail_at(text, fmt::format("the {} is '{}', which is no number", what, shown(text)));
  return *number;
}

void TextLines::expect_end() {
  if (!rest().empty()) fail_at(words_, fmt::format("'{}' is not expected here", shown(words_)));
}

void TextLines::fail_at(std::string_view at, const std::string& message,
                        const std::string& hint) const {
  const std::size_t column = at.data() >= full_.data() && at.data() <= full_.data() + full_.size()
                                 ? static_cast<std::size_t>(at.data() - full_.data()) + 1
                                 : 1;
  constexpr std::size_t longest = 200;
  const std::string shown_line(column <= longest ? full_.substr(0, longest) : std::string_view());
  throw InputError(SourcePosition{name_, std::max<std::size_t>(number_, 1), column}, shown_line,
                   message, hint);
}

void TextLines::fail(const std::string& message, const std::string& hint) const {
  fail_at(line_.empty() ? full_ : line_, message, hint);
}

void TextLines::rethrow() const {
  try {
    throw;
  } catch (const InputError& error) {
    if (!error.position().file.empty()) throw;
    fail(error.message(), error.hint());
  }
}

}  // namespace carl::io
