// Expressions as they are written: names mean nothing yet. See typed_expression.h for what becomes
// of them once it is known what the names stand for.
#ifndef CARL_PRISM_EXPRESSION_H
#define CARL_PRISM_EXPRESSION_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "prism/source.h"

namespace carl::prism {

enum class Type { boolean, integer, real };

/// "bool", "int", "double".
std::string_view name_of(Type type);

struct Value {
  Type type = Type::boolean;
  std::int64_t integer = 0;  // of an integer; 0 or 1 of a boolean
  double real = 0;           // of a real

  static Value of(bool value) { return {Type::boolean, value ? 1 : 0, 0}; }
  static Value of(std::int64_t value) { return {Type::integer, value, 0}; }
  static Value of(double value) { return {Type::real, 0, value}; }

  bool truth() const { return integer != 0; }
  /// Of an integer or a real.
  double number() const { return type == Type::real ? real : static_cast<double>(integer); }
  friend bool operator==(const Value&, const Value&) = default;
};

/// "true", "3", "0.25".
std::string to_text(const Value& value);

enum class Operation : std::uint8_t {
  literal,
  name,   // as written; a constant, a variable or a formula
  label,  // "done"
  call,   // a function by its name, as written
  negate,
  invert,  // !a
  times,   // of two or more, as are plus, conjunction and disjunction
  divide,
  plus,
  minus,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  conjunction,
  disjunction,
  equivalence,
  implication,
  conditional,  // a ? b : c
  // Only once names are resolved:
  variable,
  minimum,
  maximum,
  floor,
  ceil,
  round,
  power,
  modulo,
  logarithm,
};

/// As it is written: "+", "&"; of a conditional "? :".
std::string_view operator_of(Operation operation);

struct Expression {
  Operation operation = Operation::literal;
  Position position;  // where it begins
  Value value;        // of a literal
  std::string name;   // of a name, a label or a function
  std::vector<Expression> operands;
};

/// The expression with as few parentheses as it takes.
std::string to_text(const Expression& expression);

}  // namespace carl::prism

#endif
