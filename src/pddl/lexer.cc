#include "pddl/lexer.h"

#include <fmt/format.h>

namespace carl::pddl {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_word_character(char c) {
  return c > ' ' && c < 0x7f && c != '(' && c != ')' && c != ';';
}

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

}  // namespace

Lexer::Lexer(const std::vector<SourceText>& sources, std::size_t file, std::string_view text)
    : sources_(&sources), text_(text), file_(static_cast<std::uint32_t>(file)) {
  if (text_.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
}

Token Lexer::next() {
  skip_blanks_and_comments();
  const Position position = here();
  if (at_ == text_.size()) return {Token::Kind::end, {}, position};
  const char c = text_[at_];
  if (c == '(' || c == ')') {
    ++at_;
    return {c == '(' ? Token::Kind::open : Token::Kind::close, {}, position};
  }
  const std::size_t begin = at_;
  // Files in use leave out the blank in "?x -type". Nothing else begins with a dash and a letter.
  if (c == '-' && at_ + 1 < text_.size() && is_letter(text_[at_ + 1])) {
    ++at_;
    return {Token::Kind::word, text_.substr(begin, 1), position};
  }
  while (at_ < text_.size() && is_word_character(text_[at_]))
    ++at_;
  if (at_ == begin) reject_byte();
  return {Token::Kind::word, text_.substr(begin, at_ - begin), position};
}

void Lexer::skip_blanks_and_comments() {
  bool in_comment = false;
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (c == '\n') {
      ++line_;
      line_start_ = at_ + 1;
      in_comment = false;
    } else if (c == ';') {
      in_comment = true;
    } else if (!in_comment && !is_blank(c)) {
      return;
    }
  }
}

void Lexer::reject_byte() const {
  const auto byte = static_cast<unsigned char>(text_[at_]);
  const bool non_ascii = byte >= 0x80;
  throw error_at(*sources_, here(),
                 fmt::format("{} (byte 0x{:02x})",
                             non_ascii ? "a character outside ASCII" : "a control character", byte),
                 non_ascii ? "names are made of ASCII letters, digits, '-' and '_'; comments may "
                             "contain anything"
                           : "is this a text file?");
}

Position Lexer::here() const {
  return {file_, line_, static_cast<std::uint32_t>(at_ - line_start_ + 1)};
}

}  // namespace carl::pddl
