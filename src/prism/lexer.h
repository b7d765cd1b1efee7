// Cuts a text in PRISM's language, a model or a property, into tokens. They are all cut at once, so
// that whoever parses can look ahead as far as it likes.
#ifndef CARL_PRISM_LEXER_H
#define CARL_PRISM_LEXER_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "prism/source.h"

namespace carl::prism {

struct Token {
  enum class Kind {
    identifier,
    keyword,  // reserved words: the operators of properties (F, G, U, P, R, C, ...) are among them
    integer,
    real,
    string,  // "name"; its text is without the quotes
    symbol,
    end,
  };

  Kind kind = Kind::end;
  std::string_view text;  // part of the source
  Position position;
  std::int64_t integer = 0;  // the value of an integer
  double real = 0;           // the value of a real

  /// A keyword or a symbol.
  bool is(std::string_view word) const {
    return (kind == Kind::keyword || kind == Kind::symbol) && text == word;
  }
  /// For messages: "';'", "the name 'x'", "the end of the text".
  std::string shown() const;
};

/// Throws InputError at bytes that have no place in the language, and at numbers that are too large.
std::vector<Token> tokens_of(const Source& source);

bool is_reserved(std::string_view word);

/// Tokens one after the other. The last one is the end and is never passed.
class TokenStream {
 public:
  explicit TokenStream(const Source& source) : tokens_(tokens_of(source)) {}

  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[at_ + ahead < tokens_.size() ? at_ + ahead : tokens_.size() - 1];
  }
  const Token& take() {
    const Token& token = tokens_[at_];
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
  }
  bool at_end() const { return peek().kind == Token::Kind::end; }
  /// Takes the next token if it is this keyword or symbol.
  bool accept(std::string_view word) {
    if (!peek().is(word)) return false;
    take();
    return true;
  }
  /// Takes it or throws: "expected ';' after the guard but found ...". `where` follows the word.
  const Token& expect(std::string_view word, std::string_view where = {});
  /// An identifier; `what` is what it names, for the message.
  const Token& expect_identifier(std::string_view what);
  [[noreturn]] void fail_expected(std::string_view what) const;

 private:
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

}  // namespace carl::prism

#endif
