#include "util/rational.h"

#include <gtest/gtest.h>

#include <cmath>

#include <cstdlib>
#include <limits>

#include "util/random.h"

namespace carl {
namespace {

TEST(Rational, ReadsDecimalsFractionsAndExponents) {
  EXPECT_EQ(*parse_rational("0.25"), Rational(1, 4));
  EXPECT_EQ(*parse_rational("1/3"), Rational(1, 3));
  EXPECT_EQ(*parse_rational("-1.5e1"), Rational(-15));
  EXPECT_EQ(*parse_rational(".5"), Rational(1, 2));
  EXPECT_EQ(*parse_rational("2."), Rational(2));
  EXPECT_EQ(*parse_rational("1e-3"), Rational(1, 1000));
}

TEST(Rational, RejectsWhatIsNotANumber) {
  for (const char* text : {"", "-", ".", "1/0", "1e", "e5", "1.2.3", "0x10", "1e99999", "1/", "nan",
                           "inf", "1 ", "--1", "1/-2"})
    EXPECT_FALSE(parse_rational(text)) << text;
}

TEST(Rational, RoundsToTheNearestDoubleLikeStrtod) {
  SplitMix64 random(7);
  for (int i = 0; i < 20000; ++i) {
    std::string text = std::to_string(random.below(1000)) + ".";
    for (std::uint64_t k = 1 + random.below(25); k-- > 0;)
      text += static_cast<char>('0' + random.below(10));
    EXPECT_EQ(to_double(*parse_rational(text)), std::strtod(text.c_str(), nullptr)) << text;
  }
}

TEST(Rational, RoundsToTheSideAskedFor) {
  const Rational third(1, 3);
  EXPECT_LT(Rational(rounded_down(third)), third);
  EXPECT_GT(Rational(rounded_up(third)), third);
  EXPECT_EQ(std::nextafter(rounded_down(third), 1), rounded_up(third));
  EXPECT_EQ(rounded_down(-third), -rounded_up(third));
  EXPECT_EQ(rounded_down(Rational(5, 4)), 1.25);
  EXPECT_EQ(rounded_up(Rational(5, 4)), 1.25);
}

TEST(Rational, DecimalIsTheNumberAsWritten) {
  for (const char* text : {"0", "1", "0.1", "0.3333333333333333", "12345.6789", "1e-200", "1e15",
                           "0.123456789012345", "5e-324"})
    EXPECT_EQ(decimal(std::strtod(text, nullptr)), *parse_rational(text)) << text;
  EXPECT_EQ(decimal(-0.7), Rational(-7, 10));
}

/// The decimal of a double can be on the other side of a number than the double itself.
TEST(Rational, DecimalsNextToANumber) {
  for (const Rational& number : {Rational(1, 3), Rational(-1, 3), Rational(3, 10), Rational(0),
                                 decimal(0.1 + 0.2), Rational(2, 7), Rational(1, 1000003)}) {
    const double below = decimal_below(number);
    const double above = decimal_above(number);
    EXPECT_LE(decimal(below), number);
    EXPECT_GE(decimal(above), number);
    EXPECT_LE(above - below, 3e-16 * std::abs(above));
  }
  EXPECT_EQ(decimal_below(Rational(3, 10)), 0.3);
  EXPECT_EQ(decimal_above(Rational(3, 10)), 0.3);
  EXPECT_FALSE(std::signbit(decimal_above(Rational(0))));
  EXPECT_FALSE(std::signbit(rounded_up(Rational(0))));
  const double largest = std::numeric_limits<double>::max();
  const Rational too_large = Rational(largest) * 2;
  EXPECT_EQ(decimal_below(too_large), largest);
  EXPECT_EQ(decimal_above(too_large), HUGE_VAL);
  EXPECT_EQ(rounded_down(-too_large), -HUGE_VAL);
  EXPECT_EQ(rounded_up(-too_large), -largest);
}

}  // namespace
}  // namespace carl
