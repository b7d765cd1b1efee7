#include "pddl/s_expression.h"

#include <fmt/format.h>

#include <limits>

#include "pddl/diagnostics.h"
#include "pddl/lexer.h"

namespace carl::pddl {
namespace {

template <class Characters>
Characters in_lower_case(std::string_view text) {
  Characters result(text.begin(), text.end());
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

/// Puts the forms of one text together; `open_` holds the lists that are not closed yet.
class FormBuilder {
 public:
  FormBuilder(const std::vector<SourceText>& sources, std::vector<Node>& nodes)
      : sources_(sources), nodes_(nodes) {}

  void take(const Token& token);
  void finish() const;

 private:
  void take_word(const Token& token);
  void open(const Token& token);
  void close(const Token& token);
  void check_section_start(const Token& word) const;

  const std::vector<SourceText>& sources_;
  std::vector<Node>& nodes_;
  std::vector<std::size_t> open_;
};

void FormBuilder::take(const Token& token) {
  switch (token.kind) {
    case Token::Kind::open:
      return open(token);
    case Token::Kind::close:
      return close(token);
    case Token::Kind::word:
      return take_word(token);
    case Token::Kind::end:
      return finish();
  }
}

void FormBuilder::take_word(const Token& token) {
  if (open_.empty())
    throw error_at(
        sources_, token.position, fmt::format("expected '(' but found {}", quoted(token.text)),
        "a PPDDL text is made of (define (domain ...) ...) and (define (problem ...) ...)");
  check_section_start(token);
  ++nodes_[open_.back()].size;
  nodes_.push_back({token.text, token.position, 1, 0});
}

void FormBuilder::open(const Token& token) {
  if (open_.size() == max_nesting)
    throw error_at(
        sources_, token.position,
        fmt::format("nested too deeply: more than {} parentheses are open here", max_nesting));
  if (!open_.empty()) ++nodes_[open_.back()].size;
  open_.push_back(nodes_.size());
  nodes_.push_back({{}, token.position, 1, 0});
}

void FormBuilder::close(const Token& token) {
  if (open_.empty())
    throw error_at(sources_, token.position, "this ')' closes nothing",
                   "there is one ')' too many, here or before");
  const std::size_t list = open_.back();
  open_.pop_back();
  nodes_[list].end = static_cast<std::uint32_t>(nodes_.size() - list);
}

void FormBuilder::finish() const {
  if (open_.empty()) return;
  throw error_at(sources_, nodes_[open_.front()].position, "this '(' is never closed",
                 fmt::format("at the end of the text {} ')' {} missing", open_.size(),
                             open_.size() == 1 ? "is" : "are"));
}

/// A definition or a section that begins inside another one tells where a ')' was forgotten, long
/// before the end of the text would.
void FormBuilder::check_section_start(const Token& word) const {
  if (nodes_.size() - 1 != open_.back()) return;  // not the first word of its list
  const bool definition = word.text == "define";
  const bool section = word.text.front() == ':';
  const std::size_t depth = open_.size() - 1;
  if (!(definition && depth > 0) && !(section && depth > 1)) return;
  const Node& unclosed = nodes_[open_[definition ? 0 : 1]];
  throw error_at(
      sources_, unclosed.position,
      fmt::format("this '(' is not closed before {} in line {}",
                  definition ? "the next definition" : "the section " + quoted(word.text),
                  word.position.line),
      fmt::format("a ')' is missing somewhere before line {}", word.position.line));
}

}  // namespace

std::string lower_case(std::string_view text) {
  return in_lower_case<std::string>(text);
}

std::optional<Rational> Form::number() const {
  // Longer numbers are not meant seriously and would take long to convert.
  constexpr std::size_t longest = 400;
  return is_word() && text().size() <= longest ? parse_rational(text()) : std::nullopt;
}

Form Form::operator[](std::size_t i) const {
  Iterator element = begin();
  for (; i > 0; --i)
    ++element;
  return *element;
}

FormTree::FormTree(const std::vector<SourceText>& sources, std::size_t file, Monitor& monitor)
    : text_(in_lower_case<std::vector<char>>(sources[file].text)) {
  if (text_.size() > std::numeric_limits<std::uint32_t>::max())
    throw error_at(sources, {static_cast<std::uint32_t>(file), 0, 0}, "the text is too long",
                   "texts of up to 4 GB are read");
  Lexer lexer(sources, file, {text_.data(), text_.size()});
  FormBuilder builder(sources, nodes_);
  for (;;) {
    monitor.check();
    const Token token = lexer.next();
    builder.take(token);
    if (token.kind == Token::Kind::end) return;
  }
}

}  // namespace carl::pddl
