// What operators and functions do with values, as PRISM has it: integers have 64 bits here and are
// checked for overflow, "/" divides real numbers, floor(), ceil() and round() give integers.
#ifndef CARL_PRISM_OPERATIONS_H
#define CARL_PRISM_OPERATIONS_H

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "prism/expression.h"

namespace carl::prism {

/// Thrown where an operation has no value: whoever evaluates adds the place and the state.
class EvaluationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// floor, pow, ...; nothing if there is no such function.
std::optional<Operation> function_of(std::string_view name);
bool is_function(std::string_view name);
/// The names of all functions.
std::span<const std::string_view> function_names();

/// The type that an operation has on operands of these types; none if it has no meaning for them.
std::optional<Type> result_type(Operation operation, std::span<const Type> operands);

/// Operands of types that the operation has a meaning for. Throws EvaluationError.
Value value_of(Operation operation, std::span<const Value> operands);

// The parts that compiled code shares. They throw EvaluationError.
std::int64_t add(std::int64_t a, std::int64_t b);
std::int64_t subtract(std::int64_t a, std::int64_t b);
std::int64_t multiply(std::int64_t a, std::int64_t b);
std::int64_t negate(std::int64_t a);
std::int64_t power(std::int64_t base, std::int64_t exponent);
std::int64_t modulo(std::int64_t a, std::int64_t b);
/// Of one of floor, ceil, round.
std::int64_t whole(Operation operation, double a);

}  // namespace carl::prism

#endif
