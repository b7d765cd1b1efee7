// Expressions of PRISM's language, compiled. A program is a flat list of instructions for a machine
// with a stack; types are settled when it is compiled, and running it allocates nothing. What is
// true of most guards is made use of: they are conjunctions of comparisons of a variable with a
// constant, each of which is a range of values.
#ifndef CARL_MODEL_PRISM_CODE_H
#define CARL_MODEL_PRISM_CODE_H

#include <cstdint>
#include <vector>

#include "prism/typed_expression.h"

namespace carl {

class PrismCode {
 public:
  PrismCode() = default;
  /// Labels that are atoms are values behind those of the variables.
  PrismCode(const prism::TypedExpression& expression, std::size_t num_variables);

  bool is_constant() const { return is_constant_; }
  const prism::Position& position() const { return position_; }

  /// `values` are those of the variables; booleans are 0 and 1. They throw prism::EvaluationError.
  /// Of a boolean or an integer:
  std::int64_t integer(const std::int64_t* values) const {
    if (is_constant_) return constant_.integer;
    if (variable_ >= 0) return prism_add(values[variable_], constant_.integer);
    return run(values).integer;
  }
  bool holds(const std::int64_t* values) const { return integer(values) != 0; }
  /// Of a number:
  double real(const std::int64_t* values) const {
    if (is_constant_) return constant_.real;
    if (is_real_) return run(values).real;
    return static_cast<double>(integer(values));
  }

  union Slot {
    std::int64_t integer;
    double real;
  };
  enum class Code : std::uint8_t;
  struct Instruction {
    Code code;
    std::uint32_t argument;  // a variable, or where to jump
    Slot constant;
  };

 private:
  class Compiler;

  static std::int64_t prism_add(std::int64_t a, std::int64_t b);
  Slot run(const std::int64_t* values) const;

  prism::Position position_;
  bool is_constant_ = true;
  bool is_real_ = false;
  std::int32_t variable_ = -1;  // the program is this variable plus a constant
  struct {
    std::int64_t integer = 0;
    double real = 0;
  } constant_;
  std::vector<Instruction> instructions_;
  std::size_t stack_ = 0;  // the most that the program needs
};

/// A condition on states: ranges of variables, and what else there is to it.
class PrismCondition {
 public:
  struct Range {
    std::uint32_t variable;
    std::int64_t low;
    std::uint64_t width;  // high - low
    bool holds(const std::int64_t* values) const {
      return static_cast<std::uint64_t>(values[variable]) - static_cast<std::uint64_t>(low) <=
             width;
    }
  };

  /// Holds always.
  PrismCondition() = default;
  PrismCondition(const prism::TypedExpression& condition, std::size_t num_variables);

  bool holds(const std::int64_t* values) const {
    for (const Range& range : ranges_)
      if (!range.holds(values)) return false;
    for (const PrismCode& code : rest_)
      if (!code.holds(values)) return false;
    return true;
  }
  const std::vector<Range>& ranges() const { return ranges_; }
  bool is_always() const { return ranges_.empty() && rest_.empty(); }
  const prism::Position& position() const { return position_; }

 private:
  void add(const prism::TypedExpression& condition, std::size_t num_variables);

  prism::Position position_;
  std::vector<Range> ranges_;
  std::vector<PrismCode> rest_;
};

}  // namespace carl

#endif
