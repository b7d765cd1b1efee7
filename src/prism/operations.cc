#include "prism/operations.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace carl::prism {
namespace {

constexpr std::array<std::string_view, 8> functions = {"min",   "max", "floor", "ceil",
                                                       "round", "pow", "mod",   "log"};
constexpr std::array<Operation, 8> operations = {
    Operation::minimum, Operation::maximum, Operation::floor,  Operation::ceil,
    Operation::round,   Operation::power,   Operation::modulo, Operation::logarithm};

bool is_number(Type type) {
  return type != Type::boolean;
}

bool all_numbers(std::span<const Type> types) {
  return std::all_of(types.begin(), types.end(), is_number);
}

bool all_are(std::span<const Type> types, Type type) {
  return std::all_of(types.begin(), types.end(), [&](Type other) { return other == type; });
}

/// Of several numbers: an integer if all of them are.
std::optional<Type> joint_type(std::span<const Type> types) {
  if (!all_numbers(types)) return std::nullopt;
  return all_are(types, Type::integer) ? Type::integer : Type::real;
}

bool is_equal(const Value& a, const Value& b) {
  if (a.type == Type::real || b.type == Type::real) return a.number() == b.number();
  return a.integer == b.integer;
}

bool is_less(const Value& a, const Value& b) {
  if (a.type == Type::real || b.type == Type::real) return a.number() < b.number();
  return a.integer < b.integer;
}

bool is_at_most(const Value& a, const Value& b) {
  if (a.type == Type::real || b.type == Type::real) return a.number() <= b.number();
  return a.integer <= b.integer;
}

bool is_real(std::span<const Value> values) {
  return std::any_of(values.begin(), values.end(),
                     [](const Value& value) { return value.type == Type::real; });
}

/// From left to right, by integers if all of them are.
template <class Integers, class Reals>
Value fold(std::span<const Value> values, Integers integers, Reals reals) {
  if (!is_real(values)) {
    std::int64_t result = values[0].integer;
    for (const Value& value : values.subspan(1))
      result = integers(result, value.integer);
    return Value::of(result);
  }
  double result = values[0].number();
  for (const Value& value : values.subspan(1))
    result = reals(result, value.number());
  return Value::of(result);
}

Value power_of(const Value& base, const Value& exponent) {
  if (base.type == Type::integer && exponent.type == Type::integer)
    return Value::of(power(base.integer, exponent.integer));
  return Value::of(std::pow(base.number(), exponent.number()));
}

Value truth_of(Operation operation, std::span<const Value> operands) {
  const auto holds = [](const Value& value) { return value.truth(); };
  switch (operation) {
    case Operation::invert:
      return Value::of(!operands[0].truth());
    case Operation::conjunction:
      return Value::of(std::all_of(operands.begin(), operands.end(), holds));
    case Operation::disjunction:
      return Value::of(std::any_of(operands.begin(), operands.end(), holds));
    case Operation::equivalence:
      return Value::of(operands[0].truth() == operands[1].truth());
    case Operation::implication:
      return Value::of(!operands[0].truth() || operands[1].truth());
    case Operation::less:
      return Value::of(is_less(operands[0], operands[1]));
    case Operation::less_equal:
      return Value::of(is_at_most(operands[0], operands[1]));
    case Operation::greater:
      return Value::of(is_less(operands[1], operands[0]));
    case Operation::greater_equal:
      return Value::of(is_at_most(operands[1], operands[0]));
    case Operation::equal:
      return Value::of(is_equal(operands[0], operands[1]));
    default:
      return Value::of(!is_equal(operands[0], operands[1]));
  }
}

}  // namespace

std::optional<Operation> function_of(std::string_view name) {
  const auto found = std::find(functions.begin(), functions.end(), name);
  if (found == functions.end()) return std::nullopt;
  return operations[static_cast<std::size_t>(found - functions.begin())];
}

bool is_function(std::string_view name) {
  return function_of(name).has_value();
}

std::span<const std::string_view> function_names() {
  return functions;
}

std::optional<Type> result_type(Operation operation, std::span<const Type> operands) {
  const auto boolean_if = [](bool right) {
    return right ? std::optional(Type::boolean) : std::nullopt;
  };
  switch (operation) {
    case Operation::invert:
    case Operation::conjunction:
    case Operation::disjunction:
    case Operation::equivalence:
    case Operation::implication:
      return boolean_if(all_are(operands, Type::boolean));
    case Operation::less:
    case Operation::less_equal:
    case Operation::greater:
    case Operation::greater_equal:
      return boolean_if(all_numbers(operands));
    case Operation::equal:
    case Operation::not_equal:
      return boolean_if(all_numbers(operands) || all_are(operands, Type::boolean));
    case Operation::conditional:
      if (operands[0] != Type::boolean) return std::nullopt;
      if (all_are(operands.subspan(1), Type::boolean)) return Type::boolean;
      return joint_type(operands.subspan(1));
    case Operation::divide:
    case Operation::logarithm:
      return all_numbers(operands) ? std::optional(Type::real) : std::nullopt;
    case Operation::floor:
    case Operation::ceil:
    case Operation::round:
      return all_numbers(operands) ? std::optional(Type::integer) : std::nullopt;
    case Operation::modulo:
      return all_are(operands, Type::integer) ? std::optional(Type::integer) : std::nullopt;
    default:
      return joint_type(operands);
  }
}

Value value_of(Operation operation, std::span<const Value> operands) {
  switch (operation) {
    case Operation::negate:
      return operands[0].type == Type::real ? Value::of(-operands[0].real)
                                            : Value::of(negate(operands[0].integer));
    case Operation::times:
      return fold(operands, multiply, [](double a, double b) { return a * b; });
    case Operation::plus:
      return fold(operands, add, [](double a, double b) { return a + b; });
    case Operation::minus:
      return fold(operands, subtract, [](double a, double b) { return a - b; });
    case Operation::divide:
      return Value::of(operands[0].number() / operands[1].number());
    case Operation::minimum:
      return fold(
          operands, [](std::int64_t a, std::int64_t b) { return std::min(a, b); },
          [](double a, double b) { return std::min(a, b); });
    case Operation::maximum:
      return fold(
          operands, [](std::int64_t a, std::int64_t b) { return std::max(a, b); },
          [](double a, double b) { return std::max(a, b); });
    case Operation::floor:
    case Operation::ceil:
    case Operation::round:
      return operands[0].type == Type::integer ? operands[0]
                                               : Value::of(whole(operation, operands[0].real));
    case Operation::power:
      return power_of(operands[0], operands[1]);
    case Operation::modulo:
      return Value::of(modulo(operands[0].integer, operands[1].integer));
    case Operation::logarithm:
      return Value::of(std::log(operands[0].number()) / std::log(operands[1].number()));
    case Operation::conditional: {
      const Value& chosen = operands[operands[0].truth() ? 1 : 2];
      return is_real(operands.subspan(1)) ? Value::of(chosen.number()) : chosen;
    }
    default:
      return truth_of(operation, operands);
  }
}

std::int64_t add(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) throw EvaluationError("an integer is too large");
  return result;
}

std::int64_t subtract(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_sub_overflow(a, b, &result)) throw EvaluationError("an integer is too large");
  return result;
}

std::int64_t multiply(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) throw EvaluationError("an integer is too large");
  return result;
}

std::int64_t negate(std::int64_t a) {
  return subtract(0, a);
}

std::int64_t power(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0)
    throw EvaluationError("an integer to a negative power; write pow(1.0*a, b) for a real number");
  std::int64_t result = 1;
  // Squares that are not needed must not overflow.
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = multiply(result, base);
    if (exponent > 1) base = multiply(base, base);
  }
  return result;
}

std::int64_t modulo(std::int64_t a, std::int64_t b) {
  if (b <= 0) throw EvaluationError("mod() by a number that is not positive");
  const std::int64_t rest = a % b;
  return rest < 0 ? rest + b : rest;
}

std::int64_t whole(Operation operation, double a) {
  double result = std::floor(a);
  if (operation == Operation::ceil) result = std::ceil(a);
  if (operation == Operation::round && a - result >= 0.5) result += 1;
  constexpr double limit = 9.2e18;
  if (!(std::abs(result) < limit)) throw EvaluationError("a number has no integer near it");
  return static_cast<std::int64_t>(result);
}

}  // namespace carl::prism
