#include "task/formula.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "util/random.h"

namespace carl::task {
namespace {

using Kind = Formula::Kind;

Formula pos(std::size_t atom) {
  return Formula::of(Literal(AtomId(atom), true));
}
Formula neg(std::size_t atom) {
  return Formula::of(Literal(AtomId(atom), false));
}
Formula make(Kind kind, std::vector<Formula> parts) {
  FormulaBuilder builder(kind);
  for (Formula& part : parts)
    builder.add(std::move(part));
  return builder.build();
}

TEST(FormulaBuilder, SimplifiesAsPartsCome) {
  EXPECT_TRUE(make(Kind::conjunction, {}).is_true());
  EXPECT_TRUE(make(Kind::disjunction, {}).is_false());
  EXPECT_TRUE(make(Kind::conjunction, {pos(1), Formula::constant(false)}).is_false());
  EXPECT_TRUE(make(Kind::disjunction, {pos(1), Formula::constant(true)}).is_true());
  EXPECT_EQ(make(Kind::conjunction, {Formula::constant(true), pos(1)}).kind, Kind::literal);
  const Formula nested =
      make(Kind::conjunction, {pos(1), make(Kind::conjunction, {pos(2), neg(3)})});
  EXPECT_EQ(nested.children.size(), 3U);
}

TEST(FormulaBuilder, KnowsWhenNothingMatters) {
  FormulaBuilder builder(Kind::disjunction);
  builder.add(pos(1));
  EXPECT_FALSE(builder.decided());
  builder.add(Formula::constant(true));
  EXPECT_TRUE(builder.decided());
}

TEST(Evaluate, IsThreeValued) {
  const Formula formula =
      make(Kind::disjunction, {pos(0), make(Kind::conjunction, {pos(1), neg(2)})});
  const auto value = [](Truth a, Truth b, Truth c) {
    return [=](AtomId atom) { return std::vector{a, b, c}[atom.index()]; };
  };
  EXPECT_EQ(evaluate(formula, value(Truth::yes, Truth::unknown, Truth::unknown)), Truth::yes);
  EXPECT_EQ(evaluate(formula, value(Truth::no, Truth::no, Truth::unknown)), Truth::no);
  EXPECT_EQ(evaluate(formula, value(Truth::no, Truth::yes, Truth::no)), Truth::yes);
  EXPECT_EQ(evaluate(formula, value(Truth::unknown, Truth::no, Truth::unknown)), Truth::unknown);
}

TEST(DisjunctiveNormalForm, OfConstants) {
  EXPECT_EQ(disjunctive_normal_form(Formula::constant(true), 10)->size(), 1U);
  EXPECT_TRUE(disjunctive_normal_form(Formula::constant(true), 10)->front().empty());
  EXPECT_TRUE(disjunctive_normal_form(Formula::constant(false), 10)->empty());
}

TEST(DisjunctiveNormalForm, DropsContradictionsAndRepeats) {
  const Formula either = make(Kind::disjunction, {pos(1), neg(1)});
  EXPECT_TRUE(disjunctive_normal_form(make(Kind::conjunction, {pos(1), neg(1)}), 10)->empty());
  // (a or not a) twice: only a and not a are left.
  EXPECT_EQ(disjunctive_normal_form(make(Kind::conjunction, {either, either}), 2)->size(), 2U);
  const Formula repeated = make(Kind::disjunction, {pos(1), pos(1), pos(1)});
  EXPECT_EQ(disjunctive_normal_form(repeated, 1)->size(), 1U);
}

TEST(DisjunctiveNormalForm, RefusesWhatIsTooLarge) {
  std::vector<Formula> parts;
  for (std::size_t i = 0; i < 20; ++i)
    parts.push_back(make(Kind::disjunction, {pos(2 * i), pos(2 * i + 1)}));
  EXPECT_FALSE(disjunctive_normal_form(make(Kind::conjunction, parts), 4096));
  parts.erase(parts.begin() + 12, parts.end());
  EXPECT_EQ(disjunctive_normal_form(make(Kind::conjunction, parts), 4096)->size(), 4096U);
}

Formula random_formula(SplitMix64& random, int depth) {
  if (depth == 0 || random.below(3) == 0)
    return random.below(2) == 0 ? pos(random.below(5)) : neg(random.below(5));
  std::vector<Formula> parts;
  for (std::uint64_t i = 1 + random.below(3); i > 0; --i)
    parts.push_back(random_formula(random, depth - 1));
  return make(random.below(2) == 0 ? Kind::conjunction : Kind::disjunction, std::move(parts));
}

TEST(DisjunctiveNormalForm, MeansTheSame) {
  SplitMix64 random(1);
  for (int i = 0; i < 300; ++i) {
    const Formula formula = random_formula(random, 4);
    const auto terms = disjunctive_normal_form(formula, 100000);
    ASSERT_TRUE(terms);
    for (unsigned world = 0; world < 32; ++world) {
      const auto holds = [&](AtomId a) { return (world >> a.index() & 1) != 0; };
      const bool truth = evaluate(formula, [&](AtomId a) {
                           return holds(a) ? Truth::yes : Truth::no;
                         }) == Truth::yes;
      const bool some = std::any_of(terms->begin(), terms->end(), [&](const Conjunction& term) {
        return std::all_of(term.begin(), term.end(),
                           [&](Literal l) { return holds(l.atom()) == l.positive(); });
      });
      ASSERT_EQ(truth, some);
    }
  }
}

}  // namespace
}  // namespace carl::task
