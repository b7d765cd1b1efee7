// Finds out in which way a text is not JSON, once it is known that it is not. simdjson's answer is
// a code and a place; here it becomes a message that helps. Speed does not matter.
#ifndef CARL_IO_JSON_SYNTAX_ERROR_H
#define CARL_IO_JSON_SYNTAX_ERROR_H

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace carl::io {

struct SyntaxError {
  std::size_t offset = 0;
  std::string message;
  std::string hint;
};

bool is_utf8(std::string_view text);

/// The first byte that cannot be part of any JSON text where it stands: broken UTF-8, comments,
/// single quotes, strings that are not closed.
std::optional<SyntaxError> find_lexical_error(std::string_view text);
/// What is wrong with the token at `offset`, or with the end of the text.
SyntaxError describe_syntax_error(std::string_view text, std::size_t offset);

}  // namespace carl::io

#endif
