// Cuts a text into parentheses and words. PPDDL has no other tokens: whether a word is a name, a
// variable, a keyword or a number is for the reader of the forms to say, who knows what to expect.
#ifndef CARL_PDDL_LEXER_H
#define CARL_PDDL_LEXER_H

#include <string_view>
#include <vector>

#include "pddl/read.h"

namespace carl::pddl {

struct Token {
  enum class Kind { open, close, word, end };

  Kind kind = Kind::end;
  std::string_view text;  // of a word
  Position position;
};

class Lexer {
 public:
  /// `text` is what to cut up: the text of sources[file], up to the case of its letters.
  Lexer(const std::vector<SourceText>& sources, std::size_t file, std::string_view text);

  /// Throws InputError at bytes that have no place in PPDDL.
  Token next();

 private:
  void skip_blanks_and_comments();
  [[noreturn]] void reject_byte() const;
  Position here() const;

  const std::vector<SourceText>* sources_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t file_;
};

}  // namespace carl::pddl

#endif
