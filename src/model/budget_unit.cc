#include "model/budget_unit.h"

#include <fmt/format.h>

#include <cmath>

#include "carl/options.h"
#include "util/shown.h"

namespace carl {
namespace {

// Denominators up to this are taken for written ones: two such fractions are never closer than
// doubles can tell, for numbers up to a thousand.
const mpz_class largest_denominator = 1'000'000;

// As many levels as are easily planned with.
constexpr double convenient_levels = 100;

/// 1, 2 or 5 times a power of ten.
double round_number_above(double value) {
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  for (const double digit : {1.0, 2.0, 5.0})
    if (digit * power >= value * (1 - 1e-9)) return digit * power;
  return 10 * power;
}

}  // namespace

Rational as_written(double value) {
  if (value == 0) return 0;
  // The convergents of its continued fraction, until one rounds to the double.
  Rational rest(value);
  mpz_class p0 = 0, q0 = 1, p1 = 1, q1 = 0;
  for (;;) {
    mpz_class whole;
    mpz_fdiv_q(whole.get_mpz_t(), rest.get_num_mpz_t(), rest.get_den_mpz_t());
    const mpz_class p2 = whole * p1 + p0;
    const mpz_class q2 = whole * q1 + q0;
    if (q2 > largest_denominator) return decimal(value);
    Rational convergent(p2, q2);
    convergent.canonicalize();
    if (to_double(convergent) == value) return convergent;
    rest = 1 / Rational(rest - whole);
    p0 = p1;
    q0 = q1;
    p1 = p2;
    q1 = q2;
  }
}

Rational common_unit(std::span<const Rational> amounts) {
  if (amounts.empty()) return 1;
  mpz_class numerator = 0;
  mpz_class denominator = 1;
  for (const Rational& amount : amounts) {
    // gcd(a/b, c/d) = gcd(a·d, c·b)/(b·d)
    const mpz_class left = numerator * amount.get_den();
    const mpz_class right = amount.get_num() * denominator;
    numerator = gcd(left, right);
    denominator *= amount.get_den();
    const mpz_class common = gcd(numerator, denominator);
    numerator /= common;
    denominator /= common;
  }
  return Rational(numerator, denominator);
}

mpz_class units_rounded_up(const Rational& amount, const Rational& unit) {
  const Rational units = amount / unit;
  mpz_class result;
  mpz_cdiv_q(result.get_mpz_t(), units.get_num_mpz_t(), units.get_den_mpz_t());
  return result;
}

std::uint32_t budget_levels(const std::string& cost, const Rational& limit, const Rational& unit,
                            bool given) {
  const mpz_class levels = units_rounded_up(limit, unit);
  if (levels <= most_budget_levels) return static_cast<std::uint32_t>(levels.get_ui());
  const double coarser = round_number_above(to_double(limit) / convenient_levels);
  throw OptionError(
      fmt::format(
          "the budget {:.10g} of '{}' has {:.6g} levels in units of {:.10g}, {}", to_double(limit),
          shown(cost), levels.get_d(), to_double(unit),
          given ? "which is too many" : "the largest unit of which all amounts are multiples"),
      fmt::format("`unit {}={:.10g}` rounds amounts up to multiples of that, which never makes a "
                  "guarantee weaker",
                  shown(cost), coarser));
}

}  // namespace carl
