// The process algebra of system ... endsystem. "||" and "|||" cannot be told apart by one token and
// the next: they are counted. From weak to strong: "||", "|||", "|[a,b]|", then hiding and renaming,
// which follow what they apply to.
#include <fmt/format.h>

#include "prism/expression_parser.h"
#include "prism/model_parser.h"

namespace carl::prism {
namespace {

class SystemParser {
 public:
  explicit SystemParser(TokenStream& tokens) : tokens_(tokens) {}

  SystemSyntax full() {
    if (++nesting_ > max_nesting)
      throw error_at(tokens_.peek().position,
                     fmt::format("the system is nested more than {} deep here", max_nesting));
    SystemSyntax result = chain(2, SystemSyntax::Kind::full);
    --nesting_;
    return result;
  }

 private:
  std::size_t bars() const {
    std::size_t count = 0;
    while (tokens_.peek(count).is("|"))
      ++count;
    return count;
  }

  /// Operands with two or three bars between them.
  SystemSyntax chain(std::size_t num_bars, SystemSyntax::Kind kind) {
    SystemSyntax result;
    result.kind = kind;
    result.position = tokens_.peek().position;
    const auto operand = [&] {
      return num_bars == 2 ? chain(3, SystemSyntax::Kind::interleaved) : shared();
    };
    result.operands.push_back(operand());
    while (bars() == num_bars) {
      for (std::size_t i = 0; i < num_bars; ++i)
        tokens_.take();
      result.operands.push_back(operand());
    }
    if (result.operands.size() > 1) return result;
    SystemSyntax only = std::move(result.operands.front());
    return only;
  }

  SystemSyntax shared() {
    SystemSyntax left = atom();
    std::size_t count = 0;
    while (tokens_.peek().is("|") && tokens_.peek(1).is("[")) {
      if (++count > max_nesting)
        throw error_at(tokens_.peek().position,
                       fmt::format("the system is nested more than {} deep here", max_nesting));
      SystemSyntax result;
      result.kind = SystemSyntax::Kind::shared;
      result.position = left.position;
      tokens_.take();
      result.actions = actions("[", "]");
      tokens_.expect("|", "after the shared actions");
      result.operands.push_back(std::move(left));
      result.operands.push_back(atom());
      left = std::move(result);
    }
    return left;
  }

  std::vector<Name> actions(std::string_view open, std::string_view close) {
    std::vector<Name> names;
    tokens_.expect(open);
    do
      names.push_back(parse_name(tokens_, "the name of an action"));
    while (tokens_.accept(","));
    tokens_.expect(close, "after the actions");
    return names;
  }

  SystemSyntax atom() {
    SystemSyntax result;
    if (tokens_.peek().is("(")) {
      tokens_.take();
      result = full();
      tokens_.expect(")");
    } else {
      result.position = tokens_.peek().position;
      result.module = parse_name(tokens_, "the name of a module");
    }
    for (std::size_t count = 0; tokens_.peek().is("/") || tokens_.peek().is("{"); ++count) {
      if (count > max_nesting)
        throw error_at(tokens_.peek().position,
                       fmt::format("the system is nested more than {} deep here", max_nesting));
      result = changed(std::move(result));
    }
    return result;
  }

  SystemSyntax changed(SystemSyntax operand) {
    SystemSyntax result;
    result.position = operand.position;
    result.operands.push_back(std::move(operand));
    if (tokens_.accept("/")) {
      result.kind = SystemSyntax::Kind::hiding;
      result.actions = actions("{", "}");
      return result;
    }
    result.kind = SystemSyntax::Kind::renaming;
    tokens_.expect("{");
    do {
      Name from = parse_name(tokens_, "the name of an action");
      // "<-" is no token, since x<-1 is an expression.
      tokens_.expect("<", "of '<-' between the old and the new name of an action");
      tokens_.expect("-", "of '<-' between the old and the new name of an action");
      result.renaming.emplace_back(std::move(from), parse_name(tokens_, "the name of an action"));
    } while (tokens_.accept(","));
    tokens_.expect("}", "after the actions");
    return result;
  }

  TokenStream& tokens_;
  std::size_t nesting_ = 0;
};

}  // namespace

SystemSyntax parse_system(TokenStream& tokens) {
  if (tokens.peek().kind == Token::Kind::string)
    throw error_at(tokens.peek().position, "systems with names are not supported",
                   "write one 'system ... endsystem' with the names of modules");
  return SystemParser(tokens).full();
}

}  // namespace carl::prism
