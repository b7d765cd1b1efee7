// Numbers and arithmetic in problem texts. Everything is exact; what could not be told from zero or
// infinity once it is rounded to a double is refused.
#ifndef CARL_PDDL_NUMBERS_H
#define CARL_PDDL_NUMBERS_H

#include <optional>
#include <string>

#include "pddl/function_uses.h"
#include "pddl/terms.h"

namespace carl::pddl {

/// The number, or an error.
Rational read_number(Form form, const Vocabulary& vocabulary);
/// Refuses numbers that a double cannot hold.
void check_range(const Rational& value, Position position, const Vocabulary& vocabulary);

/// Refuses a cost, a bound or a penalty (`what`) that is larger than any model's may be.
void check_largest_cost(std::string_view what, const Rational& value, Position position,
                        const Vocabulary& vocabulary);

/// The arithmetic operator that a form begins with.
std::optional<Amount::Kind> arithmetic_operator(Form form);
/// Refuses a wrong number of operands.
void check_operands(Form form, const Vocabulary& vocabulary);
/// Applies an arithmetic operator to two numbers; `position` is for division by zero.
Rational calculate(Amount::Kind kind, const Rational& left, const Rational& right,
                   Position position, const Vocabulary& vocabulary);

/// What is wrong with a probability of a choice whose probabilities sum to `sum` so far, this one
/// included; nothing if it can be. One that is not zero must not be rounded to zero either.
std::optional<std::string> wrong_probability(const Rational& probability, const Rational& sum);

/// A number, a static function or arithmetic over them; arithmetic over numbers is carried out.
/// Adds the functions to `uses`.
Amount read_amount(Form form, const Scope& scope, Vocabulary& vocabulary,
                   std::vector<FunctionUse>& uses);

}  // namespace carl::pddl

#endif
