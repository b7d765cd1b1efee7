#include "util/rational.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

namespace carl {
namespace {

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// Digits with an optional point and exponent, no sign.
std::optional<Rational> parse_decimal(std::string_view text) {
  std::string digits;
  long exponent = 0;
  std::size_t i = 0;
  for (; i < text.size() && is_digit(text[i]); ++i)
    digits += text[i];
  if (i < text.size() && text[i] == '.') {
    for (++i; i < text.size() && is_digit(text[i]); ++i, --exponent)
      digits += text[i];
  }
  if (digits.empty()) return std::nullopt;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && text[i] == '+') ++i;
    long written = 0;
    const char* end = text.data() + text.size();
    const auto [stop, failure] = std::from_chars(text.data() + i, end, written);
    if (failure != std::errc() || stop != end || std::abs(written) > 9999) return std::nullopt;
    exponent += written;
    i = text.size();
  }
  if (i != text.size()) return std::nullopt;
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(std::labs(exponent)));
  const mpz_class number(digits, 10);
  Rational value = exponent < 0 ? Rational(number, power) : Rational(number * power);
  value.canonicalize();
  return value;
}

}  // namespace

std::optional<Rational> parse_rational(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  std::optional<Rational> value;
  if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
    value = parse_decimal(text.substr(0, slash));
    const auto divisor = parse_decimal(text.substr(slash + 1));
    if (!value || !divisor || *divisor == 0) return std::nullopt;
    *value /= *divisor;
  } else {
    value = parse_decimal(text);
  }
  if (value && negative) *value = -*value;
  return value;
}

double to_double(const Rational& value) {
  // get_d() truncates towards zero: the nearest double is that one or its neighbour.
  const double below = value.get_d();
  if (!std::isfinite(below) || Rational(below) == value) return below;
  const double above = std::nextafter(below, value > 0 ? HUGE_VAL : -HUGE_VAL);
  if (!std::isfinite(above)) return below;
  const Rational to_below = abs(value - Rational(below));
  const Rational to_above = abs(Rational(above) - value);
  if (to_below != to_above) return to_below < to_above ? below : above;
  // A tie goes to the even mantissa, as the reader of every other program does it.
  return std::fmod(std::abs(below) / std::ldexp(1.0, std::ilogb(below) - 52), 2.0) == 0.0 ? below
                                                                                          : above;
}

double rounded_down(const Rational& value) {
  const double nearest = to_double(value);
  if (!std::isfinite(nearest)) return value > 0 ? std::numeric_limits<double>::max() : -HUGE_VAL;
  return Rational(nearest) > value ? std::nextafter(nearest, -HUGE_VAL) : nearest;
}

double rounded_up(const Rational& value) {
  return 0.0 - rounded_down(-value);  // no negative zero
}

Rational decimal(double value) {
  return *parse_rational(fmt::format("{}", value));
}

double decimal_below(const Rational& value) {
  double result = rounded_up(value);
  if (!std::isfinite(result)) return value > 0 ? std::numeric_limits<double>::max() : result;
  while (std::isfinite(result) && decimal(result) > value)
    result = std::nextafter(result, -HUGE_VAL);
  return result;
}

double decimal_above(const Rational& value) {
  return 0.0 - decimal_below(-value);
}

}  // namespace carl
