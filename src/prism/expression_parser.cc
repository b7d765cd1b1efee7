#include "prism/expression_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "prism/operations.h"

namespace carl::prism {
namespace {

using Symbol = std::pair<std::string_view, Operation>;

// The binary operators that bind less than "!", and those that bind more, each from weak to strong.
constexpr Symbol implies[] = {{"=>", Operation::implication}};
constexpr Symbol iff[] = {{"<=>", Operation::equivalence}};
constexpr Symbol any_of[] = {{"|", Operation::disjunction}};
constexpr Symbol all_of[] = {{"&", Operation::conjunction}};
constexpr std::array<std::span<const Symbol>, 4> connectives = {implies, iff, any_of, all_of};

constexpr Symbol equalities[] = {{"=", Operation::equal}, {"!=", Operation::not_equal}};
constexpr Symbol comparisons[] = {{"<=", Operation::less_equal},
                                  {"<", Operation::less},
                                  {">=", Operation::greater_equal},
                                  {">", Operation::greater}};
constexpr Symbol sums[] = {{"+", Operation::plus}, {"-", Operation::minus}};
constexpr Symbol products[] = {{"*", Operation::times}, {"/", Operation::divide}};
constexpr std::array<std::span<const Symbol>, 4> arithmetic = {equalities, comparisons, sums,
                                                               products};

bool makes_chains(Operation operation) {
  return operation == Operation::conjunction || operation == Operation::disjunction ||
         operation == Operation::plus || operation == Operation::times;
}

/// An expression and how deep it is: deep ones come from long chains as well as from nesting.
struct Parsed {
  Expression expression;
  std::size_t depth = 1;
  bool in_parentheses = false;
};

class Parser {
 public:
  explicit Parser(TokenStream& tokens) : tokens_(tokens) {}

  Parsed expression() {
    const Nesting nesting(*this);
    Parsed condition = connective(0);
    if (!tokens_.peek().is("?")) return condition;
    const Token& question = tokens_.take();
    Parsed then = expression();
    if (!tokens_.peek().is(":"))
      throw error_at(tokens_.peek().position,
                     fmt::format("expected ':' but found {}", tokens_.peek().shown()),
                     fmt::format("it goes with the '?' in {}", place_of(question.position)));
    tokens_.take();
    Parsed otherwise = expression();
    std::vector<Parsed> operands;
    operands.push_back(std::move(condition));
    operands.push_back(std::move(then));
    operands.push_back(std::move(otherwise));
    return node(Operation::conditional, std::move(operands));
  }

  /// PRISM reads "F<=k (x=3)" as a bound k, and so do we: there is no function of that name.
  Parsed sum() {
    const Nesting nesting(*this);
    const Token& first = tokens_.peek();
    if (first.kind == Token::Kind::identifier && tokens_.peek(1).is("(") &&
        !is_function(first.text)) {
      Parsed name;
      name.expression.operation = Operation::name;
      name.expression.position = first.position;
      name.expression.name = tokens_.take().text;
      return name;
    }
    return term(2);
  }

 private:
  /// Limits recursion.
  class Nesting {
   public:
    explicit Nesting(Parser& parser) : parser_(parser) {
      if (++parser_.nesting_ > max_parentheses)
        fail_deep(parser_.tokens_.peek().position, max_parentheses);
    }
    ~Nesting() { --parser_.nesting_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Parser& parser_;
  };

  [[noreturn]] static void fail_deep(const Position& position, std::size_t most = max_nesting) {
    throw error_at(position, fmt::format("expressions are nested more than {} deep here", most),
                   "give parts of it names by 'formula'");
  }

  static Parsed node(Operation operation, std::vector<Parsed> operands) {
    Parsed result;
    result.expression.operation = operation;
    result.expression.position = operands.front().expression.position;
    for (Parsed& operand : operands) {
      result.depth = std::max(result.depth, operand.depth + 1);
      result.expression.operands.push_back(std::move(operand.expression));
    }
    if (result.depth > max_nesting) fail_deep(result.expression.position);
    return result;
  }

  /// Adds another operand to the right.
  static Parsed joined(Operation operation, Parsed left, Parsed right) {
    if (makes_chains(operation) && left.expression.operation == operation && !left.in_parentheses) {
      left.depth = std::max(left.depth, right.depth + 1);
      left.expression.operands.push_back(std::move(right.expression));
      if (left.depth > max_nesting) fail_deep(left.expression.position);
      return left;
    }
    std::vector<Parsed> operands;
    operands.push_back(std::move(left));
    operands.push_back(std::move(right));
    return node(operation, std::move(operands));
  }

  const Symbol* next_of(std::span<const Symbol> level) const {
    for (const Symbol& symbol : level)
      if (tokens_.peek().is(symbol.first)) return &symbol;
    return nullptr;
  }

  Parsed connective(std::size_t level) {
    if (level == connectives.size()) return negation();
    Parsed left = connective(level + 1);
    while (const Symbol* symbol = next_of(connectives[level])) {
      // "||" is for modules.
      if (symbol->first == "|" && tokens_.peek(1).is("|"))
        throw error_at(tokens_.peek().position, "'||' has no meaning in an expression",
                       "write 'a | b' for \"a or b\"");
      if (symbol->first == "&" && tokens_.peek(1).is("&"))
        throw error_at(tokens_.peek().position, "'&&' has no meaning in an expression",
                       "write 'a & b' for \"a and b\"");
      tokens_.take();
      left = joined(symbol->second, std::move(left), connective(level + 1));
    }
    return left;
  }

  Parsed negation() {
    if (!tokens_.peek().is("!")) return term(0);
    const Nesting nesting(*this);
    const Position position = tokens_.take().position;
    return prefixed(Operation::invert, position, negation());
  }

  Parsed term(std::size_t level) {
    if (level == arithmetic.size()) return signed_operand();
    Parsed left = term(level + 1);
    while (const Symbol* symbol = next_of(arithmetic[level])) {
      // "min=?" and the like end an expression of a property.
      if (symbol->first == "=" && tokens_.peek(1).is("?")) break;
      if (symbol->first == "=" && tokens_.peek(1).is("="))
        throw error_at(tokens_.peek().position, "'==' has no meaning in PRISM's language",
                       "write 'a = b'");
      tokens_.take();
      left = joined(symbol->second, std::move(left), term(level + 1));
    }
    if (level == 0 && tokens_.peek().is("^"))
      throw error_at(tokens_.peek().position, "'^' has no meaning in PRISM's language",
                     "write pow(a, b) for a to the power of b");
    return left;
  }

  Parsed signed_operand() {
    if (!tokens_.peek().is("-")) return operand();
    const Nesting nesting(*this);
    const Position position = tokens_.take().position;
    return prefixed(Operation::negate, position, signed_operand());
  }

  static Parsed prefixed(Operation operation, const Position& position, Parsed operand) {
    std::vector<Parsed> operands;
    operands.push_back(std::move(operand));
    Parsed result = node(operation, std::move(operands));
    result.expression.position = position;
    return result;
  }

  Parsed operand() {
    const Token& token = tokens_.peek();
    Parsed result;
    Expression& expression = result.expression;
    expression.position = token.position;
    switch (token.kind) {
      case Token::Kind::integer:
        expression.value = Value::of(tokens_.take().integer);
        return result;
      case Token::Kind::real:
        expression.value = Value::of(tokens_.take().real);
        return result;
      case Token::Kind::string:
        expression.operation = Operation::label;
        expression.name = tokens_.take().text;
        return result;
      case Token::Kind::identifier:
        if (tokens_.peek(1).is("(")) return call();
        expression.operation = Operation::name;
        expression.name = tokens_.take().text;
        return result;
      default:
        break;
    }
    if (token.is("true") || token.is("false")) {
      expression.value = Value::of(tokens_.take().text == "true");
      return result;
    }
    if (token.is("min") || token.is("max") || token.is("func")) return call();
    if (!token.is("(")) tokens_.fail_expected("an expression");
    const Token& open = tokens_.take();
    result = this->expression();
    close(open);
    result.in_parentheses = true;
    return result;
  }

  /// min(a, b), or as it was written once: func(min, a, b).
  Parsed call() {
    Parsed result;
    result.expression.operation = Operation::call;
    result.expression.position = tokens_.peek().position;
    const Token* name = &tokens_.take();
    const Token& open = tokens_.expect("(", "before the arguments of a function");
    if (name->is("func")) {
      name = &tokens_.peek();
      if (name->is("min") || name->is("max"))
        tokens_.take();
      else
        tokens_.expect_identifier("the name of a function");
      tokens_.expect(",", "before the arguments of a function");
    }
    result.expression.name = name->text;
    do {
      Parsed argument = expression();
      result.depth = std::max(result.depth, argument.depth + 1);
      result.expression.operands.push_back(std::move(argument.expression));
    } while (tokens_.accept(","));
    close(open);
    if (result.depth > max_nesting) fail_deep(result.expression.position);
    return result;
  }

  void close(const Token& open) {
    if (tokens_.peek().is("'"))
      throw error_at(tokens_.peek().position, "a variable with a prime in an expression",
                     "new values are given by (x'=...), and depend on old ones alone");
    if (tokens_.peek().is(")")) {
      tokens_.take();
      return;
    }
    throw error_at(tokens_.peek().position,
                   fmt::format("expected ')' but found {}", tokens_.peek().shown()),
                   fmt::format("the parenthesis opened in {}:{} is not closed",
                               place_of(open.position), open.position.column));
  }

  TokenStream& tokens_;
  std::size_t nesting_ = 0;
};

}  // namespace

Expression parse_expression(TokenStream& tokens) {
  return Parser(tokens).expression().expression;
}

Expression parse_sum(TokenStream& tokens) {
  return Parser(tokens).sum().expression;
}

}  // namespace carl::prism
