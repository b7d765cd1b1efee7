#include "prism/expression.h"

#include <fmt/format.h>

namespace carl::prism {
namespace {

/// How strongly an operator binds; operands that bind less need parentheses.
int strength(Operation operation) {
  switch (operation) {
    case Operation::conditional:
      return 0;
    case Operation::implication:
      return 1;
    case Operation::equivalence:
      return 2;
    case Operation::disjunction:
      return 3;
    case Operation::conjunction:
      return 4;
    case Operation::invert:
      return 5;
    case Operation::equal:
    case Operation::not_equal:
      return 6;
    case Operation::less:
    case Operation::less_equal:
    case Operation::greater:
    case Operation::greater_equal:
      return 7;
    case Operation::plus:
    case Operation::minus:
      return 8;
    case Operation::times:
    case Operation::divide:
      return 9;
    case Operation::negate:
      return 10;
    default:
      return 11;
  }
}

void write(const Expression& expression, int least, std::string& out) {
  const int own = strength(expression.operation);
  const bool parentheses = own < least;
  if (parentheses) out += '(';
  const auto& operands = expression.operands;
  switch (expression.operation) {
    case Operation::literal:
      out += to_text(expression.value);
      break;
    case Operation::name:
      out += expression.name;
      break;
    case Operation::label:
      out += '"' + expression.name + '"';
      break;
    case Operation::call:
      out += expression.name + '(';
      for (std::size_t i = 0; i < operands.size(); ++i) {
        if (i > 0) out += ", ";
        write(operands[i], 0, out);
      }
      out += ')';
      break;
    case Operation::negate:
    case Operation::invert:
      out += expression.operation == Operation::negate ? '-' : '!';
      write(operands[0], own, out);
      break;
    case Operation::conditional:
      write(operands[0], own + 1, out);
      out += " ? ";
      write(operands[1], own + 1, out);
      out += " : ";
      write(operands[2], own, out);
      break;
    default: {
      const std::string symbol(operator_of(expression.operation));
      const bool connects = own <= strength(Operation::conjunction);  // formulas, not numbers
      for (std::size_t i = 0; i < operands.size(); ++i) {
        if (i > 0) out += connects ? fmt::format(" {} ", symbol) : symbol;
        write(operands[i], i == 0 ? own : own + 1, out);
      }
    }
  }
  if (parentheses) out += ')';
}

}  // namespace

std::string_view operator_of(Operation operation) {
  switch (operation) {
    case Operation::negate:
    case Operation::minus:
      return "-";
    case Operation::invert:
      return "!";
    case Operation::times:
      return "*";
    case Operation::divide:
      return "/";
    case Operation::plus:
      return "+";
    case Operation::less:
      return "<";
    case Operation::less_equal:
      return "<=";
    case Operation::greater:
      return ">";
    case Operation::greater_equal:
      return ">=";
    case Operation::equal:
      return "=";
    case Operation::not_equal:
      return "!=";
    case Operation::conjunction:
      return "&";
    case Operation::disjunction:
      return "|";
    case Operation::equivalence:
      return "<=>";
    case Operation::implication:
      return "=>";
    default:
      return "? :";
  }
}

std::string_view name_of(Type type) {
  switch (type) {
    case Type::boolean:
      return "bool";
    case Type::integer:
      return "int";
    default:
      return "double";
  }
}

std::string to_text(const Value& value) {
  switch (value.type) {
    case Type::boolean:
      return value.truth() ? "true" : "false";
    case Type::integer:
      return fmt::format("{}", value.integer);
    default:
      return fmt::format("{}", value.real);
  }
}

std::string to_text(const Expression& expression) {
  std::string text;
  write(expression, 0, text);
  return text;
}

}  // namespace carl::prism
