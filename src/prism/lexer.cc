#include "prism/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "util/shown.h"

namespace carl::prism {
namespace {

// The words that the language keeps for itself, in the order of the alphabet.
constexpr std::array<std::string_view, 60> reserved_words = {
    "A",
    "C",
    "E",
    "F",
    "G",
    "I",
    "P",
    "Pmax",
    "Pmin",
    "R",
    "Rmax",
    "Rmin",
    "S",
    "U",
    "W",
    "X",
    "bool",
    "clock",
    "const",
    "csg",
    "ctmc",
    "double",
    "dtmc",
    "endinit",
    "endinvariant",
    "endmodule",
    "endobservables",
    "endplayer",
    "endrewards",
    "endsystem",
    "false",
    "filter",
    "formula",
    "func",
    "global",
    "init",
    "int",
    "invariant",
    "label",
    "max",
    "mdp",
    "min",
    "module",
    "nondeterministic",
    "observable",
    "observables",
    "of",
    "player",
    "pomdp",
    "popta",
    "prob",
    "probabilistic",
    "pta",
    "rate",
    "rewards",
    "smg",
    "stochastic",
    "system",
    "true",
    "tsg",
};

// Longer ones before those that they begin with.
constexpr std::string_view symbols[] = {"<=>", "<=", "=>", "->", "..", "!=", ">=", "<", ">", "=",
                                        "!",   "&",  "|",  "+",  "-",  "*",  "/",  "(", ")", "[",
                                        "]",   "{",  "}",  ",",  ";",  ":",  "?",  "'", "^"};

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}

class Lexer {
 public:
  explicit Lexer(const Source& source) : source_(source), text_(source.text) {
    if (text_.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
  }

  Token next() {
    skip_blanks_and_comments();
    Token token;
    token.position = here();
    if (at_ == text_.size()) return token;
    const char c = text_[at_];
    if (is_digit(c) || (c == '.' && is_digit(after(1)))) return number(token);
    if (is_word_character(c)) return word(token);
    if (c == '"') return string(token);
    for (const std::string_view symbol : symbols)
      if (text_.substr(at_).starts_with(symbol)) {
        token.kind = Token::Kind::symbol;
        token.text = text_.substr(at_, symbol.size());
        at_ += symbol.size();
        return token;
      }
    reject_byte();
  }

 private:
  void skip_blanks_and_comments() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_;
        line_start_ = at_ + 1;
      } else if (c == '/' && after(1) == '/') {
        at_ = std::min(text_.find('\n', at_), text_.size()) - 1;
      } else if (!is_blank(c)) {
        return;
      }
    }
  }

  Token word(Token token) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_word_character(text_[at_]))
      ++at_;
    token.text = text_.substr(begin, at_ - begin);
    token.kind = is_reserved(token.text) ? Token::Kind::keyword : Token::Kind::identifier;
    return token;
  }

  Token number(Token token) {
    const std::size_t begin = at_;
    bool is_real = false;
    skip_digits();
    // "0..3" is a range.
    if (after(0) == '.' && after(1) != '.') {
      is_real = true;
      ++at_;
      skip_digits();
    }
    const char e = after(0);
    const std::size_t sign = after(1) == '-' || after(1) == '+' ? 1 : 0;
    if ((e == 'e' || e == 'E') && is_digit(after(1 + sign))) {
      is_real = true;
      at_ += 1 + sign;
      skip_digits();
    }
    if (is_word_character(after(0)))
      throw error_at(token.position, "a name cannot begin with a digit");
    token.text = text_.substr(begin, at_ - begin);
    token.kind = is_real ? Token::Kind::real : Token::Kind::integer;
    const char* end = token.text.data() + token.text.size();
    if (is_real) {
      const auto [stop, failure] = std::from_chars(token.text.data(), end, token.real);
      // What is too small to be told from zero is zero; from_chars says so like of what is too large.
      if (failure != std::errc() && !is_tiny(token.text))
        throw error_at(token.position,
                       fmt::format("the number {} is too large", quoted(token.text)));
    } else if (std::from_chars(token.text.data(), end, token.integer).ec != std::errc()) {
      throw error_at(token.position, fmt::format("the integer {} is too large", quoted(token.text)),
                     "integers have 64 bits");
    }
    return token;
  }

  static bool is_tiny(std::string_view text) {
    const std::size_t e = text.find_first_of("eE");
    if (e == std::string_view::npos) return text.starts_with("0.") || text.starts_with('.');
    return text[e + 1] == '-';
  }

  Token string(Token token) {
    const std::size_t end = text_.find_first_of("\"\n", at_ + 1);
    if (end == std::string_view::npos || text_[end] == '\n')
      throw error_at(token.position, "this quote is not closed on its line");
    token.kind = Token::Kind::string;
    token.text = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return token;
  }

  void skip_digits() {
    while (at_ < text_.size() && is_digit(text_[at_]))
      ++at_;
  }

  char after(std::size_t offset) const {
    return at_ + offset < text_.size() ? text_[at_ + offset] : '\0';
  }

  [[noreturn]] void reject_byte() const {
    const auto byte = static_cast<unsigned char>(text_[at_]);
    if (byte > 0x20 && byte < 0x7f)
      throw error_at(here(), fmt::format("'{}' has no meaning in PRISM's language", text_[at_]));
    const bool non_ascii = byte >= 0x80;
    throw error_at(
        here(),
        fmt::format("{} (byte 0x{:02x})",
                    non_ascii ? "a character outside ASCII" : "a control character", byte),
        non_ascii ? "names are made of ASCII letters, digits and '_'; comments may contain anything"
                  : "is this a text file?");
  }

  Position here() const {
    return {&source_, line_, static_cast<std::uint32_t>(at_ - line_start_ + 1)};
  }

  const Source& source_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace

std::string Token::shown() const {
  switch (kind) {
    case Kind::end:
      return "the end of the text";
    case Kind::string:
      return fmt::format("\"{}\"", carl::shown(text));
    default:
      return quoted(text);
  }
}

bool is_reserved(std::string_view word) {
  return std::binary_search(reserved_words.begin(), reserved_words.end(), word);
}

std::vector<Token> tokens_of(const Source& source) {
  Lexer lexer(source);
  std::vector<Token> tokens;
  do
    tokens.push_back(lexer.next());
  while (tokens.back().kind != Token::Kind::end);
  return tokens;
}

const Token& TokenStream::expect(std::string_view word, std::string_view where) {
  if (!peek().is(word))
    fail_expected(where.empty() ? fmt::format("'{}'", word) : fmt::format("'{}' {}", word, where));
  return take();
}

const Token& TokenStream::expect_identifier(std::string_view what) {
  if (peek().kind == Token::Kind::keyword)
    throw error_at(peek().position,
                   fmt::format("expected {} but found {}, which is a word of the language", what,
                               peek().shown()),
                   "choose another name");
  if (peek().kind != Token::Kind::identifier) fail_expected(what);
  return take();
}

void TokenStream::fail_expected(std::string_view what) const {
  throw error_at(peek().position, fmt::format("expected {} but found {}", what, peek().shown()));
}

}  // namespace carl::prism
