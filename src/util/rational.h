// Exact numbers. Problem texts are read without rounding, so that probabilities that are written to
// sum to one do sum to one, and doubles are rounded once, at the very end.
#ifndef CARL_UTIL_RATIONAL_H
#define CARL_UTIL_RATIONAL_H

#include <gmpxx.h>

#include <optional>
#include <string_view>

namespace carl {

using Rational = mpq_class;

/// Reads "3", "-0.25", "1e-3" or "1/3"; nothing else. Exponents are limited to four digits.
std::optional<Rational> parse_rational(std::string_view text);
/// The nearest double (mpq_class::get_d truncates).
double to_double(const Rational& value);
/// The largest double that is not above, the smallest that is not below.
double rounded_down(const Rational& value);
double rounded_up(const Rational& value);
/// The shortest decimal number that reads back as this double. That is the number as it was written
/// if it had at most 15 digits.
Rational decimal(double value);
/// The largest double whose decimal is not above, the smallest whose decimal is not below.
double decimal_below(const Rational& value);
double decimal_above(const Rational& value);

}  // namespace carl

#endif
