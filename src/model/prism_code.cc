#include "model/prism_code.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>

#include "prism/operations.h"

namespace carl {

using prism::Operation;
using prism::Type;
using prism::TypedExpression;

enum class PrismCode::Code : std::uint8_t {
  push,
  variable,
  to_real,  // the top
  jump,
  jump_if_false,  // takes the condition
  keep_if_false,  // jumps and leaves it, or takes it and goes on
  keep_if_true,
  negate,
  negate_real,
  invert,
  add,
  add_real,
  subtract,
  subtract_real,
  multiply,
  multiply_real,
  divide,
  less,
  less_real,
  less_equal,
  less_equal_real,
  equal,
  equal_real,
  not_equal,
  not_equal_real,
  minimum,
  minimum_real,
  maximum,
  maximum_real,
  floor,
  ceil,
  round,
  power,
  power_real,
  modulo,
  logarithm,
};

/// Writes an expression as instructions, operands before operators.
class PrismCode::Compiler {
 public:
  Compiler(PrismCode& out, std::size_t num_variables) : out_(out), num_variables_(num_variables) {}

  void compile(const TypedExpression& expression) {
    switch (expression.operation) {
      case Operation::literal:
        return push(expression.value);
      case Operation::variable:
      case Operation::label:
        return emit(Code::variable, place_of(expression), +1);
      case Operation::conjunction:
        return chain(expression, Code::keep_if_false);
      case Operation::disjunction:
        return chain(expression, Code::keep_if_true);
      case Operation::implication:
        return implication(expression);
      case Operation::conditional:
        return conditional(expression);
      case Operation::negate:
      case Operation::invert:
      case Operation::floor:
      case Operation::ceil:
      case Operation::round:
        return unary(expression);
      default:
        return binary(expression);
    }
  }

 private:
  std::uint32_t place_of(const TypedExpression& expression) const {
    const bool is_label = expression.operation == Operation::label;
    return static_cast<std::uint32_t>(expression.index + (is_label ? num_variables_ : 0));
  }

  void emit(Code code, std::size_t argument, int growth, Slot constant = {0}) {
    out_.instructions_.push_back({code, static_cast<std::uint32_t>(argument), constant});
    height_ = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(height_) + growth);
    out_.stack_ = std::max(out_.stack_, height_);
  }

  std::size_t here() const { return out_.instructions_.size(); }
  /// Lets the jump at a place lead to here.
  void land(std::size_t jump) {
    out_.instructions_[jump].argument = static_cast<std::uint32_t>(here());
  }

  void push(const prism::Value& value) {
    Slot slot{0};
    if (value.type == Type::real)
      slot.real = value.real;
    else
      slot.integer = value.integer;
    emit(Code::push, 0, +1, slot);
  }

  void compile_as(const TypedExpression& expression, Type type) {
    compile(expression);
    if (type == Type::real && expression.type != Type::real) emit(Code::to_real, 0, 0);
  }

  void chain(const TypedExpression& expression, Code keep) {
    std::vector<std::size_t> jumps;
    for (std::size_t i = 0; i < expression.operands.size(); ++i) {
      if (i > 0) {
        jumps.push_back(here());
        emit(keep, 0, -1);
      }
      compile(expression.operands[i]);
    }
    for (const std::size_t jump : jumps)
      land(jump);
  }

  /// a => b: not a, or b.
  void implication(const TypedExpression& expression) {
    compile(expression.operands[0]);
    emit(Code::invert, 0, 0);
    const std::size_t jump = here();
    emit(Code::keep_if_true, 0, -1);
    compile(expression.operands[1]);
    land(jump);
  }

  void conditional(const TypedExpression& expression) {
    compile(expression.operands[0]);
    const std::size_t to_else = here();
    emit(Code::jump_if_false, 0, -1);
    compile_as(expression.operands[1], expression.type);
    const std::size_t to_end = here();
    emit(Code::jump, 0, -1);  // the other branch has a value of its own
    land(to_else);
    compile_as(expression.operands[2], expression.type);
    land(to_end);
  }

  void unary(const TypedExpression& expression) {
    const TypedExpression& operand = expression.operands[0];
    compile(operand);
    switch (expression.operation) {
      case Operation::negate:
        return emit(operand.type == Type::real ? Code::negate_real : Code::negate, 0, 0);
      case Operation::invert:
        return emit(Code::invert, 0, 0);
      default:
        break;
    }
    if (operand.type == Type::integer) return;
    const Operation operation = expression.operation;
    emit(operation == Operation::floor  ? Code::floor
         : operation == Operation::ceil ? Code::ceil
                                        : Code::round,
         0, 0);
  }

  /// Operands from left to right; chains of them as well.
  void binary(const TypedExpression& expression) {
    const auto& operands = expression.operands;
    const bool is_real = std::any_of(operands.begin(), operands.end(), [](const auto& operand) {
      return operand.type == Type::real;
    });
    Operation operation = expression.operation;
    // x > y is y < x.
    const bool swapped = operation == Operation::greater || operation == Operation::greater_equal;
    if (swapped)
      operation = operation == Operation::greater ? Operation::less : Operation::less_equal;
    const bool always_real =
        operation == Operation::divide || operation == Operation::logarithm || is_real;
    const Type type = always_real ? Type::real : operands[0].type;
    if (swapped) {
      compile_as(operands[1], type);
      compile_as(operands[0], type);
      return emit(code_of(operation, always_real), 0, -1);
    }
    compile_as(operands[0], type);
    for (std::size_t i = 1; i < operands.size(); ++i) {
      compile_as(operands[i], type);
      emit(code_of(operation, always_real), 0, -1);
    }
  }

  static Code code_of(Operation operation, bool is_real) {
    switch (operation) {
      case Operation::plus:
        return is_real ? Code::add_real : Code::add;
      case Operation::minus:
        return is_real ? Code::subtract_real : Code::subtract;
      case Operation::times:
        return is_real ? Code::multiply_real : Code::multiply;
      case Operation::divide:
        return Code::divide;
      case Operation::less:
        return is_real ? Code::less_real : Code::less;
      case Operation::less_equal:
        return is_real ? Code::less_equal_real : Code::less_equal;
      case Operation::equal:
      case Operation::equivalence:
        return is_real ? Code::equal_real : Code::equal;
      case Operation::not_equal:
        return is_real ? Code::not_equal_real : Code::not_equal;
      case Operation::minimum:
        return is_real ? Code::minimum_real : Code::minimum;
      case Operation::maximum:
        return is_real ? Code::maximum_real : Code::maximum;
      case Operation::power:
        return is_real ? Code::power_real : Code::power;
      case Operation::modulo:
        return Code::modulo;
      default:
        return Code::logarithm;
    }
  }

  PrismCode& out_;
  std::size_t num_variables_;
  std::size_t height_ = 0;
};

namespace {

constexpr std::size_t most_stack = 2048;

/// x, x+c, c+x or x-c for an integer x: its variable and the constant.
std::optional<std::pair<std::uint32_t, std::int64_t>> shifted_variable(
    const TypedExpression& expression) {
  if (expression.operation == Operation::variable) return std::pair(expression.index, 0);
  const bool is_sum = expression.operation == Operation::plus;
  if ((!is_sum && expression.operation != Operation::minus) || expression.type == Type::real ||
      expression.operands.size() != 2)
    return std::nullopt;
  const TypedExpression* variable = &expression.operands[0];
  const TypedExpression* constant = &expression.operands[1];
  if (is_sum && variable->is_constant()) std::swap(variable, constant);
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  if (variable->operation != Operation::variable || !constant->is_constant() ||
      constant->value.integer < -most)
    return std::nullopt;
  return std::pair(variable->index, is_sum ? constant->value.integer : -constant->value.integer);
}

/// A variable compared with a constant, as a range of its values.
std::optional<PrismCondition::Range> range_of(const TypedExpression& condition) {
  constexpr std::int64_t lowest = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t highest = std::numeric_limits<std::int32_t>::max();
  const auto range = [](std::uint32_t variable, std::int64_t low,
                        std::int64_t high) -> std::optional<PrismCondition::Range> {
    if (low > high) return std::nullopt;
    return PrismCondition::Range{variable, low, static_cast<std::uint64_t>(high - low)};
  };
  if (condition.operation == Operation::variable) return range(condition.index, 1, 1);
  if (condition.operation == Operation::invert &&
      condition.operands[0].operation == Operation::variable)
    return range(condition.operands[0].index, 0, 0);
  if (condition.operands.size() != 2) return std::nullopt;
  const TypedExpression* variable = &condition.operands[0];
  const TypedExpression* constant = &condition.operands[1];
  const bool swapped = variable->is_constant();
  if (swapped) std::swap(variable, constant);
  if (variable->operation != Operation::variable || !constant->is_constant() ||
      constant->type == Type::real)
    return std::nullopt;
  const std::int64_t value = constant->value.integer;
  if (value <= lowest || value >= highest) return std::nullopt;
  Operation operation = condition.operation;
  if (swapped) {
    if (operation == Operation::less)
      operation = Operation::greater;
    else if (operation == Operation::greater)
      operation = Operation::less;
    else if (operation == Operation::less_equal)
      operation = Operation::greater_equal;
    else if (operation == Operation::greater_equal)
      operation = Operation::less_equal;
  }
  switch (operation) {
    case Operation::equal:
    case Operation::equivalence:
      return range(variable->index, value, value);
    case Operation::less:
      return range(variable->index, lowest, value - 1);
    case Operation::less_equal:
      return range(variable->index, lowest, value);
    case Operation::greater:
      return range(variable->index, value + 1, highest);
    case Operation::greater_equal:
      return range(variable->index, value, highest);
    default:
      return std::nullopt;
  }
}

}  // namespace

PrismCode::PrismCode(const TypedExpression& expression, std::size_t num_variables)
    : position_(expression.position),
      is_constant_(expression.is_constant()),
      is_real_(expression.type == Type::real) {
  if (is_constant_) {
    constant_.integer = expression.value.integer;
    constant_.real = expression.value.number();
    return;
  }
  if (const auto shifted = shifted_variable(expression)) {
    variable_ = static_cast<std::int32_t>(shifted->first);
    constant_.integer = shifted->second;
    return;
  }
  Compiler(*this, num_variables).compile(expression);
  assert(stack_ + 1 < most_stack);
}

std::int64_t PrismCode::prism_add(std::int64_t a, std::int64_t b) {
  return prism::add(a, b);
}

PrismCode::Slot PrismCode::run(const std::int64_t* values) const {
  // Not initialised, so its size costs nothing. An expression as deep as one may be fits.
  std::array<Slot, most_stack> stack;
  Slot* top = stack.data();  // where the last value is: none at first
  const Instruction* const begin = instructions_.data();
  const Instruction* const end = begin + instructions_.size();
  for (const Instruction* at = begin; at != end; ++at) {
    switch (at->code) {
      case Code::push:
        *++top = at->constant;
        break;
      case Code::variable:
        (++top)->integer = values[at->argument];
        break;
      case Code::to_real:
        top->real = static_cast<double>(top->integer);
        break;
      case Code::jump:
        at = begin + at->argument - 1;
        break;
      case Code::jump_if_false:
        if ((top--)->integer == 0) at = begin + at->argument - 1;
        break;
      case Code::keep_if_false:
        if (top->integer == 0)
          at = begin + at->argument - 1;
        else
          --top;
        break;
      case Code::keep_if_true:
        if (top->integer != 0)
          at = begin + at->argument - 1;
        else
          --top;
        break;
      case Code::negate:
        top->integer = prism::negate(top->integer);
        break;
      case Code::negate_real:
        top->real = -top->real;
        break;
      case Code::invert:
        top->integer = top->integer == 0 ? 1 : 0;
        break;
      case Code::add:
        --top;
        top->integer = prism::add(top->integer, top[1].integer);
        break;
      case Code::add_real:
        --top;
        top->real += top[1].real;
        break;
      case Code::subtract:
        --top;
        top->integer = prism::subtract(top->integer, top[1].integer);
        break;
      case Code::subtract_real:
        --top;
        top->real -= top[1].real;
        break;
      case Code::multiply:
        --top;
        top->integer = prism::multiply(top->integer, top[1].integer);
        break;
      case Code::multiply_real:
        --top;
        top->real *= top[1].real;
        break;
      case Code::divide:
        --top;
        top->real /= top[1].real;
        break;
      case Code::less:
        --top;
        top->integer = top->integer < top[1].integer ? 1 : 0;
        break;
      case Code::less_real:
        --top;
        top->integer = top->real < top[1].real ? 1 : 0;
        break;
      case Code::less_equal:
        --top;
        top->integer = top->integer <= top[1].integer ? 1 : 0;
        break;
      case Code::less_equal_real:
        --top;
        top->integer = top->real <= top[1].real ? 1 : 0;
        break;
      case Code::equal:
        --top;
        top->integer = top->integer == top[1].integer ? 1 : 0;
        break;
      case Code::equal_real:
        --top;
        top->integer = top->real == top[1].real ? 1 : 0;
        break;
      case Code::not_equal:
        --top;
        top->integer = top->integer != top[1].integer ? 1 : 0;
        break;
      case Code::not_equal_real:
        --top;
        top->integer = top->real != top[1].real ? 1 : 0;
        break;
      case Code::minimum:
        --top;
        top->integer = std::min(top->integer, top[1].integer);
        break;
      case Code::minimum_real:
        --top;
        top->real = std::min(top->real, top[1].real);
        break;
      case Code::maximum:
        --top;
        top->integer = std::max(top->integer, top[1].integer);
        break;
      case Code::maximum_real:
        --top;
        top->real = std::max(top->real, top[1].real);
        break;
      case Code::floor:
        top->integer = prism::whole(Operation::floor, top->real);
        break;
      case Code::ceil:
        top->integer = prism::whole(Operation::ceil, top->real);
        break;
      case Code::round:
        top->integer = prism::whole(Operation::round, top->real);
        break;
      case Code::power:
        --top;
        top->integer = prism::power(top->integer, top[1].integer);
        break;
      case Code::power_real:
        --top;
        top->real = std::pow(top->real, top[1].real);
        break;
      case Code::modulo:
        --top;
        top->integer = prism::modulo(top->integer, top[1].integer);
        break;
      case Code::logarithm:
        --top;
        top->real = std::log(top->real) / std::log(top[1].real);
        break;
    }
  }
  return *top;
}

PrismCondition::PrismCondition(const TypedExpression& condition, std::size_t num_variables)
    : position_(condition.position) {
  add(condition, num_variables);
}

void PrismCondition::add(const TypedExpression& condition, std::size_t num_variables) {
  if (condition.is_constant() && condition.value.truth()) return;
  if (condition.operation == Operation::conjunction) {
    for (const TypedExpression& operand : condition.operands)
      add(operand, num_variables);
  } else if (const auto range = range_of(condition)) {
    ranges_.push_back(*range);
  } else {
    rest_.emplace_back(condition, num_variables);
  }
}

}  // namespace carl
