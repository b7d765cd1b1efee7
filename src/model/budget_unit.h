// The unit in which a budget is counted: the largest of which all amounts are multiples, so that
// nothing is rounded; or one that the user asks for, to which amounts are rounded up. A budget that
// would have too many levels is an error that names a unit to round to.
#ifndef CARL_MODEL_BUDGET_UNIT_H
#define CARL_MODEL_BUDGET_UNIT_H

#include <optional>
#include <span>
#include <string>

#include "util/rational.h"

namespace carl {

/// A budget of more levels is a mistake rather than a problem to solve.
inline constexpr std::size_t most_budget_levels = 100'000;

/// The number that a double was read from: a fraction with a small denominator if there is one that
/// rounds to it, else its shortest decimal.
Rational as_written(double value);

/// The greatest common divisor of positive numbers; 1 if there are none.
Rational common_unit(std::span<const Rational> amounts);

/// ⌈amount/unit⌉.
mpz_class units_rounded_up(const Rational& amount, const Rational& unit);

/// How many levels up to `limit`. Throws OptionError if they are too many; `given` if the user has
/// chosen the unit.
std::uint32_t budget_levels(const std::string& cost, const Rational& limit, const Rational& unit,
                            bool given);

}  // namespace carl

#endif
