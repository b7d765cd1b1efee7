#include "prism/typed_expression.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "carl/suggestion.h"
#include "prism/operations.h"

namespace carl::prism {
namespace {

// Formulas that use formulas can grow without end when they are written out.
constexpr std::size_t most_nodes = 1'000'000;
constexpr std::size_t most_depth = 2'000;

/// How many operands a function takes.
struct Arity {
  std::size_t least;
  std::size_t most;
};

Arity arity_of(Operation function) {
  switch (function) {
    case Operation::minimum:
    case Operation::maximum:
      return {1, static_cast<std::size_t>(-1)};
    case Operation::power:
    case Operation::modulo:
    case Operation::logarithm:
      return {2, 2};
    default:
      return {1, 1};
  }
}

std::string described(const TypedExpression& expression) {
  switch (expression.type) {
    case Type::boolean:
      return "a bool";
    case Type::integer:
      return "an int";
    default:
      return "a double";
  }
}

/// Of an operation on literals.
Value value_of_constants(const TypedExpression& expression) {
  std::vector<Value> values;
  for (const TypedExpression& operand : expression.operands)
    values.push_back(operand.value);
  return value_of(expression.operation, values);
}

/// Complains about the first operation on literals that has no value.
void check_computable(const TypedExpression& expression) {
  if (expression.operands.empty()) return;
  for (const TypedExpression& operand : expression.operands)
    check_computable(operand);
  const auto& operands = expression.operands;
  if (!std::all_of(operands.begin(), operands.end(),
                   [](const TypedExpression& operand) { return operand.is_constant(); }))
    return;
  try {
    value_of_constants(expression);
  } catch (const EvaluationError& error) {
    throw error_at(expression.position, error.what());
  }
}

class Resolver {
 public:
  TypedExpression resolve(const Expression& expression, const Scope& scope) {
    if (++nodes_ > most_nodes || depth_ == most_depth)
      throw error_at(expression.position,
                     "the expression is too large once its formulas are written out");
    ++depth_;
    TypedExpression result = resolve_node(expression, scope);
    --depth_;
    return result;
  }

 private:
  TypedExpression resolve_node(const Expression& expression, const Scope& scope) {
    switch (expression.operation) {
      case Operation::literal:
        return literal(expression.value, expression.position);
      case Operation::name:
        return resolve_name(expression, scope);
      case Operation::label:
        return resolve_label(expression, scope);
      case Operation::call:
        return operation_on(resolve_function(expression, scope), expression, scope);
      default:
        return operation_on(expression.operation, expression, scope);
    }
  }

  static TypedExpression literal(const Value& value, const Position& position) {
    TypedExpression result;
    result.type = value.type;
    result.value = value;
    result.position = position;
    return result;
  }

  TypedExpression meant(const Meaning& meaning, const Position& position, const Scope& scope) {
    if (meaning.kind == Meaning::Kind::constant) return literal(meaning.value, position);
    if (meaning.kind == Meaning::Kind::formula) {
      TypedExpression result =
          resolve(*meaning.formula, meaning.scope != nullptr ? *meaning.scope : scope);
      result.position = position;
      return result;
    }
    TypedExpression result;
    const bool is_variable = meaning.kind == Meaning::Kind::variable;
    result.operation = is_variable ? Operation::variable : Operation::label;
    result.type = is_variable ? meaning.type : Type::boolean;
    result.index = meaning.index;
    result.position = position;
    return result;
  }

  TypedExpression resolve_name(const Expression& expression, const Scope& scope) {
    const Meaning meaning = scope.meaning(expression.name);
    if (meaning.kind != Meaning::Kind::nothing) return meant(meaning, expression.position, scope);
    const auto names = scope.names();
    throw error_at(
        expression.position,
        fmt::format("there is no constant, variable or formula named {}", quoted(expression.name)),
        did_you_mean(expression.name, names));
  }

  TypedExpression resolve_label(const Expression& expression, const Scope& scope) {
    if (!scope.why_no_labels().empty())
      throw error_at(expression.position,
                     fmt::format("the label {} cannot be used here", quoted(expression.name)),
                     std::string(scope.why_no_labels()));
    const Meaning meaning = scope.label(expression.name);
    if (meaning.kind != Meaning::Kind::nothing) return meant(meaning, expression.position, scope);
    const auto labels = scope.labels();
    std::string hint = did_you_mean(expression.name, labels);
    if (hint.empty() && !labels.empty())
      hint = fmt::format("the labels are: {}", fmt::join(labels, ", "));
    throw error_at(expression.position,
                   fmt::format("there is no label named {}", quoted(expression.name)),
                   std::move(hint));
  }

  static Operation resolve_function(const Expression& expression, const Scope& scope) {
    const std::string_view name = scope.function(expression.name);
    const auto function = function_of(name);
    if (!function)
      throw error_at(expression.position,
                     fmt::format("there is no function named {}", quoted(name)),
                     fmt::format("the functions are: {}", fmt::join(function_names(), ", ")));
    const Arity arity = arity_of(*function);
    const std::size_t given = expression.operands.size();
    if (given < arity.least || given > arity.most)
      throw error_at(expression.position,
                     fmt::format("{}() takes {} argument{}, not {}", name, arity.least,
                                 arity.least == 1 ? "" : "s", given));
    return *function;
  }

  TypedExpression operation_on(Operation operation, const Expression& expression,
                               const Scope& scope) {
    TypedExpression result;
    result.operation = operation;
    result.position = expression.position;
    std::vector<Type> types;
    for (const Expression& operand : expression.operands) {
      result.operands.push_back(resolve(operand, scope));
      types.push_back(result.operands.back().type);
    }
    const auto type = result_type(operation, types);
    if (!type) fail_types(expression, result.operands);
    result.type = *type;
    return folded(std::move(result));
  }

  [[noreturn]] static void fail_types(const Expression& expression,
                                      const std::vector<TypedExpression>& operands) {
    std::string what = expression.operation == Operation::call
                           ? fmt::format("{}()", expression.name)
                           : fmt::format("'{}'", operator_of(expression.operation));
    std::vector<std::string> types;
    for (const TypedExpression& operand : operands)
      if (const std::string type = described(operand);
          std::find(types.begin(), types.end(), type) == types.end())
        types.push_back(type);
    std::string hint;
    const bool mixes =
        expression.operation == Operation::equal || expression.operation == Operation::not_equal;
    if (mixes) hint = "a bool can only be compared with a bool";
    // "x=1 & y" is read as x=(1) & y; "!x=1" as !(x=1).
    throw error_at(expression.position,
                   fmt::format("{} has no meaning for {}", what, fmt::join(types, " and ")),
                   std::move(hint));
  }

  /// Computes what does not depend on the state.
  static TypedExpression folded(TypedExpression expression) {
    auto& operands = expression.operands;
    const bool any = expression.operation == Operation::disjunction;
    if (any || expression.operation == Operation::conjunction)
      return shortened(std::move(expression));
    if (expression.operation == Operation::conditional && operands[0].is_constant())
      return chosen(std::move(expression));
    if (!std::all_of(operands.begin(), operands.end(),
                     [](const TypedExpression& operand) { return operand.is_constant(); }))
      return expression;
    try {
      return literal(value_of_constants(expression), expression.position);
    } catch (const EvaluationError&) {
      return expression;  // perhaps nobody ever needs its value
    }
  }

  /// "a ? b : c" with a known: b or c, as a real number if the other is one.
  static TypedExpression chosen(TypedExpression expression) {
    const std::size_t choice = expression.operands[0].value.truth() ? 1 : 2;
    TypedExpression result = std::move(expression.operands[choice]);
    result.position = expression.position;
    if (result.type == expression.type) return result;
    if (result.is_constant()) return literal(Value::of(result.value.number()), expression.position);
    // An integer that depends on the state, where the other branch is real.
    TypedExpression sum;
    sum.operation = Operation::plus;
    sum.type = Type::real;
    sum.position = expression.position;
    sum.operands.push_back(literal(Value::of(0.0), expression.position));
    sum.operands.push_back(std::move(result));
    return sum;
  }

  /// Constants among the operands of "&" and "|" decide it or drop out.
  static TypedExpression shortened(TypedExpression expression) {
    const bool neutral = expression.operation == Operation::conjunction;
    auto& operands = expression.operands;
    for (const TypedExpression& operand : operands)
      if (operand.is_constant() && operand.value.truth() != neutral)
        return literal(Value::of(!neutral), expression.position);
    std::erase_if(operands, [](const TypedExpression& operand) { return operand.is_constant(); });
    if (operands.empty()) return literal(Value::of(neutral), expression.position);
    if (operands.size() > 1) return expression;
    TypedExpression only = std::move(operands[0]);
    only.position = expression.position;
    return only;
  }

  std::size_t nodes_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace

TypedExpression resolve(const Expression& expression, const Scope& scope) {
  return Resolver().resolve(expression, scope);
}

TypedExpression resolve(const Expression& expression, const Scope& scope, Type type,
                        std::string_view what) {
  TypedExpression result = resolve(expression, scope);
  const bool fits = result.type == type || (type == Type::real && result.type == Type::integer);
  if (fits) return result;
  std::string hint;
  if (type == Type::integer && result.type == Type::real)
    hint = "'/' gives a double; floor(), ceil() and round() make integers";
  if (type == Type::boolean) hint = "write a condition, for example x>0";
  throw error_at(expression.position,
                 fmt::format("{} is {}, not {}", what, described(result),
                             type == Type::integer ? "an int"
                             : type == Type::real  ? "a number"
                                                   : "a bool"),
                 std::move(hint));
}

Value constant_value(const Expression& expression, const Scope& scope, Type type,
                     std::string_view what) {
  const TypedExpression result = resolve(expression, scope, type, what);
  if (!result.is_constant()) check_computable(result);
  if (!result.is_constant())
    throw error_at(expression.position, fmt::format("{} depends on the state", what),
                   "only constants can be used here");
  if (type == Type::real && result.type == Type::integer) return Value::of(result.value.number());
  return result.value;
}

}  // namespace carl::prism
