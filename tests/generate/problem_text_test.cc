#include "generate/problem_text.h"

#include <gtest/gtest.h>

namespace carl::generators {
namespace {

TEST(NumberText, WritesFiniteDecimalsAsDecimalsAndTheRestAsFractions) {
  EXPECT_EQ(number_text(Rational(0)), "0");
  EXPECT_EQ(number_text(Rational(13)), "13");
  EXPECT_EQ(number_text(Rational(7, 8)), "0.875");
  EXPECT_EQ(number_text(Rational(1, 100)), "0.01");
  EXPECT_EQ(number_text(Rational(-5, 2)), "-2.5");
  EXPECT_EQ(number_text(Rational(2, 3)), "2/3");
  EXPECT_EQ(number_text(Rational(1, 6)), "1/6");
}

TEST(NumberText, IsExact) {
  for (int numerator = -30; numerator <= 30; ++numerator)
    for (int denominator = 1; denominator <= 64; ++denominator) {
      Rational value(numerator, denominator);
      value.canonicalize();
      EXPECT_EQ(parse_rational(number_text(value)), value) << value.get_str();
    }
}

TEST(ProblemText, LaysOutAllSections) {
  ProblemText text("toy r=0.5 seed=1", "toy-domain");
  text.objects({"a", "b"}, "letter");
  text.objects({}, "digit");
  text.init("(p a) (p b)");
  text.init("(= (f a) 2)");
  text.goal("(q a)");
  text.minimize("(time)");
  text.bound("(fuel)", Rational(5, 2));
  text.give_up("(time)", 500);
  EXPECT_EQ(text.str(), R"(; toy r=0.5 seed=1
(define (problem toy-r-0-5-seed-1)
  (:domain toy-domain)
  (:objects
    a b - letter)
  (:init
    (p a) (p b)
    (= (f a) 2))
  (:goal (and
    (q a)))
  (:metric minimize (time))
  (:constraints (and
    (<= (expected (fuel)) 2.5)))
  (:give-up
    (increase (time) 500)))
)");
}

TEST(ProblemText, LeavesOutConstraintsAndGiveUpIfThereAreNone) {
  ProblemText text("toy", "toy-domain");
  text.minimize("(time)");
  EXPECT_EQ(text.str().find(":constraints"), std::string::npos);
  EXPECT_EQ(text.str().find(":give-up"), std::string::npos);
}

TEST(ProblemText, BreaksLongObjectLists) {
  ProblemText text("toy", "toy-domain");
  text.objects({"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"}, "n");
  EXPECT_NE(text.str().find("(:objects\n    1 2 3 4 5 6 7 8 9 10\n    11 - n)"), std::string::npos);
}

}  // namespace
}  // namespace carl::generators
